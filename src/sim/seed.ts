import type { Ids } from '../ports/index.ts'

/** Chance that repeats itself: the same seed, the same numbers. */
export interface Random {
  /** From 0 up to 1. */
  next(): number
  /** A whole number from 0 up to `below`. */
  int(below: number): number
  /** A source of its own for one part of the world, so that a part that asks more often disturbs no other. */
  fork(name: string): Random
}

/** xoshiro128** over a hash of the text: small, fast, and no two seeds share a stretch that anybody would live to see. */
export function seeded(seed: string): Random {
  const state = [0, 1, 2, 3].map(part => hash(`${part}/${seed}`)) as [number, number, number, number]
  const bits = (): number => {
    const result = Math.imul(rotate(Math.imul(state[1], 5), 7), 9)
    const shifted = state[1] << 9
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = rotate(state[3], 11)
    return result >>> 0
  }
  return {
    next: () => bits() / 2 ** 32,
    int: below => Math.floor((bits() / 2 ** 32) * below),
    fork: name => seeded(`${seed}/${name}`),
  }
}

const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by))

/** FNV-1a with a last stir; never zero in all four parts, which would be the one dead state. */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  return (h ^ (h >>> 13)) | 1
}

const letters = 'bcdfghjklmnpqrstvwxz2456789'

export function seededIds(random: Random): Ids {
  const byte = (): number => random.int(256)
  const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex')
  return {
    uid() {
      const b = Array.from({ length: 16 }, byte)
      b[6] = (b[6]! & 0x0f) | 0x40
      b[8] = (b[8]! & 0x3f) | 0x80
      return [b.slice(0, 4), b.slice(4, 6), b.slice(6, 8), b.slice(8, 10), b.slice(10)].map(hex).join('-')
    },
    suffix: length => Array.from({ length }, () => letters[random.int(letters.length)]).join(''),
    nonce: bytes => Buffer.from(Array.from({ length: bytes }, byte)).toString('base64url'),
  }
}
