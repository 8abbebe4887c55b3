import { minutes, seconds } from '../../core/duration.ts'
import type { Limits } from '../../net/body/limits.ts'

/** A BMC is a small computer that anybody may have broken into: nothing of it is taken without a bound. */
export const bodyLimits: Limits = { bytes: 4 * 1024 * 1024, depth: 64, keys: 400_000 }

/** The largest real collections (firmware, logs left out) have a few hundred members. */
export const mostMembers = 2_000
export const mostPages = 100

export type Verb = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** BMCs hold BIOS writes for over a minute before they answer; reads that take so long will not come at all. */
export const patience: Readonly<Record<Verb | 'UPLOAD', number>> = {
  GET: seconds(30),
  POST: seconds(90),
  PATCH: seconds(90),
  DELETE: seconds(15),
  UPLOAD: minutes(30),
}
