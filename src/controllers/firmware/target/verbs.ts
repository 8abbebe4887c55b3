import type { Release } from '../../../core/plan.ts'
import type { Program } from './subject.ts'

/** What is written for a ServerBIOS or a ServerFirmware. Nothing here reaches hardware: jobs do. */
export type Verb =
  /** Says on the Server which object is about it. */
  | { readonly do: 'refer' }
  /** Takes that back. */
  | { readonly do: 'unrefer' }
  /** Compare-and-set on the Server: it is free, and from now on a job's. */
  | {
      readonly do: 'hold'
      readonly job: string
      readonly maintenance?: { readonly namespace: string; readonly name: string } | undefined
    }
  /** Gives it back. */
  | { readonly do: 'letGo' }
  | { readonly do: 'createJob'; readonly program: Program; readonly job: string }
  | { readonly do: 'deleteJob'; readonly namespace: string; readonly job: string }
  | { readonly do: 'takeOperation' }
  | Release
