import type { BootPolicy } from '../../../policy/boot/policy.ts'
import type { SeenImage } from '../image-problem.ts'

/** Everything a maintenance is decided from. */
export interface Seen {
  readonly maintenance: {
    readonly name: string
    readonly namespace: string
    readonly deleting: boolean
    readonly enforced: boolean
    readonly server: string
    /** What it boots; undefined where it has no template. */
    readonly boot: { readonly configuration: string; readonly image: string | undefined; readonly policy: BootPolicy } | undefined
    /** The server that the template names, where it names one. */
    readonly templateServer: string | undefined
  }
  readonly server: SeenServer | undefined
  /** Of the maintenances that may begin, the one whose turn it is, this one included. */
  readonly next: { readonly name: string; readonly us: boolean } | undefined
  /** Looked at only where it matters. */
  readonly image: SeenImage | undefined
  readonly configuration: { readonly ours: boolean; readonly current: boolean; readonly problem: string | undefined } | undefined
}

export interface SeenServer {
  readonly name: string
  readonly state: string | undefined
  readonly deleting: boolean
  /** The job that writes its firmware. */
  readonly updater: string | undefined
  readonly holder: 'us' | 'nobody' | { readonly name: string }
  readonly configurationNamed: boolean
  readonly claim: SeenClaim | undefined
}

export interface SeenClaim {
  readonly namespace: string
  readonly name: string
  /** Whether its owner was asked. */
  readonly asked: boolean
  readonly approved: boolean
  /** Whether another maintenance still needs its owner's word. */
  readonly wantedByOthers: boolean
}
