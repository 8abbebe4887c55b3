import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printTicket, readTicket, type Ticket } from './ticket.ts'

const key = Buffer.alloc(32, 7)
const ticket: Ticket = { serverUID: 'server', configurationUID: 'configuration', generation: 3, attempt: 2, expires: 1_000 }

describe('a boot ticket', () => {
  it('S9 says what it is for, and whether user data is part of it', () => {
    expect(readTicket(printTicket(ticket, key), key)).toEqual({ good: true, ticket })
    const limited: Ticket = { ...ticket, withoutUserData: true }
    expect(readTicket(printTicket(limited, key), key)).toEqual({ good: true, ticket: limited })
  })
  it('S9 of another key is forged', () => {
    expect(readTicket(printTicket(ticket, Buffer.alloc(32, 8)), key)).toEqual({ good: false, because: 'forged' })
  })
  it('S9 is void after any change of any character', () => {
    const text = printTicket(ticket, key)
    const good = [...text].flatMap((_, i) => {
      const changed = `${text.slice(0, i)}${text[i] === 'A' ? 'B' : 'A'}${text.slice(i + 1)}`
      // The last character of base64url holds bits that decode to nothing: only the bytes count.
      return changed !== text && readTicket(changed, key).good ? [i] : []
    })
    expect(good.filter(i => i !== text.length - 1)).toEqual([])
  })
  it('keeps what it is made of, whatever that is', () => {
    const uid = fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 40 }))
    const whole = fc.record({
      serverUID: uid,
      configurationUID: uid,
      generation: fc.nat(),
      attempt: fc.nat(),
      expires: fc.maxSafeNat().map(n => n % 2 ** 47),
    })
    fc.assert(
      fc.property(whole, given => {
        expect(readTicket(printTicket(given, key), key)).toEqual({ good: true, ticket: given })
      }),
    )
  })
  it('leaves room in 127 characters for the rest of an address', () => {
    const uids = { serverUID: '38947555-7742-3448-3784-823347823834', configurationUID: '38947555-7742-3448-3784-823347823834' }
    expect(printTicket({ ...ticket, ...uids }, key).length).toBeLessThanOrEqual(90)
  })
  it('never throws, whatever it is', () => {
    fc.assert(fc.property(fc.string(), text => !readTicket(text, key).good))
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => !readTicket(`${a}.${b}`, key).good))
  })
  it('fits into a URL as it is', () => expect(printTicket(ticket, key)).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/))
})
