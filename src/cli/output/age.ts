import type { Instant, Millis } from '../../core/duration.ts'
import { parseInstant } from '../../core/instant.ts'

/** A span as people say it: 42s, 5m, 3h20m, 12d. */
export function span(ms: Millis): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 120) return minutes < 10 && seconds % 60 > 0 ? `${minutes}m${seconds % 60}s` : `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 > 0 ? `${hours}h${minutes % 60}m` : `${hours}h`
  return `${Math.floor(hours / 24)}d`
}

/** How long ago a time of the API was; nothing where there is none. */
export function since(text: string | undefined, now: Instant): string {
  const at = text === undefined ? undefined : parseInstant(text)
  return at === undefined ? '' : span(now - at)
}

/** The time of day, for lines in the order of a story. */
export const clockTime = (at: Instant): string => new Date(at).toISOString().slice(11, 19)
