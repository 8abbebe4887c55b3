import type { Instant } from './duration.ts'

const shape = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/
const day = 86_400_000

/** Days since 1970-01-01 of a date in the proleptic Gregorian calendar. */
function daysOf(year: number, month: number, date: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + date - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

export function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Reads an RFC 3339 time; undefined where the text is none. Fractions below a millisecond are cut off. */
export function parseInstant(text: string): Instant | undefined {
  const found = shape.exec(text)
  if (!found) return undefined
  const [year, month, date] = [Number(found[1]), Number(found[2]), Number(found[3])]
  const [hour, minute, second] = [Number(found[4]), Number(found[5]), Number(found[6])]
  if (month < 1 || month > 12 || date < 1 || date > daysIn(year, month) || hour > 23 || minute > 59 || second > 60) return undefined
  const [offsetHours, offsetMinutes] = [Number(found[9] ?? 0), Number(found[10] ?? 0)]
  if (offsetHours > 23 || offsetMinutes > 59) return undefined
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (found[8] === '-' ? -1 : 1)
  const millis = Math.floor(Number(`0.${found[7] ?? '0'}`) * 1_000)
  return daysOf(year, month, date) * day + hour * 3_600_000 + minute * 60_000 + second * 1_000 + millis - offset
}

const two = (n: number): string => String(n).padStart(2, '0')

/** Prints a time as Kubernetes does in metadata: UTC, whole seconds; with `fraction`, microseconds as in Leases and Events. */
export function printInstant(instant: Instant, fraction?: 'micro'): string {
  const days = Math.floor(instant / day)
  const rest = instant - days * day
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const date = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const clock = `${two(Math.floor(rest / 3_600_000))}:${two(Math.floor(rest / 60_000) % 60)}:${two(Math.floor(rest / 1_000) % 60)}`
  const micro = fraction ? `.${String(Math.floor((rest % 1_000) * 1_000)).padStart(6, '0')}` : ''
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}T${clock}${micro}Z`
}
