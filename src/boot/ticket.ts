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
const version = 2

/** URL-safe text: the claims, a dot, and half of their HMAC. Short, since it stands in addresses that some firmware cuts at 127 characters. */
export function printTicket(ticket: Ticket, key: Uint8Array): string {
  const { serverUID, configurationUID, generation, attempt, expires, withoutUserData } = ticket
  const numbers = Buffer.alloc(14)
  numbers.writeUIntBE(generation, 0, 4)
  numbers.writeUIntBE(attempt, 4, 4)
  numbers.writeUIntBE(expires, 8, 6)
  const head = Buffer.from([version, withoutUserData ? 1 : 0])
  const claims = Buffer.concat([head, numbers, packUid(serverUID), packUid(configurationUID)]).toString('base64url')
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
  createHmac('sha256', key).update('rackwright boot ticket\n').update(claims).digest().subarray(0, 16)

function read(claims: string): Ticket | undefined {
  const bytes = Buffer.from(claims, 'base64url')
  if (bytes.length < 16 || bytes[0] !== version || bytes[1]! > 1) return undefined
  const server = unpackUid(bytes, 16)
  const configuration = server && unpackUid(bytes, server.next)
  if (!configuration || configuration.next !== bytes.length) return undefined
  return {
    serverUID: server.uid,
    configurationUID: configuration.uid,
    generation: bytes.readUIntBE(2, 4),
    attempt: bytes.readUIntBE(6, 4),
    expires: bytes.readUIntBE(10, 6),
    ...(bytes[1] === 1 ? { withoutUserData: true } : {}),
  }
}

const uuid = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/

/** UIDs are UUIDs wherever we have met them; any other text is kept as it is, with its length before it. */
function packUid(uid: string): Buffer {
  const found = uuid.exec(uid)
  if (found) return Buffer.concat([Buffer.from([0]), Buffer.from(found.slice(1).join(''), 'hex')])
  const text = Buffer.from(uid)
  return Buffer.concat([Buffer.from([Math.min(text.length, 255)]), text.subarray(0, 255)])
}

function unpackUid(bytes: Buffer, at: number): { readonly uid: string; readonly next: number } | undefined {
  const length = bytes[at]
  if (length === undefined) return undefined
  const next = at + 1 + (length || 16)
  if (next > bytes.length) return undefined
  if (length > 0) return { uid: bytes.toString('utf8', at + 1, next), next }
  const hex = bytes.toString('hex', at + 1, next)
  return { uid: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`, next }
}

/** A path as it may stand in a log: a ticket is a secret as long as its attempt is open. */
export const withoutTicket = (path: string): string => path.replace(/[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}/g, '<ticket>')
