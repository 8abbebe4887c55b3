import { Fault } from '../../core/fault.ts'

/** A FAT16 volume with one file in it, as the parts that are not the file itself: whoever serves it puts the file's bytes in between. */
export interface FatVolume {
  readonly bytes: number
  /** Everything before the file. */
  readonly head: Uint8Array
  /** Where the file begins; what follows it is zeros. */
  readonly fileAt: number
}

const sector = 512
const rootEntries = 512
const rootSectors = (rootEntries * 32) / sector
/** FAT16 is told by nothing but its number of clusters. */
const fewest = 4_085 + 16
const most = 65_524 - 16

/** `path` has folders and a file in 8.3 names. The same file gives the same volume: no times, a serial number that is given. */
export function fat16(path: readonly string[], size: number, serial: number): FatVolume {
  const folders = path.slice(0, -1)
  const perCluster = [1, 2, 4, 8, 16, 32, 64].find(n => Math.ceil(size / (n * sector)) + folders.length <= most)
  if (perCluster === undefined)
    throw new Fault('boot/too-large', `Cannot wrap a file of ${size} bytes: FAT16 ends at 2 GiB`, 'when-changed')
  const cluster = perCluster * sector
  const used = folders.length + Math.max(1, Math.ceil(size / cluster))
  const clusters = Math.max(fewest, used)
  const fatSectors = Math.ceil(((clusters + 2) * 2) / sector)
  const dataSector = 1 + 2 * fatSectors + rootSectors
  const sectors = dataSector + clusters * perCluster
  const head = Buffer.alloc((dataSector + folders.length * perCluster) * sector)
  bootSector(head, { perCluster, fatSectors, sectors, serial })
  fileTables(head, fatSectors, folders.length, used)
  directories(head, path, size, { at: (1 + 2 * fatSectors) * sector, dataAt: dataSector * sector, cluster })
  return { bytes: sectors * sector, head, fileAt: head.length }
}

function bootSector(
  head: Buffer,
  { perCluster, fatSectors, sectors, serial }: { perCluster: number; fatSectors: number; sectors: number; serial: number },
): void {
  head.set([0xeb, 0x3c, 0x90], 0)
  head.write('RACKWRGT', 3, 'latin1')
  head.writeUInt16LE(sector, 11)
  head.writeUInt8(perCluster, 13)
  head.writeUInt16LE(1, 14)
  head.writeUInt8(2, 16)
  head.writeUInt16LE(rootEntries, 17)
  head.writeUInt16LE(sectors < 65_536 ? sectors : 0, 19)
  head.writeUInt8(0xf8, 21)
  head.writeUInt16LE(fatSectors, 22)
  head.writeUInt16LE(32, 24)
  head.writeUInt16LE(64, 26)
  head.writeUInt32LE(sectors < 65_536 ? 0 : sectors, 32)
  head.writeUInt8(0x80, 36)
  head.writeUInt8(0x29, 38)
  head.writeUInt32LE(serial >>> 0, 39)
  head.write('NO NAME    FAT16   ', 43, 'latin1')
  head.writeUInt16LE(0xaa55, 510)
}

/** Each folder is one cluster; the file follows them in one run. */
function fileTables(head: Buffer, fatSectors: number, folders: number, used: number): void {
  for (const copy of [0, 1]) {
    const at = (1 + copy * fatSectors) * sector
    head.writeUInt16LE(0xfff8, at)
    head.writeUInt16LE(0xffff, at + 2)
    for (let n = 0; n < used; n++) head.writeUInt16LE(n < folders || n === used - 1 ? 0xffff : n + 3, at + (n + 2) * 2)
  }
}

function directories(
  head: Buffer,
  path: readonly string[],
  size: number,
  { at, dataAt, cluster }: { at: number; dataAt: number; cluster: number },
): void {
  path.forEach((name, depth) => {
    const isFile = depth === path.length - 1
    const place = depth === 0 ? at : dataAt + (depth - 1) * cluster
    const entry = (n: number, text: string, first: number): void => {
      head.write(text, place + n * 32, 'latin1')
      head.writeUInt8(text.startsWith('.') || !isFile ? 0x10 : 0x20, place + n * 32 + 11)
      // The first day of the format; there is no earlier one.
      head.writeUInt16LE(0x21, place + n * 32 + 24)
      head.writeUInt16LE(first, place + n * 32 + 26)
    }
    if (depth > 0) {
      entry(0, '.          ', depth + 1)
      entry(1, '..         ', depth === 1 ? 0 : depth)
    }
    entry(depth === 0 ? 0 : 2, shortName(name), depth + 2)
    if (isFile) head.writeUInt32LE(size, place + (depth === 0 ? 0 : 2) * 32 + 28)
  })
}

function shortName(name: string): string {
  const [base = '', end = ''] = name.split('.')
  return `${base.padEnd(8)}${end.padEnd(3)}`
}
