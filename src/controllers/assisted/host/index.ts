import type { KubeObject } from '../../../core/object.ts'
import { infraEnvLabel } from '../../../policy/host-image/gate.ts'
import { type ObjectKey, type Reconciler, wokenBy } from '../../../ports/index.ts'
import type { BareMetalHost } from '../../metal3/resources.ts'
import { agents, assistedHosts, assistedImages, clusterOperators, infraEnvs } from '../resources.ts'
import { decide } from './decide.ts'
import { type AssistedPorts, observe } from './observe.ts'
import { performers } from './perform.ts'
import type { Seen, Verb } from './seen.ts'

const keyOf = ({ metadata }: KubeObject): ObjectKey => ({ name: metadata.name, namespace: metadata.namespace ?? '' })
const linkedIn =
  (namespace: string | undefined, infraEnv?: string) =>
  ({ metadata }: KubeObject): boolean =>
    metadata.namespace === namespace &&
    (infraEnv === undefined ? metadata.labels?.[infraEnvLabel] !== undefined : metadata.labels?.[infraEnvLabel] === infraEnv)

/** Does for hosts of an InfraEnv what the assisted service's bare-metal controller (BMAC) does: asks for them to be installed by the assisted agent. */
export const assistedHostController = (ports: AssistedPorts): Reconciler<BareMetalHost, Seen, Verb> => ({
  name: 'assisted-host',
  kind: assistedHosts,
  beside: 'AssistedReconciled',
  watches: [
    wokenBy(assistedImages, image => [keyOf(image)]),
    wokenBy(infraEnvs, ({ metadata }, own) => own().filter(linkedIn(metadata.namespace, metadata.name)).map(keyOf)),
    wokenBy(agents, ({ metadata }, own) => own().filter(linkedIn(metadata.namespace)).map(keyOf)),
    // Another version may allow another flow.
    wokenBy(clusterOperators, ({ metadata }, own) =>
      metadata.name === 'baremetal'
        ? own()
            .filter(one => one.metadata.labels?.[infraEnvLabel] !== undefined)
            .map(keyOf)
        : [],
    ),
  ],
  observe: async host => observe(ports, host),
  decide,
  perform: performers(ports.kube),
})
