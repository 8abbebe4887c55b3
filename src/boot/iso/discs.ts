import { Fault } from '../../core/fault.ts'
import type { Blobs } from '../../ports/blobs.ts'
import { type Disc, wrapUki } from './wrap.ts'

/** The discs that are being read: BMCs read them in thousands of small pieces. */
export interface Discs {
  /** Undefined where the UKI is not in the cache (yet). */
  of(digest: string): Promise<Disc | undefined>
}

const remembered = 8

export function openDiscs(blobs: Blobs): Discs {
  const discs = new Map<string, Disc>()
  return {
    async of(digest) {
      const known = discs.get(digest)
      const size = await blobs.size(digest)
      if (size === undefined) return undefined
      if (known) return known
      try {
        const disc = await wrapUki(blobs, digest, size)
        discs.set(digest, disc)
        if (discs.size > remembered) discs.delete(discs.keys().next().value!)
        return disc
      } catch (error) {
        if (error instanceof Fault && error.code === 'boot/no-blob') return undefined
        throw error
      }
    },
  }
}
