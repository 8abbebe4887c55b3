import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseInstant, printInstant } from './instant.ts'

it('parseInstant() agrees with the platform on every date it accepts', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }), date => {
      expect(parseInstant(date.toISOString())).toBe(date.getTime())
      expect(printInstant(date.getTime())).toBe(`${date.toISOString().slice(0, 19)}Z`)
    }),
  )
})

it('parseInstant() reads offsets and fractions', () => {
  expect(parseInstant('2026-01-02T03:04:05.678+02:30')).toBe(Date.parse('2026-01-02T03:04:05.678+02:30'))
  expect(parseInstant('2026-01-02T03:04:05.123456789Z')).toBe(Date.parse('2026-01-02T03:04:05.123Z'))
  expect(printInstant(Date.parse('2026-01-02T03:04:05.678Z'), 'micro')).toBe('2026-01-02T03:04:05.678000Z')
})

it.each(['', '2026-02-30T00:00:00Z', '2026-01-01', '2026-13-01T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01 00:00:00Z', 'yesterday'])(
  'parseInstant() takes %j for no time',
  text => expect(parseInstant(text)).toBeUndefined(),
)
