import { Fault } from '../../core/fault.ts'
import type { Blobs } from '../../ports/blobs.ts'

/** Blobs that live as long as their process; for the simulation. `verify` checks what comes in. */
export function memoryBlobs(verify: Verify): Blobs {
  const blobs = new Map<string, Uint8Array>()
  return {
    size: async digest => blobs.get(digest)?.length,
    async *read(digest, start, end) {
      const blob = blobs.get(digest)
      if (!blob) throw notHere(digest)
      for (let at = start; at < Math.min(end, blob.length); at += slice) yield blob.subarray(at, Math.min(at + slice, end, blob.length))
    },
    async put(digest, size, bytes) {
      const chunks: Uint8Array[] = []
      for await (const chunk of verify(bytes, digest, size)) chunks.push(chunk)
      blobs.set(digest, Buffer.concat(chunks))
    },
    async prune(kept) {
      let freed = 0
      for (const [digest, blob] of blobs) {
        if (kept(digest)) continue
        freed += blob.length
        blobs.delete(digest)
      }
      return freed
    },
  }
}

export type Verify = (bytes: AsyncIterable<Uint8Array>, digest: string, size: number) => AsyncIterable<Uint8Array>
export const slice = 1 << 20
export const notHere = (digest: string): Fault => new Fault('boot/no-blob', `Cannot read ${digest}: it is not in the cache`, 'backoff')
