import type { Millis } from '../core/duration.ts'
import { parseInstant } from '../core/instant.ts'
import type { Clock } from '../ports/index.ts'
import type { Attempt } from './attempts.ts'
import { fetchOf } from './facts.ts'
import type { Facts, What } from './kinds.ts'

/** How long ago something was fetched whole, in the time that never jumps; what was done before us, by the wall as we found it. */
export interface Ages {
  done(attempt: Attempt, what: What): void
  of(attempt: Attempt, facts: Facts, what: What): Millis | undefined
}

const remembered = 10_000

export function openAges(clock: Pick<Clock, 'now' | 'elapsed'>): Ages {
  const times = new Map<string, Millis>()
  const keyOf = ({ configurationUID, number }: Attempt, what: What): string => `${configurationUID}/${number}/${what}`
  const remember = (key: string, at: Millis): Millis => {
    times.set(key, at)
    if (times.size > remembered) times.delete(times.keys().next().value!)
    return at
  }
  return {
    done(attempt, what) {
      const key = keyOf(attempt, what)
      if (!times.has(key)) remember(key, clock.elapsed())
    },
    of(attempt, facts, what) {
      const key = keyOf(attempt, what)
      const { done } = fetchOf(facts, what) ?? {}
      if (done === undefined && !times.has(key)) return undefined
      const at = times.get(key) ?? remember(key, clock.elapsed() - Math.max(0, clock.now() - (parseInstant(done!) ?? 0)))
      return clock.elapsed() - at
    },
  }
}
