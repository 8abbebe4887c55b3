import { type Millis, minutes, seconds } from '../core/duration.ts'
import type { Ids } from '../ports/index.ts'

const first = seconds(1)
const longest = minutes(5)

/** How long to wait after the n-th failure in a row (from 1): doubling, and spread so that a fleet does not come back in step. */
export function backoff(failures: number, ids: Ids): Millis {
  const whole = Math.min(longest, first * 2 ** Math.min(failures - 1, 16))
  const fraction = Buffer.from(ids.nonce(4), 'base64url').readUInt32BE() / 2 ** 32
  return Math.round(whole * (0.75 + fraction / 4))
}
