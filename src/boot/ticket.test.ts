import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkTicket, printTicket, type Ticket } from './ticket.ts'

const key = Buffer.alloc(32, 7)
const ticket: Ticket = { serverUID: 'server', configurationUID: 'configuration', generation: 3, attempt: 2, expires: 1_000 }

describe('a boot ticket', () => {
  it('S9 is good until it expires, and says what it is for', () => {
    expect(checkTicket(printTicket(ticket, key), key, 999)).toEqual({ good: true, ticket })
    expect(checkTicket(printTicket(ticket, key), key, 1_000)).toEqual({ good: false, because: 'expired' })
  })
  it('S9 of another key is forged', () => {
    expect(checkTicket(printTicket(ticket, Buffer.alloc(32, 8)), key, 0)).toEqual({ good: false, because: 'forged' })
  })
  it('S9 is void after any change of any character', () => {
    const text = printTicket(ticket, key)
    const good = [...text].flatMap((_, i) => {
      const changed = `${text.slice(0, i)}${text[i] === 'A' ? 'B' : 'A'}${text.slice(i + 1)}`
      // The last character of base64url holds bits that decode to nothing: only the bytes count.
      return changed !== text && checkTicket(changed, key, 0).good ? [i] : []
    })
    expect(good.filter(i => i !== text.length - 1)).toEqual([])
  })
  it('never throws, whatever it is', () => {
    fc.assert(fc.property(fc.string(), text => !checkTicket(text, key, 0).good))
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => !checkTicket(`${a}.${b}`, key, 0).good))
  })
  it('fits into a URL as it is', () => expect(printTicket(ticket, key)).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/))
})
