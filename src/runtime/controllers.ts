import type { Instant, Millis } from '../core/duration.ts'
import type { KubeObject } from '../core/object.ts'
import type { Action } from '../core/plan.ts'
import type { Clock, ControllerKube, Ids, Index, Kube, Log, ObjectKey, Reconciler, ResourceRef } from '../ports/index.ts'

export interface ControllersOptions {
  readonly kube: Kube
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Names this run of this process in Leases and Events; two that run at once never share it. */
  readonly identity: string
  /** Which Lease makes one of several processes the one that acts. Left out: this process is the only one. */
  readonly lease?: LeaseOptions
  readonly indexes?: readonly Index[]
  /** Reconciles of one controller that may be under way at once; 256 unless told. */
  readonly workers?: number
  /** How long an observe or one action may take before its signal fires and it counts as failed; two minutes unless told. */
  readonly deadline?: Millis
}

export interface LeaseOptions {
  readonly namespace: string
  readonly name: string
  /** How long the lease holds after a renewal; 12 seconds unless told. */
  readonly duration?: Millis
}

/** A set of controllers over one API server: shared caches, one queue each, one leader. */
export interface Controllers {
  /** Before `start` only. */
  add<O extends KubeObject, Seen, A extends Action>(make: (kube: ControllerKube) => Reconciler<O, Seen, A>): void
  start(): void
  /** No new reconciles; running ones finish, or are aborted after `within` (30 seconds unless told); the lease is released. */
  stop(within?: Millis): Promise<void>
  /** The last reasons given for an object, oldest first: at most twenty. */
  history(of: ResourceRef, key: ObjectKey): readonly HistoryLine[]
  /**
   * Nothing to do at this instant: nothing due, nothing running, every write shown by the caches. Time may move on. A cache whose watch is
   * interrupted does not count, as only time brings it back; see `activity` where more is known about what the running ones wait for.
   */
  settled(): boolean
  /** What stands in the way of `settled`, and how far the caches are. */
  activity(): Activity
  /** Prometheus' text. */
  metrics(): Promise<string>
  health(): Health
}

export interface HistoryLine {
  readonly controller: string
  /** When it was first and last said without anything else in between. */
  readonly at: Instant
  readonly until: Instant
  readonly because: string
}

export interface Activity {
  /** Keys that are due now. */
  readonly queued: number
  /** Keys whose reconcile is under way, waiting for an answer perhaps. */
  readonly running: number
  /** Keys that wait until the caches show what was written. */
  readonly parked: number
  /** Writes of our own that the caches do not show yet. */
  readonly unseen: number
  /** Keys that wait for a time. */
  readonly timers: number
  /** Requests of Events and Leases under way. */
  readonly writing: number
  readonly caches: readonly CacheState[]
}

export interface CacheState {
  readonly of: ResourceRef
  /** The whole state was told, and nothing is missing for now. */
  readonly complete: boolean
  /** Why nothing is heard, while that is so. */
  readonly interrupted: string | undefined
  /** Everything up to here is in the cache. */
  readonly revision: string | undefined
  readonly objects: number
}

export interface Health {
  readonly ok: boolean
  readonly leader: boolean
  /** One sentence for everything that is not as it should be. */
  readonly because: readonly string[]
}
