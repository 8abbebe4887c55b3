import type { Release } from '../../../core/plan.ts'
import type { RolloutRules, RolloutState } from '../../../policy/firmware/rollout.ts'

/** Everything a rollout is decided from. */
export interface Seen {
  readonly set: {
    readonly name: string
    readonly deleting: boolean
    readonly revision: string
    readonly rules: RolloutRules
    readonly allowDowngrade: boolean
    readonly maintenancePolicy: 'OwnerApproval' | 'Enforced' | undefined
    readonly resumeAsked: boolean
  }
  /** What stands in its status, where that is about the same wish. */
  readonly state: RolloutState & { readonly pausedSince: string | undefined; readonly pausedFor: string | undefined }
  readonly servers: readonly SeenServer[]
  /** Members whose server is not selected any more, or has an object of somebody's own. */
  readonly surplus: readonly string[]
  /** Servers that are not selected any more and have a maintenance of this set; `updating` while a job has them in it. */
  readonly strays: readonly { readonly server: string; readonly updating: boolean }[]
}

export interface SeenServer {
  readonly name: string
  readonly group: string
  readonly state: string
  readonly claimed: boolean
  /** An object for it that is not of this set. */
  readonly other: string | undefined
  readonly member:
    | {
        readonly name: string
        readonly uid: string
        readonly known: boolean
        /** Whether its scans fail. */
        readonly mute: boolean
        readonly told: boolean
        /** Whether nothing would change if it were told, or has been. */
        readonly asWanted: boolean
        readonly inSync: boolean
        readonly downgrade: string | undefined
        readonly failure: string | undefined
        readonly says: string | undefined
        readonly updating: boolean
        /** Whether it is scanned as often as the set says. */
        readonly inPace: boolean
      }
    | undefined
  /** The maintenance that this set made for it. */
  readonly maintenance: { readonly name: string; readonly deleting: boolean } | undefined
}

export type Verb =
  | { readonly do: 'createMember'; readonly server: string }
  /** Its turn has come. */
  | { readonly do: 'tell'; readonly member: string }
  /** As often as the set says, and nothing else of its wish. */
  | { readonly do: 'pace'; readonly member: string }
  | { readonly do: 'deleteMember'; readonly member: string }
  | { readonly do: 'createMaintenance'; readonly server: string; readonly uid: string; readonly policy: 'OwnerApproval' | 'Enforced' }
  | { readonly do: 'deleteMaintenance'; readonly server: string }
  | { readonly do: 'takeOperation' }
  | Release
