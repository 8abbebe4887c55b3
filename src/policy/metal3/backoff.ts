import { type Millis, minutes } from '../../core/duration.ts'

/** How long a host rests after so many failures in a row: a minute, doubling to about eight hours. */
export const backoffAfter = (failures: number): Millis => (failures <= 0 ? 0 : minutes(2 ** (Math.min(failures, 9) - 1)))
