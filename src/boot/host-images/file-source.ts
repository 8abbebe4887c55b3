import { open } from 'node:fs/promises'
import { part } from '../blobs/disk.ts'
import type { Source } from '../source.ts'

/** A file that stays open: whoever puts another in its place does not change what is being read. */
export async function fileSource(path: string): Promise<Source & { close(): Promise<void> }> {
  const file = await open(path, 'r')
  const { size } = await file.stat()
  return { size, read: (start, end) => part(file, start, Math.min(end, size)), close: () => file.close() }
}
