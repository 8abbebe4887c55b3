import type { Instant, Millis } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import { type Timeline, timeline } from './timeline.ts'
import { turn } from './virtual.ts'

export interface PacedOptions {
  /** Wall time, so that certificates and tokens, which know no other, are valid. */
  readonly start: Instant
  /** Why time must stand still, as a sentence; undefined where it may pass. */
  readonly holds: () => string | undefined
  /** Wall time, for the patience. */
  readonly wall: () => Millis
  /** How much wall time may go by while simulated time stands. */
  readonly patience?: Millis
}

/** So many turns of the event loop must go by in a row with nothing in the way: what one turn begins, the next shows. */
const quietTurns = 5

/**
 * Time over real sockets: it goes to the next timer only when nothing is under way. Whatever takes wall time takes no time here, so an hour
 * of waiting passes in the blink that its requests need.
 */
export function pacedClock({ start, holds, wall, patience = 90_000 }: PacedOptions): Timeline {
  const settle = async (): Promise<void> => {
    const began = wall()
    for (let quiet = 0; quiet < quietTurns; ) {
      await turn()
      const why = holds()
      quiet = why === undefined ? quiet + 1 : 0
      if (why !== undefined && wall() - began > patience)
        throw new Fault('sim/stands', `Cannot let time pass: ${why}, for more than ${patience / 1_000} s`, 'never')
    }
  }
  return timeline({ start, settle })
}
