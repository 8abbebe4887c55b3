import { assisted, assistedFlow } from './assisted.ts'
import type { CommandLine } from './command.ts'
import { imageOptions } from './host-images.ts'
import { ramdisk } from './ramdisk.ts'

const kubeconfig = [
  '--kubeconfig <file>',
  'which Kubernetes; what kubectl uses where it is not said, else the one this pod runs in',
] as const
const common = [
  kubeconfig,
  ['--config <file>', 'a YAML file with the same settings under the same names (takeOver, bootUrl, …); flags win over it'],
  ['--namespace <name>', 'where leases, our own Secrets and Events are; rackwright-system where it is not said'],
  ['--boot-url <url>', 'where machines reach the boot server'],
  ['--cache <folder>', 'where verified artefacts are kept; /var/cache/rackwright where it is not said'],
  ['--registries <names>', 'registries that images may come from, with commas between; any where it is not said'],
  [
    '--registry-credentials <secret>',
    'Secret of type kubernetes.io/dockerconfigjson in our own namespace, for registries that want a login',
  ],
  ['--health-host <address>', 'address of /healthz, /readyz and /metrics; 127.0.0.1 where it is not said'],
  ['--health-port <number>', 'its port; 8081 where it is not said, 0 picks a free one'],
] as const

/** What runs on a Kubernetes of somebody's own, and how it gets there and away. */
export const clusterCommands: readonly CommandLine[] = [
  {
    call: 'operator',
    says: 'run the controllers against any Kubernetes; of several replicas one acts',
    options: [
      ...common,
      ['--controllers <roles>', 'which, with commas between; metal,firmware where it is not said'],
      ['--probe-image <reference>', 'what is booted to look at a new server'],
      ['--default-job-runner <name>', 'the JobRunner of ServerBIOS and ServerFirmware objects that no other is for'],
      ['--job-image <reference>', 'what jobs run where there is no JobRunner at all; the image of this program'],
      [
        '--provisioned-when <level>',
        'what counts as a first boot where a boot policy does not say: PowerOn, ArtifactServed or BootReported; ArtifactServed where it is not said',
      ],
      [
        '--boot-server <whose>',
        'own, or external: another boot operator sets boot configurations Ready and serves them (docs/guides/boot-server.md)',
      ],
      ['--require-sanitized', 'no released server is free before something says that its disks were wiped'],
      ['--lease <name>', 'by which replicas elect the one that acts; rackwright-controllers where it is not said'],
      ...ramdisk,
      ['--builds-ramdisks', 'rackwright host-images builds the ramdisk of each host'],
      ['--agent-host <address>', 'address where Ironic agents of hosts call; 127.0.0.1 where it is not said'],
      ['--agent-port <number>', 'its port; 6385 where it is not said, 0 picks a free one'],
      ['--agent-url <url>', 'where machines reach that, if not there'],
      ['--agent-service <name>', 'a Service without a selector in this namespace that shall lead to the replica that acts'],
      ['--ramdisk-logs <folder>', 'where logs of ramdisks go when a step of their agent failed; nowhere where it is not said'],
      ...assistedFlow,
      ['--take-over <roles>', 'look after objects whose CRDs another operator installed; refused while that one runs'],
    ],
    load: async () => (await import('../commands/operator.ts')).operator,
  },
  {
    call: 'boot-server',
    says: 'run the boot server by itself, beside `rackwright operator`; as many replicas as are wanted',
    options: [
      ...common,
      ['--host <address>', 'address it listens on; 127.0.0.1 where it is not said'],
      ['--port <number>', 'its port; 8080 where it is not said, 0 picks a free one'],
      ['--tls-cert <file>', 'certificate chain to serve HTTPS with, PEM; plain HTTP without it'],
      ['--tls-key <file>', 'its private key, PEM'],
      ['--allow-user-data-by-window', 'give user data to machines that are known only by the window their power-on opened'],
    ],
    load: async () => (await import('../commands/boot-server.ts')).bootServer,
  },
  {
    call: 'host-images',
    says: 'build and serve the images from which BareMetalHosts are inspected and installed (PreprovisioningImage)',
    options: [
      ...common,
      ['--live-iso <files>', 'live ISOs of CoreOS by architecture: x86_64=<file>,…'],
      ...imageOptions,
      ['--agent-url <url>', 'where that agent finds us: as it would find Ironic'],
      ...assisted,
      ['--take-over <roles>', 'assisted: make images that an assisted service has made before'],
      ['--host <address>', 'address it listens on; 127.0.0.1 where it is not said'],
      ['--port <number>', 'its port; 8080 where it is not said, 0 picks a free one'],
      ['--tls-cert <file>', 'certificate chain to serve HTTPS with, PEM; plain HTTP without it'],
      ['--tls-key <file>', 'its private key, PEM'],
    ],
    load: async () => (await import('../commands/host-images.ts')).hostImages,
  },
  {
    call: 'ramdisk-logs <folder>',
    says: 'tell what ramdisks wrote before a step of their agent failed, as it comes into the folder; what the container ironic-ramdisk-logs runs',
    options: [],
    load: async () => (await import('../commands/ramdisk-logs.ts')).ramdiskLogs,
  },
  {
    call: 'job <program>',
    says: 'run one program of a Job, told by its environment what it works for (docs/guides/job-executors.md); what its pod runs',
    options: [kubeconfig, ['--speed <number>', 'how much faster than real ones the machines are that it works for', '1']],
    load: async () => (await import('../commands/job.ts')).job,
  },
  {
    call: 'manifests',
    says: 'print everything the Helm chart installs, for kubectl apply -f -',
    options: [
      ['--boot-url <url>', 'where machines reach the boot server'],
      ['--namespace <name>', 'where it is installed; rackwright-system where it is not said'],
      ['--image <reference>', 'the container image'],
      ['--controllers <roles>', 'which controllers run; metal,firmware where it is not said'],
      ['--registries <names>', 'registries that images may come from; any where it is not said'],
      [
        '--with <parts>',
        'parts that are off by themselves: bootImages.enabled, crds.metal3, metal3.enabled, serviceMonitor.enabled, alerts.enabled',
      ],
      ['--without <parts>', 'parts to leave out: crds.metal, networkPolicy.enabled, podDisruptionBudget.enabled'],
    ],
    load: async () => (await import('../commands/manifests.ts')).manifests,
  },
  {
    call: 'move',
    says: 'move all servers, claims and BMCs to another Kubernetes; nothing is rebooted',
    options: [
      ['--to <kubeconfig>', 'where to'],
      ['--kubeconfig <file>', 'where from; the instance of the state folder where it is not said'],
      ['--yes', 'do not ask'],
    ],
    load: async () => (await import('../commands/move.ts')).move,
  },
  {
    call: 'uninstall',
    says: 'take the program off a cluster; nothing is powered off, and objects can be deleted afterwards',
    options: [
      kubeconfig,
      ['--namespace <name>', 'where it is installed; rackwright-system where it is not said'],
      ['--crds', 'delete the kinds too, and every object with them'],
      ['--yes', 'do not ask'],
    ],
    load: async () => (await import('../commands/uninstall.ts')).uninstall,
  },
]
