import { type Millis, seconds } from '../core/duration.ts'
import type { Ids } from '../ports/index.ts'

const first = 800
const longest = seconds(30)

/** How long to wait after the n-th failure in a row (from 1): doubling, and spread so that a fleet does not come back in step. */
export function backoff(failures: number, ids: Ids): Millis {
  const whole = Math.min(longest, first * 2 ** Math.min(failures - 1, 16))
  return Math.round(whole * (0.5 + fraction(ids) / 2))
}

/** A number from 0 up to 1. */
export const fraction = (ids: Ids): number => Buffer.from(ids.nonce(4), 'base64url').readUInt32BE() / 2 ** 32
