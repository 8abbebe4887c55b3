import type { KubeObject } from '../../core/object.ts'
import { labels, name, ports, selector } from './names.ts'
import type { Values } from './values.ts'

const cache = '/var/cache/rackwright'
/** What ramdisks wrote: the controllers put it there, and a container beside them tells it. */
const ramdiskLogs = '/var/log/ramdisk'

/** The controllers and the boot server, each as a Deployment that passes the restricted Pod Security Standard. */
export const workloads = (values: Values): readonly KubeObject[] => [
  deployment(values, name.controllers, values.replicas, values.resources, [
    'operator',
    '--controllers',
    values.controllers,
    '--take-over',
    values.takeOver,
    '--probe-image',
    values.probeImage,
    '--boot-server',
    values.bootServer.whose,
    '--job-image',
    values.image,
    '--ramdisk-iso',
    values.agents.ramdiskIso,
    '--ramdisk-kernel',
    values.agents.ramdiskKernel,
    '--ramdisk-initramfs',
    values.agents.ramdiskInitramfs,
    '--agent-host',
    '0.0.0.0',
    '--agent-port',
    String(ports.agents),
    '--agent-url',
    values.agents.agentUrl,
    '--agent-service',
    name.agents,
    '--ramdisk-logs',
    ramdiskLogs,
    ...common(values),
  ]),
  deployment(values, name.bootServer, values.bootServer.replicas, values.bootServer.resources, [
    'boot-server',
    '--host',
    '0.0.0.0',
    '--port',
    String(ports.boot),
    ...common(values),
  ]),
]

const common = ({ namespace, bootServer, registries }: Values): readonly string[] => [
  '--namespace',
  namespace,
  '--boot-url',
  bootServer.url,
  '--registries',
  registries,
  '--cache',
  cache,
  '--health-host',
  '0.0.0.0',
  '--health-port',
  String(ports.health),
]

const confined = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } }

/** As in other installations of Metal3, `kubectl logs -c ironic-ramdisk-logs` shows what the agents of hosts wrote. */
const logPublisher = ({ image, pullPolicy }: Values): object => ({
  name: 'ironic-ramdisk-logs',
  image,
  imagePullPolicy: pullPolicy,
  args: ['ramdisk-logs', ramdiskLogs],
  resources: { requests: { cpu: '5m', memory: '48Mi' }, limits: { memory: '256Mi' } },
  securityContext: confined,
  volumeMounts: [{ name: 'ramdisk-logs', mountPath: ramdiskLogs }],
})

function deployment(values: Values, of: string, replicas: number, resources: object, args: readonly string[]): KubeObject {
  const field = (called: string, fieldPath: string) => ({ name: called, valueFrom: { fieldRef: { fieldPath } } })
  const shared = of === name.controllers ? [{ name: 'ramdisk-logs', mountPath: ramdiskLogs }] : []
  const probe = (path: string) => ({ httpGet: { path, port: 'health' } })
  const container = {
    name: of.replace('rackwright-', ''),
    image: values.image,
    imagePullPolicy: values.pullPolicy,
    args,
    env: [
      field('POD_NAME', 'metadata.name'),
      ...(of === name.controllers ? [field('POD_IP', 'status.podIP'), field('NODE_NAME', 'spec.nodeName')] : []),
    ],
    ports: [
      { name: 'health', containerPort: ports.health },
      ...(of === name.bootServer ? [{ name: 'boot', containerPort: ports.boot }] : [{ name: 'agents', containerPort: ports.agents }]),
    ],
    livenessProbe: { ...probe('/healthz'), periodSeconds: 20, failureThreshold: 3 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 10 },
    resources,
    securityContext: confined,
    volumeMounts: [{ name: 'cache', mountPath: cache }, { name: 'tmp', mountPath: '/tmp' }, ...shared],
  }
  const pod = {
    serviceAccountName: of,
    automountServiceAccountToken: true,
    // Long enough to let what is under way finish and to release the lease.
    terminationGracePeriodSeconds: 60,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65_532,
      runAsGroup: 65_532,
      fsGroup: 65_532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [container, ...(of === name.controllers ? [logPublisher(values)] : [])],
    volumes: [
      { name: 'cache', emptyDir: {} },
      { name: 'tmp', emptyDir: {} },
      ...shared.map(({ name: volume }) => ({ name: volume, emptyDir: { sizeLimit: '256Mi' } })),
    ],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: selector(of) },
      },
    ],
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: of, namespace: values.namespace, labels: labels(of) },
    spec: {
      replicas,
      selector: { matchLabels: selector(of) },
      template: { metadata: { labels: labels(of) }, spec: pod },
    },
  }
}
