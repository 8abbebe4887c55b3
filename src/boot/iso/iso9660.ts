import { describeVolume, lastDescriptor, parent, pathEntry, record, sector, self } from '../../core/iso9660.ts'

/** Where the boot image begins, in sectors; before it stands what this file writes. */
export const imageSector = 24

const place = { volume: 16, bootRecord: 17, end: 18, pathLittle: 19, pathBig: 20, root: 21, catalog: 22 } as const
const imageName = 'EFI.IMG;1'

/** The beginning of a disc that UEFI boots: ISO 9660 with an El Torito catalogue of one EFI image, which stands as a file beside it. */
export function discHead(imageBytes: number, label: string): Uint8Array {
  const head = Buffer.alloc(imageSector * sector)
  const sectors = imageSector + Math.ceil(imageBytes / sector)
  const tableBytes = pathEntry(head, place.pathLittle * sector, self, place.root, 1, 'little')
  pathEntry(head, place.pathBig * sector, self, place.root, 1, 'big')
  describeVolume(head.subarray(place.volume * sector), {
    label: Buffer.from(label, 'latin1'),
    sectors,
    tableBytes,
    tables: { little: place.pathLittle, big: place.pathBig },
    root: place.root,
  })
  bootRecord(head.subarray(place.bootRecord * sector))
  head.write(lastDescriptor, place.end * sector, 'latin1')
  rootDirectory(head.subarray(place.root * sector), imageBytes)
  catalog(head.subarray(place.catalog * sector))
  return head
}

function bootRecord(at: Buffer): void {
  at.write('\u0000CD001\u0001EL TORITO SPECIFICATION', 0, 'latin1')
  at.writeUInt32LE(place.catalog, 71)
}

function rootDirectory(at: Buffer, imageBytes: number): void {
  let next = record(at, 0, self, place.root, sector, true)
  next = record(at, next, parent, place.root, sector, true)
  record(at, next, Buffer.from(imageName, 'latin1'), imageSector, imageBytes, false)
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
