import { Fault } from '../core/fault.ts'
import { joined, type Piece, whole } from './joined.ts'
import type { Source } from './source.ts'

/** Bytes that stand in place of those of the base. */
export interface Patch {
  readonly start: number
  readonly of: Source
}

/** The base with other bytes in some places, and as long as it was. */
export function overlaid(base: Source, patches: readonly Patch[]): Source {
  const pieces: Piece[] = []
  let at = 0
  for (const { start, of } of patches.toSorted((a, b) => a.start - b.start)) {
    if (start < at || start + of.size > base.size)
      throw new Fault('boot/bad-overlay', `Cannot put ${of.size} bytes at ${start}: they overlap others or the end of the image`, 'never')
    if (start > at) pieces.push({ of: base, start: at, end: start })
    pieces.push(whole(of))
    at = start + of.size
  }
  if (at < base.size) pieces.push({ of: base, start: at, end: base.size })
  return joined(pieces)
}
