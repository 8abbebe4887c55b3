/** Randomness as a port: seeded in the simulation, cryptographic in main. */
export interface Ids {
  /** A version-4 UUID. */
  uid(): string
  /** `length` lower-case letters and digits that are easy to tell apart, for generateName. */
  suffix(length: number): string
  /** `bytes` bytes nobody can guess, as base64url. */
  nonce(bytes: number): string
}
