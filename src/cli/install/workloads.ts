import type { KubeObject } from '../../core/object.ts'
import { labels, name, ports, selector } from './names.ts'
import type { Values } from './values.ts'

const cache = '/var/cache/rackwright'

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
    '--job-image',
    values.image,
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

function deployment(values: Values, of: string, replicas: number, resources: object, args: readonly string[]): KubeObject {
  const probe = (path: string) => ({ httpGet: { path, port: 'health' } })
  const container = {
    name: of.replace('rackwright-', ''),
    image: values.image,
    imagePullPolicy: values.pullPolicy,
    args,
    env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    ports: [
      { name: 'health', containerPort: ports.health },
      ...(of === name.bootServer ? [{ name: 'boot', containerPort: ports.boot }] : []),
    ],
    livenessProbe: { ...probe('/healthz'), periodSeconds: 20, failureThreshold: 3 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 10 },
    resources,
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    volumeMounts: [
      { name: 'cache', mountPath: cache },
      { name: 'tmp', mountPath: '/tmp' },
    ],
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
    containers: [container],
    volumes: [
      { name: 'cache', emptyDir: {} },
      { name: 'tmp', emptyDir: {} },
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
