import { type Millis, minutes } from '../../core/duration.ts'
import type { Blobs } from '../../ports/blobs.ts'
import type { Clock } from '../../ports/index.ts'
import { notHere, slice } from './memory.ts'

export interface HotOptions {
  /** How much is kept at most. */
  readonly bytes?: number
  /** What nobody asked for this long is let go. */
  readonly idle?: Millis
}

export interface HotBlobs extends Blobs {
  /** Lets go of everything, and of the clock. */
  close(): void
}

interface Kept {
  readonly bytes: Promise<Uint8Array>
  size: number
  used: Millis
}

/**
 * Keeps in memory what is being served: when a rack boots, every machine wants the same image at the same time, and the disk is
 * read once. What nobody wants any more is let go of, so that an idle server is small.
 */
export function hotBlobs(cold: Blobs, clock: Clock, { bytes: most = 256 << 20, idle = minutes(1) }: HotOptions = {}): HotBlobs {
  /** In the order of their last use. */
  const kept = new Map<string, Kept>()
  let total = 0
  let cancel: (() => void) | undefined

  const drop = (key: string): void => {
    total -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }

  function sweep(): void {
    for (const [key, { used }] of kept) {
      if (clock.elapsed() - used < idle) break
      drop(key)
    }
    cancel = kept.size > 0 ? clock.after(idle, sweep) : undefined
  }

  async function load(digest: string, start: number, end: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    for await (const part of cold.read(digest, start, end)) parts.push(part)
    const [only, ...more] = parts
    return only && more.length === 0 ? only : Buffer.concat(parts)
  }

  function part(digest: string, start: number, end: number): Promise<Uint8Array> {
    const key = `${digest}/${start}`
    const known = kept.get(key)
    const entry: Kept = known ?? { bytes: load(digest, start, end), size: end - start, used: 0 }
    entry.used = clock.elapsed()
    if (known) kept.delete(key)
    else {
      total += entry.size
      entry.bytes.catch(() => kept.get(key) === entry && drop(key))
    }
    kept.set(key, entry)
    for (const [oldest] of kept) {
      if (total <= most) break
      drop(oldest)
    }
    cancel ??= clock.after(idle, sweep)
    return entry.bytes
  }

  return {
    size: digest => cold.size(digest),
    async *read(digest, start, end) {
      const size = await cold.size(digest)
      if (size === undefined) throw notHere(digest)
      for (let at = start; at < Math.min(end, size); ) {
        const first = at - (at % slice)
        const bytes = await part(digest, first, Math.min(first + slice, size))
        const last = Math.min(end - first, bytes.length)
        if (last <= at - first) return
        yield bytes.subarray(at - first, last)
        at = first + last
      }
    },
    put: (digest, size, bytes) => cold.put(digest, size, bytes),
    async prune(wanted) {
      for (const key of [...kept.keys()]) if (!wanted(key.slice(0, key.indexOf('/')))) drop(key)
      return cold.prune(wanted)
    },
    close() {
      cancel?.()
      kept.clear()
      total = 0
    },
  }
}
