import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sector } from '../../core/iso9660.ts'
import { verified } from '../../oci/verify.ts'
import { memoryBlobs } from '../blobs/memory.ts'
import { fat16 } from './fat16.ts'
import { imageSector } from './iso9660.ts'
import { type Disc, wrapUki } from './wrap.ts'

const efi = (size: number, machine: number): Buffer => {
  const bytes = Buffer.alloc(size, 'content ')
  bytes.write('MZ', 0, 'latin1')
  bytes.writeUInt32LE(128, 60)
  bytes.write('PE\0\0', 128, 'latin1')
  bytes.writeUInt16LE(machine, 132)
  return bytes
}
async function wrapped(file: Buffer): Promise<Disc> {
  const digest = `sha256:${createHash('sha256').update(file).digest('hex')}`
  const blobs = memoryBlobs(verified)
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield file
  }
  await blobs.put(digest, file.length, bytes())
  return wrapUki(blobs, digest, file.length)
}
async function read(disc: Disc, start = 0, end = disc.bytes): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of disc.read(start, end)) {
    expect(part.length).toBeLessThanOrEqual(1 << 20)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Finds a file on a FAT volume as firmware does: boot sector, root, folders, chain of clusters. */
function fileOn(volume: Buffer, path: readonly string[]): Buffer | undefined {
  const [perCluster, reserved, roots, fat] = [volume[13]!, volume.readUInt16LE(14), volume.readUInt16LE(17), volume.readUInt16LE(22)]
  const rootAt = (reserved + 2 * fat) * 512
  const dataAt = rootAt + roots * 32
  const chain = (first: number): Buffer => {
    const parts: Buffer[] = []
    for (let n = first; n < 0xfff0; n = volume.readUInt16LE(reserved * 512 + n * 2))
      parts.push(volume.subarray(dataAt + (n - 2) * perCluster * 512, dataAt + (n - 1) * perCluster * 512))
    return Buffer.concat(parts)
  }
  let place = volume.subarray(rootAt, dataAt)
  for (const [depth, name] of path.entries()) {
    const [base = '', end = ''] = name.split('.')
    const wanted = `${base.padEnd(8)}${end.padEnd(3)}`
    const at = Array.from({ length: place.length / 32 }, (_, i) => i * 32).find(i => place.toString('latin1', i, i + 11) === wanted)
    if (at === undefined) return undefined
    const [first, size] = [place.readUInt16LE(at + 26), place.readUInt32LE(at + 28)]
    if (depth === path.length - 1) return chain(first).subarray(0, size)
    place = chain(first)
  }
  return undefined
}

describe('wrapUki()', () => {
  const sizes = [200, 512, 513, 2_000_000, 40_000_000]
  for (const size of sizes)
    it(`BP-074 makes a disc of ${size} bytes on which firmware finds the same file`, async () => {
      const file = efi(size, 0x8664)
      const disc = await read(await wrapped(file))
      const entry = disc.subarray(22 * sector)
      expect(disc.toString('latin1', 16 * sector + 1, 16 * sector + 6)).toBe('CD001')
      expect(disc.readUInt32LE(17 * sector + 71)).toBe(22)
      expect([entry[0], entry[1], entry[32], entry.readUInt32LE(40)]).toEqual([1, 0xef, 0x88, imageSector])
      expect(Array.from({ length: 16 }, (_, i) => entry.readUInt16LE(i * 2)).reduce((a, b) => a + b) & 0xffff).toBe(0)
      expect(fileOn(disc.subarray(imageSector * sector), ['EFI', 'BOOT', 'BOOTX64.EFI'])?.equals(file)).toBe(true)
      expect(disc.length).toBe(disc.readUInt32LE(16 * sector + 80) * sector)
    })
  it('names the file after the machine that it is made for', async () => {
    const disc = await read(await wrapped(efi(1_000, 0xaa64)))
    expect(fileOn(disc.subarray(imageSector * sector), ['EFI', 'BOOT', 'BOOTAA64.EFI'])).toBeDefined()
  })
  it('X-030 gives the same bytes every time, and any part of them', async () => {
    const disc = await wrapped(efi(100_000, 0x8664))
    const whole = await read(disc)
    expect((await read(await wrapped(efi(100_000, 0x8664)))).equals(whole)).toBe(true)
    await fc.assert(
      fc.asyncProperty(fc.nat(disc.bytes), fc.nat(disc.bytes), async (a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)]
        expect((await read(disc, start, end)).equals(whole.subarray(start, end))).toBe(true)
      }),
      { numRuns: 40 },
    )
  })
  it('takes whatever is not an EFI program as it is, and reads no byte beyond it', async () => {
    for (const file of [Buffer.from('x'), Buffer.from('MZ'), Buffer.from('MZ'.padEnd(64, '\u00ff'), 'latin1')]) {
      const disc = await read(await wrapped(file))
      expect(fileOn(disc.subarray(imageSector * sector), ['EFI', 'BOOT', 'BOOTX64.EFI'])?.equals(file)).toBe(true)
    }
  })
  it('says where its format ends', () => expect(() => fat16(['A'], 3 * 2 ** 30, 0)).toThrow('FAT16 ends at 2 GiB'))
})
