import type { FoundArchitecture } from '../../../policy/boot-images/architecture.ts'
import type { Gates } from '../../../policy/boot-images/gates.ts'
import type { MachineSpec } from '../../../policy/boot-images/platforms/platform.ts'
import type { Stub } from '../../../policy/boot-images/stub.ts'
import type { BootImageHistory } from '../resources.ts'
import type { BootImageSettings } from '../settings.ts'

type Status = NonNullable<BootImageHistory['status']>

/** Everything a decision about one machine resource's boot image rests on. */
export interface Seen {
  readonly settings: Pick<BootImageSettings, 'stubs' | 'dryRun' | 'threshold'>
  readonly history: {
    readonly restore: string | undefined
    readonly paused: string | undefined
    readonly details: NonNullable<Status['details']>
    readonly sync: Status['sync']
  }
  /** What the last write of this process came to, where it is known. */
  readonly wroteLast: 'taken' | { readonly failed: string } | undefined
  readonly gates: Gates
  readonly machine: SeenMachine | undefined
  /** The other stub that it could be switched to. */
  readonly stub: Stub | undefined
  readonly managed: Stub | undefined
  /** Who wrote the image there is, where ours did not last. */
  readonly rival: string | undefined
  readonly canary: SeenCanary | undefined
  /** Clones that were made for it and that nothing refers to. */
  readonly leftovers: readonly string[]
}

export interface SeenMachine {
  readonly name: string
  readonly api: 'mapi' | 'capi'
  readonly resource: string
  readonly revision: string
  readonly enrolled: boolean
  readonly pausedBy: string | undefined
  /** Owners that count, as `kind name`. */
  readonly owners: readonly string[]
  /** The MachineDeployment that it belongs to. */
  readonly deployment: string | undefined
  /** Why it is not one of those that are managed here at all. */
  readonly apart: { readonly reason: string; readonly because: string } | undefined
  readonly architecture: FoundArchitecture
  readonly platform: string | undefined
  /** The providerSpec, or what the template holds; undefined where there is none. */
  readonly spec: MachineSpec | undefined
  /** Cluster API: the template that it names. */
  readonly template: { readonly name: string; readonly kind: string; readonly apiVersion: string; readonly found: boolean } | undefined
  /** Whether somebody vouches that its image is a stream's. */
  readonly vouched: boolean
}

/** Where one resource goes first: who, and how far it is. */
export interface SeenCanary {
  readonly us: boolean
  readonly name: string
  readonly state: 'Waiting' | 'Trying' | 'Proven' | 'Failed'
  /** A machine that came of it since it was changed: Ready, failed, or none yet. */
  readonly machine: 'Ready' | 'Failed' | 'None'
}
