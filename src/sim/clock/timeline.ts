import type { Instant, Millis } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import type { Clock } from '../../ports/index.ts'
import { sleeping } from './sleep.ts'
import { openTimers } from './timers.ts'

/** Time that passes only when somebody lets it. Every clock of a simulated world is a view of one timeline. */
export interface Timeline extends Clock {
  readonly timers: number
  /** Lets everything happen that can happen without time passing. */
  settle(): Promise<void>
  /** Goes to the next timer and fires it; false where there is none up to `until` (measured as `elapsed`), which is then the time. */
  advance(until: Millis): boolean
}

export interface TimelineOptions {
  readonly start: Instant
  /** Resolves when nothing moves any more at this instant. */
  readonly settle: () => Promise<void>
}

/** A world that fires this many timers without a millisecond going by is not waiting for anything: it spins. */
const spinning = 20_000

export function timeline({ start, settle }: TimelineOptions): Timeline {
  const timers = openTimers()
  let elapsed: Millis = 0
  let firedNow = 0

  const after: Clock['after'] = (ms, then) => timers.add(elapsed + Math.max(0, Number.isNaN(ms) ? 0 : ms), then)
  return {
    now: () => start + elapsed,
    elapsed: () => elapsed,
    after,
    sleep: sleeping(after),
    get timers() {
      return timers.size
    },
    settle,
    advance(until) {
      const next = timers.take(until)
      if (!next) {
        if (elapsed < until) firedNow = 0
        elapsed = Math.max(elapsed, until)
        return false
      }
      if (next.due > elapsed) {
        elapsed = next.due
        firedNow = 0
      } else if (++firedNow > spinning) {
        throw new Fault('sim/spins', `Cannot let time pass: ${spinning} timers fired at ${start + elapsed} and there are more`, 'never')
      }
      next.fire()
      return true
    },
  }
}
