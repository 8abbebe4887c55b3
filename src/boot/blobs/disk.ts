import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '../../core/fault.ts'
import type { Blobs } from '../../ports/blobs.ts'
import { notHere, slice, type Verify } from './memory.ts'

const sha256 = /^sha256:([0-9a-f]{64})$/
const named = /^[0-9a-f]{64}$/

/** Blobs in a folder. A file gets its name only when its digest was right and its bytes are on disk: what has a name is whole. */
export function diskBlobs(folder: string, verify: Verify): Blobs {
  const pathOf = (digest: string): string => {
    const hex = sha256.exec(digest)?.[1]
    if (hex === undefined) throw new Fault('boot/bad-digest', `Cannot look up "${digest.slice(0, 80)}": it is no sha256 digest`, 'never')
    return join(folder, hex)
  }
  /** Files that are being written: not whole yet, and not left behind either. */
  const arriving = new Set<string>()
  return {
    async size(digest) {
      return (await stat(pathOf(digest)).catch(ifMissing))?.size
    },
    async *read(digest, start, end) {
      const file = await open(pathOf(digest), 'r').catch(ifMissing)
      if (!file) throw notHere(digest)
      try {
        yield* part(file, start, end)
      } finally {
        await file.close()
      }
    },
    async put(digest, size, bytes) {
      const path = pathOf(digest)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = `incoming-${randomUUID()}`
      const incoming = join(folder, name)
      arriving.add(name)
      try {
        await write(incoming, verify(bytes, digest, size))
        await rename(incoming, path)
      } catch (error) {
        await rm(incoming, { force: true })
        throw explained(error, folder)
      } finally {
        arriving.delete(name)
      }
    },
    async prune(kept) {
      let freed = 0
      for (const name of await readdir(folder).catch(() => [])) {
        if (arriving.has(name) || (named.test(name) && kept(`sha256:${name}`))) continue
        freed += (await stat(join(folder, name)).catch(ifMissing))?.size ?? 0
        await rm(join(folder, name), { force: true })
      }
      return freed
    },
  }
}

export async function* part(file: FileHandle, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    // A buffer of its own for each slice: the one before may still be on its way to a socket.
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(Math.min(slice, end - at)), 0, undefined, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of bytes) await file.write(chunk)
    await file.datasync()
  } finally {
    await file.close()
  }
}

function explained(error: unknown, folder: string): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') return error
  return new Fault('boot/disk-full', `Cannot keep an image in ${folder}: the disk is full`, 'backoff', {
    hint: 'free some space; nothing that is already in the cache was lost',
    cause: error,
  })
}

function ifMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
