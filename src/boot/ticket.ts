import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../core/duration.ts'

/** The right to fetch what one boot attempt of one server needs. Nothing secret is stored: whoever has the key can check it. */
export interface Ticket {
  readonly serverUID: string
  readonly configurationUID: string
  readonly generation: number
  readonly attempt: number
  readonly expires: Instant
  /** Set where the one who got it is known too little for user data. */
  readonly withoutUserData?: true
}

export type Checked = { readonly good: true; readonly ticket: Ticket } | { readonly good: false; readonly because: 'malformed' | 'forged' }

const longest = 1_024

/** URL-safe text: the claims, a dot, and their HMAC. */
export function printTicket(ticket: Ticket, key: Uint8Array): string {
  const { serverUID, configurationUID, generation, attempt, expires, withoutUserData } = ticket
  const parts = [1, serverUID, configurationUID, generation, attempt, expires, ...(withoutUserData ? [0] : [])]
  const claims = Buffer.from(JSON.stringify(parts)).toString('base64url')
  return `${claims}.${sign(claims, key).toString('base64url')}`
}

/**
 * The signature is compared in constant time and before anything inside is looked at. Whether the attempt is still open is not
 * for the wall to say: the boot server asks its own view, whose time does not jump.
 */
export function readTicket(text: string, key: Uint8Array): Checked {
  const dot = text.indexOf('.')
  if (text.length > longest || dot < 1) return { good: false, because: 'malformed' }
  const claims = text.slice(0, dot)
  const shown = Buffer.from(text.slice(dot + 1), 'base64url')
  const expected = sign(claims, key)
  if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) return { good: false, because: 'forged' }
  const ticket = read(claims)
  return ticket ? { good: true, ticket } : { good: false, because: 'malformed' }
}

const sign = (claims: string, key: Uint8Array): Buffer =>
  createHmac('sha256', key).update('rackwright boot ticket\n').update(claims).digest()

function read(claims: string): Ticket | undefined {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  if (!Array.isArray(value)) return undefined
  const [version, serverUID, configurationUID, generation, attempt, expires, userData] = value as unknown[]
  const whole = [generation, attempt, expires].every(Number.isSafeInteger)
  if (version !== 1 || typeof serverUID !== 'string' || typeof configurationUID !== 'string' || !whole) return undefined
  const rest = { generation: generation as number, attempt: attempt as number, expires: expires as number }
  return { serverUID, configurationUID, ...rest, ...(userData === undefined ? {} : { withoutUserData: true }) }
}

/** A path as it may stand in a log: a ticket is a secret as long as its attempt is open. */
export const withoutTicket = (path: string): string => path.replace(/[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}/g, '<ticket>')
