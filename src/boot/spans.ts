import type { Instant, Millis } from '../core/duration.ts'
import { parseInstant } from '../core/instant.ts'
import type { Clock } from '../ports/index.ts'

interface Noted {
  readonly attempt: number
  readonly opened: string
  readonly expires: string
}

interface Span {
  readonly attempt: number
  readonly expires: Instant
  /** In the time that never jumps. */
  readonly ends: Millis
}

/**
 * How long attempts last, measured with the clock that never jumps: an hour more or less on the wall neither ends a boot nor
 * prolongs it. Only for an attempt that was there before us the wall says how much of it is left.
 */
export interface Spans {
  see(server: string, noted: Noted, live: boolean): void
  isOver(server: string, attempt: number): boolean
  forget(server: string): void
}

export function openSpans(clock: Pick<Clock, 'now' | 'elapsed'>): Spans {
  const spans = new Map<string, Span>()
  return {
    see(server, noted, live) {
      const [opened, expires] = [parseInstant(noted.opened), parseInstant(noted.expires)]
      if (opened === undefined || expires === undefined) return
      const before = spans.get(server)
      if (before?.attempt === noted.attempt) {
        if (before.expires !== expires) spans.set(server, { ...before, expires, ends: before.ends + (expires - before.expires) })
        return
      }
      const whole = expires - opened
      const left = live ? whole : Math.min(whole, expires - clock.now())
      spans.set(server, { attempt: noted.attempt, expires, ends: clock.elapsed() + left })
    },
    isOver(server, attempt) {
      const span = spans.get(server)
      return span?.attempt !== attempt || clock.elapsed() >= span.ends
    },
    forget: server => void spans.delete(server),
  }
}
