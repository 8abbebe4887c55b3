import { crc32 } from 'node:zlib'

/** The most that one stored block holds. */
const block = 0xffff

/** The format of gzip without its compression: small files gain little by it, and this needs no time of its own and is the same everywhere. */
export function gzip(bytes: Uint8Array): Buffer {
  const parts: Uint8Array[] = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])]
  for (let at = 0; at === 0 || at < bytes.length; at += block) {
    const part = bytes.subarray(at, at + block)
    const head = Buffer.alloc(5)
    head.writeUInt8(at + block >= bytes.length ? 1 : 0, 0)
    head.writeUInt16LE(part.length, 1)
    head.writeUInt16LE(~part.length & 0xffff, 3)
    parts.push(head, part)
  }
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(bytes), 0)
  end.writeUInt32LE(bytes.length >>> 0, 4)
  return Buffer.concat([...parts, end])
}
