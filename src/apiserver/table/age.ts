import type { Instant, Millis } from '../../core/duration.ts'
import { parseInstant } from '../../core/instant.ts'

const both = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`

/** A span as kubectl's users know it: two units while the larger one is small, `<invalid>` for the future. */
export function spanText(span: Millis): string {
  const seconds = Math.trunc(span / 1_000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return both(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return both(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (days < 8) return both(days, 'd', hours % 24, 'h')
  if (days < 730) return `${days}d`
  const years = Math.floor(days / 365)
  return years < 8 ? both(years, 'y', days % 365, 'd') : `${years}y`
}

/** How long ago a time in an object was. */
export function ageText(time: unknown, now: Instant): string {
  if (time === undefined || time === null || time === '') return '<unknown>'
  const instant = typeof time === 'string' ? parseInstant(time) : undefined
  return instant === undefined ? '<invalid>' : spanText(now - instant)
}
