import type { Neighbor } from '../payload.ts'
import type { Files } from './files.ts'

const etherType = 0x88cc
const most = 16

/** What systemd-networkd heard on a port: frames, each with its length before it. Nothing where networkd does not listen. */
export async function savedNeighbors(files: Files, ifindex: string | undefined): Promise<readonly Neighbor[]> {
  if (ifindex === undefined || !/^\d+$/.test(ifindex)) return []
  const saved = await files.bytes(`/run/systemd/netif/lldp/${ifindex}`)
  return saved
    ? framesIn(Buffer.from(saved))
        .flatMap(frame => readLldp(frame) ?? [])
        .slice(0, most)
    : []
}

function framesIn(saved: Buffer): readonly Buffer[] {
  const frames: Buffer[] = []
  for (let at = 0; at + 8 <= saved.length && frames.length < most; ) {
    const length = Number(saved.readBigUInt64LE(at))
    if (length > saved.length - at - 8) break
    frames.push(saved.subarray(at + 8, at + 8 + length))
    at += 8 + length
  }
  return frames
}

/** One frame (IEEE 802.1AB): a list of typed values. Whatever a switch sends, nothing beyond the frame is read. */
export function readLldp(frame: Buffer): Neighbor | undefined {
  if (frame.length < 16 || frame.readUInt16BE(12) !== etherType) return undefined
  const out: { -readonly [K in keyof Neighbor]: Neighbor[K] } = {}
  for (let at = 14; at + 2 <= frame.length; ) {
    const head = frame.readUInt16BE(at)
    const [type, length] = [head >> 9, head & 0x1ff]
    const value = frame.subarray(at + 2, at + 2 + length)
    if (type === 0 || value.length < length) break
    if (type === 1) out.chassis = identifier(value, 4)
    else if (type === 2) out.port = identifier(value, 3)
    else if (type === 4) out.portDescription = value.toString('utf8')
    else if (type === 5) out.systemName = value.toString('utf8')
    else if (type === 6) out.systemDescription = value.toString('utf8')
    at += 2 + length
  }
  return out
}

/** Hardware addresses are printed as such, everything else is text. */
const identifier = (value: Buffer, macSubtype: number): string =>
  value[0] === macSubtype && value.length === 7
    ? [...value.subarray(1)].map(byte => byte.toString(16).padStart(2, '0')).join(':')
    : value.subarray(1).toString('utf8')
