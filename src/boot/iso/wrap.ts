import { sector } from '../../core/iso9660.ts'
import type { Blobs } from '../../ports/blobs.ts'
import type { Part } from '../coverage.ts'
import { joined, whole } from '../joined.ts'
import { memorySource, type Source, zeros } from '../source.ts'
import { fat16 } from './fat16.ts'
import { discHead, imageSector } from './iso9660.ts'

/** A UKI as a disc that firmware boots: made while it is served, the same every time, with no copy of it anywhere. */
export interface Disc {
  readonly bytes: number
  /** Where the UKI stands on it. */
  readonly file: Part
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

/** Where removable media have what firmware starts, by the machine type in the file's header. */
const names: Readonly<Record<number, string>> = { 34404: 'BOOTX64.EFI', 43620: 'BOOTAA64.EFI' }

export async function wrapUki(blobs: Blobs, digest: string, size: number): Promise<Disc> {
  const serial = Number.parseInt(digest.slice(-8), 16) >>> 0
  const fat = fat16(['EFI', 'BOOT', await nameFor(blobs, digest, size)], size, serial)
  const head = Buffer.concat([discHead(fat.bytes, 'RACKWRIGHT'), fat.head])
  const file: Part = { start: head.length, end: head.length + size }
  const bytes = Math.ceil((imageSector * sector + fat.bytes) / sector) * sector
  const uki: Source = { size, read: (start, end) => blobs.read(digest, start, end) }
  const { read } = joined([whole(memorySource(head)), whole(uki), whole(zeros(bytes - file.end))])
  return { bytes, file, read }
}

/** A file that is no EFI program gets the name of the commonest machine: firmware will say what it thinks of it. */
async function nameFor(blobs: Blobs, digest: string, size: number): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of blobs.read(digest, 0, Math.min(size, 4_096))) parts.push(part)
  const start = Buffer.concat(parts)
  const header = start.length >= 64 && start.toString('latin1', 0, 2) === 'MZ' ? start.readUInt32LE(60) : start.length
  const machine =
    header + 6 <= start.length && start.toString('latin1', header, header + 4) === 'PE\0\0' ? start.readUInt16LE(header + 4) : 0
  return names[machine] ?? 'BOOTX64.EFI'
}
