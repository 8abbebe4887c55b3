import { type Millis, minutes } from '../../core/duration.ts'

/** How boot images are kept, as the manager was told. */
export interface BootImageSettings {
  /** Where the cluster has no FeatureGate object. */
  readonly feature: boolean
  /** The version that runs, where the cluster has no ClusterVersion. */
  readonly version?: string
  /** Architecture of machines that do not say theirs, where no control-plane Node tells. */
  readonly architecture: string
  /** The seed's way with stubs, or lifting them in place. */
  readonly stubs: 'switch' | 'upgrade'
  /** Where a machine-config operator keeps boot images itself: take over all the same. */
  readonly takeOver: boolean
  /** One resource first; the others when a machine of it is Ready. */
  readonly canary: boolean
  /** Says what it would write, and writes nothing. */
  readonly dryRun: boolean
  readonly threshold: { readonly failures: number; readonly over: Millis }
  readonly stampOverdue: Millis
}

export const defaultSettings: BootImageSettings = {
  feature: true,
  architecture: 'x86_64',
  stubs: 'switch',
  takeOver: false,
  canary: false,
  dryRun: false,
  threshold: { failures: 3, over: minutes(30) },
  stampOverdue: minutes(60),
}
