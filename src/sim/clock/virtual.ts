import { type Timeline, type TimelineOptions, timeline } from './timeline.ts'

/** 2026-01-01T00:00:00Z: a start that reads well in logs and lies on a whole second. */
export const firstInstant = 1_767_225_600_000

/** One turn of the event loop: by its end the microtask queue has run dry. */
export const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/**
 * Time in a world where nothing ends outside the microtask queue: one turn of the event loop settles everything, then the next timer is
 * due at once. An hour of waiting costs nothing, and the same seed is the same run.
 */
export const virtualClock = ({ start = firstInstant, settle = turn }: Partial<TimelineOptions> = {}): Timeline =>
  timeline({ start, settle })
