import { createHash } from 'node:crypto'
import xz from 'xz-decompress'
import { Fault } from '../../core/fault.ts'
import { sector } from '../../core/iso9660.ts'
import { joined, type Piece } from '../joined.ts'
import { bytesOf, memorySource, type Source } from '../source.ts'
import type { Volume } from './volume.ts'

const file = 'coreos/miniso.dat'
const magic = 'MINISO\0\0'
/** More than this is not in the file, packed or unpacked, nor are there more stretches. */
const most = { bytes: 1 << 20, unpacked: 16 << 20, stretches: 4_096 }

/**
 * The live disc without its root file system. A CoreOS disc carries the recipe: which stretches of itself the smaller one is made of, and what
 * stands between them. It is put together as it is read; that it is right is checked once, by the digest of the recipe.
 */
export async function minimalOf(full: Source, volume: Volume): Promise<Source> {
  const place = await volume.find(file)
  if (!place) throw refused(`there is no ${file} on it`)
  if (place.bytes > most.bytes) throw refused(`${file} has ${place.bytes} bytes, more than ${most.bytes}`)
  const recipe = read(await bytesOf(full, place.start, place.bytes))
  const between = memorySource(await unpacked(recipe.packed))
  const minimal = joined(piecesOf(full, between, recipe.stretches))
  if (!(await digestOf(minimal)).equals(recipe.digest)) throw refused('what comes out has another digest, so somebody changed the disc')
  return minimal
}

interface Stretch {
  /** In bytes, on the small disc and on the full one. */
  readonly to: number
  readonly from: number
  readonly bytes: number
}

interface Recipe {
  readonly stretches: readonly Stretch[]
  readonly digest: Buffer
  readonly packed: Buffer
}

function read(bytes: Buffer): Recipe {
  let at = 0
  const take = (length: number): Buffer => {
    if (length > bytes.length - at) throw refused(`${file} is cut off`)
    at += length
    return bytes.subarray(at - length, at)
  }
  /** Small numbers are a byte; 251 to 253 say that two, four or eight follow. */
  const count = (): number => {
    const first = take(1)[0]!
    if (first < 251) return first
    if (first === 251) return take(2).readUInt16LE()
    if (first === 252) return take(4).readUInt32LE()
    const large = first === 253 ? Number(take(8).readBigUInt64LE()) : Number.NaN
    if (!Number.isSafeInteger(large)) throw refused(`${file} has a number that makes no sense`)
    return large
  }
  if (take(magic.length).toString('latin1') !== magic) throw refused(`${file} is something else`)
  const version = count()
  if (version !== 1) throw refused(`${file} is of version ${version}, which is not known here`)
  take(count())
  const stretches = Array.from({ length: bounded(count()) }, () => ({ to: count() * sector, from: count() * sector, bytes: count() }))
  const digest = take(32)
  return { stretches: stretches.toSorted((a, b) => a.to - b.to), digest, packed: take(count()) }
}

function bounded(stretches: number): number {
  if (stretches > most.stretches) throw refused(`${file} has ${stretches} stretches, more than ${most.stretches}`)
  return stretches
}

function piecesOf(full: Source, between: Source, stretches: readonly Stretch[]): readonly Piece[] {
  const pieces: Piece[] = []
  let [at, used] = [0, 0]
  const fill = (length: number): void => {
    if (length > between.size - used) throw refused(`${file} has too few bytes for what stands between`)
    if (length > 0) pieces.push({ of: between, start: used, end: used + length })
    used += length
  }
  for (const { to, from, bytes } of stretches) {
    if (to < at || from + bytes > full.size) throw refused(`the stretches of ${file} overlap, or lie outside of the disc`)
    fill(to - at)
    pieces.push({ of: full, start: from, end: from + bytes })
    at = to + bytes
  }
  fill(between.size - used)
  return pieces
}

async function unpacked(packed: Buffer): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  try {
    for await (const part of new xz.XzReadableStream(new Blob([packed as Uint8Array<ArrayBuffer>]).stream())) {
      size += part.length
      if (size > most.unpacked) break
      parts.push(Buffer.from(part))
    }
  } catch (error) {
    throw refused(`what stands in ${file} cannot be unpacked`, error)
  }
  if (size > most.unpacked) throw refused(`${file} unpacks to more than ${most.unpacked} bytes`)
  return Buffer.concat(parts)
}

async function digestOf(source: Source): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const part of source.read(0, source.size)) hash.update(part)
  return hash.digest()
}

const refused = (found: string, cause?: unknown): Fault =>
  new Fault('boot/no-minimal-iso', `Cannot make the disc image without its root file system: ${found}`, 'when-changed', {
    hint: 'give a live ISO of CoreOS as it was published, or use the full ISO',
    cause,
  })
