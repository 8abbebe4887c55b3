import type { Instant, Millis } from '../../../core/duration.ts'
import type { StatusPatch } from '../../../core/plan.ts'
import type { LastScan } from '../../../policy/firmware/scan-due.ts'
import type { PowerState } from '../../../ports/bmc.ts'
import type { Difference, Program, TargetStatus } from './subject.ts'

/** Everything a decision about a ServerBIOS or a ServerFirmware rests on. */
export interface Seen {
  readonly target: {
    readonly name: string
    readonly generation: number
    readonly deleting: boolean
    readonly deletingFor: Millis
    readonly known: boolean
    readonly scan: Omit<LastScan, 'now'>
    readonly differences: readonly Difference[]
    readonly surplus: StatusPatch
    readonly lastJob: TargetStatus['lastJob']
    readonly lastJobFor: Millis
    /** Of updates, and of scans: the one says nothing about the other. */
    readonly trouble: SeenTrouble | undefined
    readonly scanTrouble: SeenTrouble | undefined
    readonly counted: number
    readonly retryAsked: boolean
    readonly scanAsked: boolean
    /** What the conditions say, by type. */
    readonly stands: Readonly<Record<string, string>>
  }
  /** The server that it was made for, where its `serverRef` was changed since. */
  readonly movedFrom: string | undefined
  /** An older object for the same server. */
  readonly rival: string | undefined
  readonly server: SeenServer | undefined
  /** The Job that the status names, or that was made and is not named yet. */
  readonly job: SeenJob | undefined
  /** What the next Job is called, by its program. */
  readonly names: Readonly<Record<string, string>>
  readonly runner: { readonly name: string; readonly image: string; readonly namespace: string } | undefined
  /** How many Jobs run, where that is as many as may. */
  readonly full: number | undefined
  /** Read only where a job has left the machine to us. */
  readonly machine: SeenMachine | undefined
}

export type SeenTrouble = NonNullable<TargetStatus['trouble']> & {
  /** When it may be tried again, as far as that is a time. */
  readonly retryAt: Instant | undefined
  readonly retryFor: Millis
}

export interface SeenServer {
  readonly name: string
  readonly state: string
  readonly claim: string | undefined
  readonly deleting: boolean
  readonly power: string | undefined
  /** Whether it refers back to this object. */
  readonly refers: boolean
  /** Who updates it: nobody, a job of this object, or another's. */
  readonly updater: { readonly job: string; readonly ours: boolean } | undefined
  /** The maintenance that holds it; `ours` where a set made it for this object. */
  readonly maintenance: { readonly namespace: string; readonly name: string; readonly ours: boolean } | undefined
}

export interface SeenJob {
  readonly name: string
  readonly namespace: string
  readonly program: Program
  /** False where it was made and the status does not name it yet. */
  readonly named: boolean
  readonly is: 'pending' | 'running' | 'complete' | 'failed' | 'gone' | 'foreign'
  readonly image: string
  /** What Kubernetes says about it. */
  readonly message: string | undefined
}

export type SeenMachine =
  | { readonly is: 'there'; readonly busy: boolean; readonly power: PowerState; readonly onFor: Millis }
  | { readonly is: 'silent'; readonly because: string }
