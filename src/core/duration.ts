/** Milliseconds since the epoch, from a Clock. */
export type Instant = number
export type Millis = number

export const seconds = (n: number): Millis => n * 1_000
export const minutes = (n: number): Millis => n * 60_000
export const hours = (n: number): Millis => n * 3_600_000
