import { crc32 } from 'node:zlib'

const chunk = 65_536

/** Packs nothing, in the format of xz: its chunks may stand as they are. */
export function xzOf(bytes: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunk) {
    const part = bytes.subarray(at, at + chunk)
    const head = Buffer.alloc(3)
    head.writeUInt8(at === 0 ? 1 : 2, 0)
    head.writeUInt16BE(part.length - 1, 1)
    chunks.push(head, part)
  }
  const data = Buffer.concat([...chunks, Buffer.from([0])])
  const flags = Buffer.from([0, 1])
  const head = Buffer.concat([Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), flags, sum(flags)])
  const blockHead = Buffer.from([2, 0, 0x21, 1, 16, 0, 0, 0])
  const block = Buffer.concat([blockHead, sum(blockHead), data])
  const index = padded(Buffer.concat([Buffer.from([0, 1]), varint(block.length + 4), varint(bytes.length)]))
  const whole = Buffer.concat([index, sum(index)])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(whole.length / 4 - 1)
  const foot = Buffer.concat([size, flags])
  return Buffer.concat([head, padded(block), sum(bytes), whole, sum(foot), foot, Buffer.from('YZ')])
}

const sum = (bytes: Buffer): Buffer => {
  const out = Buffer.alloc(4)
  out.writeUInt32LE(crc32(bytes))
  return out
}
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
const varint = (value: number): Buffer => {
  const out: number[] = []
  let left = value
  for (; left > 127; left = Math.floor(left / 128)) out.push((left % 128) | 128)
  return Buffer.from([...out, left])
}
