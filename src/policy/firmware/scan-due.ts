import { type Instant, type Millis, minutes, seconds } from '../../core/duration.ts'
import { parseInstant } from '../../core/instant.ts'

/** Reads `30` and `"30m"`; undefined for anything else (the schema lets nothing else in). */
export function scanPeriod(written: string | number | undefined): Millis | undefined {
  const text = String(written ?? 30)
  return /^[1-9]\d{0,5}m?$/.test(text) ? minutes(Number.parseInt(text, 10)) : undefined
}

export interface LastScan {
  readonly period: Millis
  readonly lastScanTime: string | undefined
  /** For how long this process has seen that time stand there, by the clock that never jumps. */
  readonly seenFor: Millis
  readonly now: Instant
  /** 0 to 1, the same for an object all its life: where in a period its turn is. */
  readonly turn: number
  /** Where it is one of many that have never been scanned: since when it is there. Otherwise its first scan is due at once. */
  readonly inLineSince?: Instant | undefined
}

/** So many may have their first scan at once; of more each waits for its turn. */
export const firstAtOnce = 64
/** Nobody waits longer for a first scan than this, or than a period. */
const longestLine = minutes(30)

export type ScanDue = { readonly due: true; readonly because: string } | { readonly due: false; readonly in: Millis }

/**
 * A scan is due when the last one is a period old, or earlier, when the object's turn in the period has come: so thousands of objects that
 * were made together are spread over it. Turns only bring scans forward. A time in the future neither freezes scans nor repeats them:
 * what counts then is how long it has been standing there.
 */
export function scanDue({ period, lastScanTime, seenFor, now, turn, inLineSince }: LastScan): ScanDue {
  if (lastScanTime === undefined) {
    const left = inLineSince === undefined ? 0 : untilFirst(inLineSince, Math.min(period, longestLine), turn, seenFor, now)
    return left > 0 ? { due: false, in: left } : { due: true, because: 'the server has not been asked yet' }
  }
  const last = parseInstant(lastScanTime)
  if (last === undefined) return { due: true, because: `the time of the last scan, ${lastScanTime}, is no time` }
  const left = last > now ? period - seenFor : Math.min(nextTurn(last, period, turn) - now, period - seenFor)
  return left > 0 ? { due: false, in: left } : { due: true, because: `the last scan was at ${lastScanTime}` }
}

/** The turn that it will have in every period: so its next scan is a whole one later. */
function untilFirst(since: Instant, line: Millis, turn: number, seenFor: Millis, now: Instant): Millis {
  const phase = Math.floor(turn * line)
  const wait = (((phase - since) % line) + line) % line
  return Math.min(since + wait - now, line - seenFor)
}

function nextTurn(last: Instant, period: Millis, turn: number): Instant {
  const phase = Math.floor(turn * period)
  const latest = last + period
  const back = (((latest - phase) % period) + period) % period
  // A turn right after the last scan is skipped: a job whose clock is a little slow would otherwise be started again and again.
  return period - back < Math.min(seconds(15), period / 20) ? latest : latest - back
}
