import type { Instant, Millis } from '../../core/duration.ts'
import type { RunState } from '../../ports/jobs.ts'
import type { Verdict } from './exit-policy.ts'

/** What is known of a Job at one look. */
export interface Seen {
  readonly deleting: boolean
  readonly end: 'Complete' | 'Failed' | undefined
  /** When it ended, where it has. */
  readonly ended: Instant | undefined
  readonly ttl: Millis | undefined
  /** Why it cannot run on this host. */
  readonly notHere: string | undefined
  readonly toldNotHere: boolean
  readonly suspend: boolean
  /** What the condition Suspended says. */
  readonly suspended: boolean | undefined
  readonly active: boolean
  readonly startTime: Instant | undefined
  readonly deadline: Millis | undefined
  readonly failed: number
  readonly backoffLimit: number
  readonly run: RunState
  /** What the exit code means, where the run has ended with one. */
  readonly verdict: Verdict | undefined
  /** For how long this host has found it so. */
  readonly runsFor: Millis
  readonly restsFor: Millis
}

export type Verb = { readonly do: 'start'; readonly attempt: number } | { readonly do: 'stop' } | { readonly do: 'delete' }
