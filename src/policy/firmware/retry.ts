import { type Millis, minutes } from '../../core/duration.ts'

/** An update that failed so often for one wish waits for another wish, or for somebody who asks for it. Scans never give up. */
export const updateTries = 5

/** After how long a job that failed is tried again; undefined where only a change leads on. */
export const retryAfter = (failures: number, scan: boolean): Millis | undefined =>
  !scan && failures >= updateTries ? undefined : Math.min(minutes(2 ** (failures - 1)), minutes(60))
