import type { BootPolicy } from '../../../policy/boot/policy.ts'
import type { Match } from '../../../policy/claim/match.ts'
import type { SeenImage } from '../image-problem.ts'

/** Everything a decision about a claim rests on. */
export interface Seen {
  readonly claim: {
    readonly name: string
    readonly deleting: boolean
    readonly image: string
    readonly policy: BootPolicy
    readonly serverRef: string | undefined
    /** Its server was installed for it before, and what said so is gone. */
    readonly installedBefore: boolean
    readonly binding: { readonly server: string; readonly serverUID: string } | undefined
  }
  /** The server that the claim noted, has, or was told to take. */
  readonly server: SeenServer | undefined
  /** Which server a claim without one could take. */
  readonly match: Match | undefined
  /** What the image was found to be; undefined where it does not matter now. */
  readonly image: SeenImage | undefined
  readonly configuration: SeenConfiguration | undefined
}

export interface SeenServer {
  readonly name: string
  readonly uid: string
  readonly taken: 'free' | 'us' | 'other'
  /** Whether a claim could take it right now. */
  readonly available: boolean
}

export interface SeenConfiguration {
  /** False where an object of that name belongs to somebody else. */
  readonly ours: boolean
  readonly provisioned: boolean
  /** Whether it says what the claim says now. */
  readonly current: boolean
}
