import type { Source } from './source.ts'

/** A stretch of a source, `end` exclusive. */
export interface Piece {
  readonly of: Source
  readonly start: number
  readonly end: number
}

export const whole = (of: Source): Piece => ({ of, start: 0, end: of.size })

/** Pieces one after the other, read as if they were one file; nothing is copied. */
export function joined(pieces: readonly Piece[]): Source {
  const begins: number[] = []
  let size = 0
  for (const { start, end } of pieces) {
    begins.push(size)
    size += end - start
  }
  return {
    size,
    async *read(start, end) {
      for (let i = last(begins, start); i < pieces.length && begins[i]! < end; i++) {
        const { of, start: first, end: over } = pieces[i]!
        const from = first + Math.max(0, start - begins[i]!)
        const to = Math.min(over, first + end - begins[i]!)
        if (from < to) yield* of.read(from, to)
      }
    },
  }
}

/** The last piece that begins at or before this place. */
function last(begins: readonly number[], at: number): number {
  let [low, high] = [0, begins.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (begins[middle]! <= at) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
