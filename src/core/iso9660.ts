/** Bytes of a sector of a disc. */
export const sector = 2_048

/** Numbers stand on a disc in both orders, one behind the other. */
export function both32(at: Buffer, offset: number, value: number): void {
  at.writeUInt32LE(value, offset)
  at.writeUInt32BE(value, offset + 4)
}
export function both16(at: Buffer, offset: number, value: number): void {
  at.writeUInt16LE(value, offset)
  at.writeUInt16BE(value, offset + 2)
}

/** One entry of a directory; answers where the next one goes. */
export function record(at: Buffer, offset: number, name: Uint8Array, first: number, bytes: number, isFolder: boolean): number {
  const length = 33 + name.length + ((name.length + 1) % 2)
  at.writeUInt8(length, offset)
  both32(at, offset + 2, first)
  both32(at, offset + 10, bytes)
  at.writeUInt8(isFolder ? 2 : 0, offset + 25)
  both16(at, offset + 28, 1)
  at.writeUInt8(name.length, offset + 32)
  at.set(name, offset + 33)
  return offset + length
}

/** The names under which a folder knows itself and the one above. */
export const self = Uint8Array.of(0)
export const parent = Uint8Array.of(1)

/** One folder in a path table; answers how long that is. */
export function pathEntry(at: Buffer, offset: number, name: Uint8Array, first: number, above: number, order: 'little' | 'big'): number {
  at.writeUInt8(name.length, offset)
  if (order === 'little') {
    at.writeUInt32LE(first, offset + 2)
    at.writeUInt16LE(above, offset + 6)
  } else {
    at.writeUInt32BE(first, offset + 2)
    at.writeUInt16BE(above, offset + 6)
  }
  at.set(name, offset + 8)
  return 8 + name.length + (name.length % 2)
}

export interface VolumeFacts {
  readonly label: Uint8Array
  /** Of the whole disc. */
  readonly sectors: number
  readonly tableBytes: number
  /** Where the path tables begin, for machines of either order. */
  readonly tables: { readonly little: number; readonly big: number }
  readonly root: number
  /** Two bytes for each letter (Joliet). */
  readonly wide?: boolean
}

/** The descriptor of a volume. No time is in it: the disc is the same whenever it is made. */
export function describeVolume(at: Buffer, { label, sectors, tableBytes, tables, root, wide = false }: VolumeFacts): void {
  const blank = (from: number, to: number): void => {
    for (let i = from; i < to; i++) at.writeUInt8(wide && (i - from) % 2 === 0 ? 0 : 0x20, i)
  }
  at.write(`${wide ? '\u0002' : '\u0001'}CD001\u0001`, 0, 'latin1')
  blank(8, 72)
  at.set(label.subarray(0, 32), 40)
  both32(at, 80, sectors)
  // Level 3 of Joliet.
  if (wide) at.write('%/E', 88, 'latin1')
  both16(at, 120, 1)
  both16(at, 124, 1)
  both16(at, 128, sector)
  both32(at, 132, tableBytes)
  at.writeUInt32LE(tables.little, 140)
  at.writeUInt32BE(tables.big, 148)
  record(at, 156, self, root, sector, true)
  blank(190, 813)
  // Four times "not known".
  for (const when of [813, 830, 847, 864]) at.write('0'.repeat(16), when, 'latin1')
  at.writeUInt8(1, 881)
}

/** What stands behind the last descriptor. */
export const lastDescriptor = '\u00ffCD001\u0001'
