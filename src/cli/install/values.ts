/** What can be chosen when it is installed. The chart's values and the flags of `rackwright manifests` are both made of this. */
export interface Values {
  readonly namespace: string
  readonly image: string
  readonly pullPolicy: string
  readonly replicas: number
  readonly controllers: string
  readonly takeOver: string
  readonly registries: string
  readonly probeImage: string
  readonly resources: object
  readonly bootServer: {
    readonly whose: string
    readonly url: string
    readonly replicas: number
    readonly serviceType: string
    readonly resources: object
  }
  readonly agents: {
    readonly agentUrl: string
    readonly serviceType: string
    readonly ramdiskIso: string
    readonly ramdiskKernel: string
    readonly ramdiskInitramfs: string
  }
}

/** Parts that somebody may not want, or that a cluster must have the kinds for. */
export const parts = {
  'crds.metal': { unless: true, says: 'the kinds of metal.ironcore.dev; off where metal-operator has installed them' },
  'bootImages.enabled': {
    unless: false,
    says: 'the kind, the rights and the admission policy of managed boot images; add boot-images to controllers, too',
  },
  'firmware.enabled': { unless: true, says: 'the rights of the controllers of BIOS and firmware, and the account of their jobs' },
  'crds.metal3': { unless: false, says: 'the kinds of metal3.io; leave them out where baremetal-operator has installed its own' },
  'metal3.enabled': {
    unless: false,
    says: 'the rights of the controller of BareMetalHosts, and the Service that their agents call; add metal3 to controllers, too',
  },
  'crds.assisted': {
    unless: false,
    says: 'the kinds of agent-install.openshift.io; leave them out where an assisted service has installed its own',
  },
  'assisted.enabled': { unless: false, says: 'the rights of the controller of hosts of InfraEnvs; add assisted to controllers, too' },
  'networkPolicy.enabled': { unless: true, says: 'lets in only what is served: boots, health and metrics' },
  'podDisruptionBudget.enabled': { unless: true, says: 'keeps one replica of each while nodes are drained' },
  'serviceMonitor.enabled': { unless: false, says: 'for the Prometheus operator; needs its kinds' },
  'alerts.enabled': { unless: false, says: 'alert rules for the Prometheus operator; needs its kinds' },
} as const
export type Part = keyof typeof parts

const resources = (memory: string) => ({ requests: { cpu: '50m', memory }, limits: { memory: '512Mi' } })

export const usual: Values = {
  namespace: 'rackwright-system',
  image: 'ghcr.io/rackwright/rackwright:0.1.0',
  pullPolicy: 'IfNotPresent',
  replicas: 2,
  controllers: 'metal,firmware',
  takeOver: '',
  registries: '',
  probeImage: 'ghcr.io/rackwright/probe:0.1.0',
  resources: resources('128Mi'),
  bootServer: { whose: 'own', url: '', replicas: 2, serviceType: 'LoadBalancer', resources: resources('96Mi') },
  agents: { agentUrl: '', serviceType: 'LoadBalancer', ramdiskIso: '', ramdiskKernel: '', ramdiskInitramfs: '' },
}
