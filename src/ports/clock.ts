import type { Instant, Millis } from '../core/duration.ts'

/** Time as a port: the wall in main, virtual or paced in the simulation. */
export interface Clock {
  now(): Instant
  /** Milliseconds since some start of this clock's own. Never jumps and never goes back, so spans and safety holds are measured with it. */
  elapsed(): Millis
  /** Calls back once after `ms`; the returned function cancels. The only timer there is. */
  after(ms: Millis, then: () => void): () => void
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: Millis, signal?: AbortSignal): Promise<void>
}
