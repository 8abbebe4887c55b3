/** Bytes of a sector of a disc. */
export const sector = 2_048
/** Where the boot image begins, in sectors; before it stands what this file writes. */
export const imageSector = 24

const place = { volume: 16, bootRecord: 17, end: 18, pathLittle: 19, pathBig: 20, root: 21, catalog: 22 } as const
const imageName = 'EFI.IMG;1'

/** The beginning of a disc that UEFI boots: ISO 9660 with an El Torito catalogue of one EFI image, which stands as a file beside it. */
export function discHead(imageBytes: number, label: string): Uint8Array {
  const head = Buffer.alloc(imageSector * sector)
  const sectors = imageSector + Math.ceil(imageBytes / sector)
  volume(head.subarray(place.volume * sector), sectors, label)
  bootRecord(head.subarray(place.bootRecord * sector))
  head.write('\u00ffCD001\u0001', place.end * sector, 'latin1')
  pathTable(head.subarray(place.pathLittle * sector), 'little')
  pathTable(head.subarray(place.pathBig * sector), 'big')
  rootDirectory(head.subarray(place.root * sector), imageBytes)
  catalog(head.subarray(place.catalog * sector))
  return head
}

function both32(at: Buffer, offset: number, value: number): void {
  at.writeUInt32LE(value, offset)
  at.writeUInt32BE(value, offset + 4)
}
function both16(at: Buffer, offset: number, value: number): void {
  at.writeUInt16LE(value, offset)
  at.writeUInt16BE(value, offset + 2)
}

function volume(at: Buffer, sectors: number, label: string): void {
  at.write('\u0001CD001\u0001', 0, 'latin1')
  at.fill(0x20, 8, 72)
  at.write(label.slice(0, 32), 40, 'latin1')
  both32(at, 80, sectors)
  both16(at, 120, 1)
  both16(at, 124, 1)
  both16(at, 128, sector)
  both32(at, 132, pathBytes)
  at.writeUInt32LE(place.pathLittle, 140)
  at.writeUInt32BE(place.pathBig, 148)
  record(at, 156, '\0', place.root, sector, true)
  at.fill(0x20, 190, 813)
  // Four times "not known": the disc is the same whenever it is made.
  for (const when of [813, 830, 847, 864]) at.write('0'.repeat(16), when, 'latin1')
  at.writeUInt8(1, 881)
}

function bootRecord(at: Buffer): void {
  at.write('\u0000CD001\u0001EL TORITO SPECIFICATION', 0, 'latin1')
  at.writeUInt32LE(place.catalog, 71)
}

const pathBytes = 10
function pathTable(at: Buffer, order: 'little' | 'big'): void {
  at.writeUInt8(1, 0)
  if (order === 'little') at.writeUInt32LE(place.root, 2)
  else at.writeUInt32BE(place.root, 2)
  if (order === 'little') at.writeUInt16LE(1, 6)
  else at.writeUInt16BE(1, 6)
}

function rootDirectory(at: Buffer, imageBytes: number): void {
  let next = record(at, 0, '\0', place.root, sector, true)
  next = record(at, next, '\u0001', place.root, sector, true)
  record(at, next, imageName, imageSector, imageBytes, false)
}

/** One entry of a directory; answers where the next one goes. */
function record(at: Buffer, offset: number, name: string, first: number, bytes: number, directory: boolean): number {
  const length = 33 + name.length + ((name.length + 1) % 2)
  at.writeUInt8(length, offset)
  both32(at, offset + 2, first)
  both32(at, offset + 10, bytes)
  at.writeUInt8(directory ? 2 : 0, offset + 25)
  both16(at, offset + 28, 1)
  at.writeUInt8(name.length, offset + 32)
  at.write(name, offset + 33, 'latin1')
  return offset + length
}

function catalog(at: Buffer): void {
  at.set([1, 0xef], 0)
  at.writeUInt16LE(0xaa55, 30)
  let sum = 0
  for (let i = 0; i < 32; i += 2) sum += at.readUInt16LE(i)
  at.writeUInt16LE((0x1_0000 - (sum & 0xffff)) & 0xffff, 28)
  at.writeUInt8(0x88, 32)
  // The length has 16 bits: too few. UEFI takes 1 for "up to the end of the disc".
  at.writeUInt16LE(1, 38)
  at.writeUInt32LE(imageSector, 40)
}
