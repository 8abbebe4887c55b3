import { Fault } from '../core/fault.ts'
import { slice } from './blobs/memory.ts'

/** Bytes that can be read in parts, by any number of readers at once. */
export interface Source {
  readonly size: number
  /** In slices of at most a mebibyte. `end` is exclusive. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

export const memorySource = (bytes: Uint8Array): Source => ({
  size: bytes.length,
  async *read(start, end) {
    const last = Math.min(end, bytes.length)
    for (let at = start; at < last; at += slice) yield bytes.subarray(at, Math.min(at + slice, last))
  },
})

const nothing = new Uint8Array(64 << 10)
export const zeros = (size: number): Source => ({
  size,
  async *read(start, end) {
    for (let left = Math.min(end, size) - start; left > 0; left -= nothing.length) yield nothing.subarray(0, Math.min(left, nothing.length))
  },
})

/** A part of a source as one piece; for headers and other small things. */
export async function bytesOf(source: Source, start: number, length: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of source.read(start, start + length)) parts.push(part)
  const bytes = Buffer.concat(parts)
  if (bytes.length === length) return bytes
  throw new Fault(
    'boot/image-cut-off',
    `Cannot read ${length} bytes at ${start}: the image ends after ${start + bytes.length}`,
    'when-changed',
  )
}
