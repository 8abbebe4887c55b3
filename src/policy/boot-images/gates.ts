import { readStream, type Stream } from './stream.ts'

/** What the cluster says before any machine resource is looked at. */
export interface ClusterFacts {
  /** The feature gate, where the cluster has such an object; else the setting. */
  readonly feature: boolean
  /** Another operator of the cluster keeps boot images itself, and nobody said that we should. */
  readonly keptByOther: boolean
  readonly externalControlPlane: boolean
  /** Infrastructure's platform; undefined where there is no such object. */
  readonly platform: string | undefined
  /** The version that runs; undefined where nobody knows. */
  readonly version: string | undefined
  /** False while an installation or upgrade is under way. */
  readonly stable: boolean
  /** The golden ConfigMap; undefined where there is none. */
  readonly golden: { readonly stream: string | undefined; readonly stampedFor: string | undefined; readonly generation: number } | undefined
}

export type Gates =
  | { readonly open: true; readonly stream: Stream; readonly generation: number }
  | { readonly open: false; readonly reason: string; readonly because: string; readonly fails: boolean }

const closed = (reason: string, because: string, fails = false): Gates => ({ open: false, reason, because, fails })

/** Gates in order; the first that is closed is the reason. Only a ConfigMap that cannot be read is a failure: the others are as they should be. */
export function gatesOf(facts: ClusterFacts, reader: typeof readStream = readStream): Gates {
  if (!facts.feature) return closed('FeatureGate', 'feature gate ManagedBootImages is off')
  if (facts.keptByOther) return closed('KeptByOther', 'the machine-config operator of this cluster keeps boot images up to date itself')
  if (facts.externalControlPlane) return closed('NotStandalone', 'the control plane of this cluster is elsewhere')
  const { golden } = facts
  if (!golden) return closed('NoConfigMap', 'ConfigMap coreos-bootimages is missing', true)
  const read = reader(golden.stream)
  if ('because' in read) return closed('BadConfigMap', `ConfigMap coreos-bootimages cannot be read: ${read.because}`, true)
  if (!facts.stable) return closed('NotStable', 'an installation or upgrade of the cluster is under way')
  if (facts.version === undefined) return closed('NoVersion', 'nobody says which version runs here')
  if (golden.stampedFor !== facts.version) {
    const found = golden.stampedFor === undefined ? 'is not stamped' : `is stamped for ${golden.stampedFor}`
    return closed('NotStamped', `ConfigMap coreos-bootimages ${found}, and ${facts.version} runs`)
  }
  return { open: true, stream: read.stream, generation: golden.generation }
}
