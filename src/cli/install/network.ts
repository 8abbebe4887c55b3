import type { KubeObject } from '../../core/object.ts'
import { labels, name, ports, selector } from './names.ts'
import type { Values } from './values.ts'

const metadata = ({ namespace }: Values, of: string, suffix = '') => ({ name: `${of}${suffix}`, namespace, labels: labels(of) })

/** Where machines fetch what they boot. */
export const services = (values: Values): readonly KubeObject[] => [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(values, name.bootServer),
    spec: {
      type: values.bootServer.serviceType,
      selector: selector(name.bootServer),
      // Who fetches is part of the evidence: the source address must arrive as it is.
      externalTrafficPolicy: 'Local',
      ports: [{ name: 'boot', port: ports.boot, targetPort: 'boot' }],
    },
  },
]

/** Where agents of hosts call: without a selector, because only the replica that acts can answer; that one writes where it is. */
export const agentService = (values: Values): readonly KubeObject[] => [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(values, name.agents),
    spec: {
      type: values.agents.serviceType,
      // An agent is called back where it calls from: its address must arrive as it is.
      externalTrafficPolicy: 'Local',
      ports: [{ name: 'agents', port: ports.agents, targetPort: ports.agents }],
    },
  },
]

/** What comes in; what goes out (BMCs, registries, the API) differs from site to site and is not limited here. */
export const networkPolicies = (values: Values): readonly KubeObject[] => [
  policy(values, name.controllers, [ports.health, ports.agents]),
  policy(values, name.bootServer, [ports.boot, ports.health]),
]

const policy = (values: Values, of: string, open: readonly number[]): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: metadata(values, of),
  spec: {
    podSelector: { matchLabels: selector(of) },
    policyTypes: ['Ingress'],
    ingress: [{ ports: open.map(port => ({ protocol: 'TCP', port })) }],
  },
})

export const disruptionBudgets = (values: Values): readonly KubeObject[] =>
  [name.controllers, name.bootServer].map(of => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadata(values, of),
    spec: { minAvailable: 1, selector: { matchLabels: selector(of) } },
  }))
