import { gunzipSync } from 'node:zlib'
import { Fault } from '../../core/fault.ts'

export interface ArchivedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

const block = 512
/** A machine wrote it: more than this is not unpacked. */
const most = 64 << 20

/** The files of a tar.gz, in their order. Nothing of it is written anywhere, whatever its names say; what is no plain file is passed over. */
export function filesOf(archive: Uint8Array): readonly ArchivedFile[] {
  const bytes = unpacked(archive)
  const files: ArchivedFile[] = []
  for (let at = 0; at + block <= bytes.length; ) {
    const head = bytes.subarray(at, at + block)
    if (head.every(byte => byte === 0)) break
    const size = Number.parseInt(textOf(head.subarray(124, 136)).trim() || '0', 8)
    if (!Number.isSafeInteger(size) || size < 0 || at + block + size > bytes.length)
      throw new Fault('ramdisk-logs/broken', `Cannot read the archive: a file in it ends behind its end`, 'never')
    const kind = String.fromCharCode(head[156] ?? 0)
    if (kind === '0' || kind === '\0')
      files.push({ name: textOf(head.subarray(0, 100)), bytes: bytes.subarray(at + block, at + block + size) })
    at += block + Math.ceil(size / block) * block
  }
  return files
}

function unpacked(archive: Uint8Array): Uint8Array {
  try {
    return gunzipSync(archive, { maxOutputLength: most })
  } catch (error) {
    throw new Fault('ramdisk-logs/broken', 'Cannot unpack the archive: it is no gzip of 64 MiB at most', 'never', { cause: error })
  }
}

/** Up to the first NUL. */
const textOf = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end))
}
