import { createHash } from 'node:crypto'
import { sector } from '../../core/iso9660.ts'
import { type DiscFile, type Written, writeIso } from './iso-writer.ts'
import { xzOf } from './xz.ts'

export const label = 'coreos-41.20261101.3.0'
export const room = 256 << 10
export const argumentsRoom = 1_139
export const liveArguments = `coreos.liveiso=${label} ignition.firstboot ignition.platform.id=metal`

export interface LiveIso extends Written {
  /** The same without its root file system, as the recipe makes it. */
  readonly minimal: Buffer
  readonly rootfs: Buffer
  readonly initrd: Buffer
}

export interface LiveIsoOptions {
  readonly rootfsBytes?: number
  /** Files that stand in place of others, or besides them; undefined leaves one out. */
  readonly files?: Readonly<Record<string, Buffer | undefined>>
}

const filler = (bytes: number, what: string): Buffer => Buffer.alloc(bytes, `${what} `)

/** A loader's configuration: text, the arguments with their room, and what says that it is one. */
function loader(before: string): { readonly bytes: Buffer; readonly offset: number } {
  const area = `${liveArguments}\n`.padEnd(argumentsRoom, '#')
  return { bytes: Buffer.from(`${before}${area} COREOS_KARG_EMBED_AREA\n}\n`), offset: before.length }
}

/** A disc laid out as those of CoreOS are, small enough to read every byte of it. */
export function makeLiveIso({ rootfsBytes = 300_000, files: other = {} }: LiveIsoOptions = {}): LiveIso {
  const grub = loader('set timeout=1\nmenuentry "CoreOS" {\n  linux /images/pxeboot/vmlinuz ')
  const isolinux = loader('default vesamenu.c32\nlabel linux\n  append initrd=/images/pxeboot/initrd.img ')
  const kargs = {
    default: liveArguments,
    files: [
      { path: 'EFI/fedora/grub.cfg', offset: grub.offset, pad: '#', end: '\n' },
      { path: 'isolinux/isolinux.cfg', offset: isolinux.offset },
    ],
    size: argumentsRoom,
  }
  const rootfs = filler(rootfsBytes, 'root file system')
  const initrd = filler(70_001, 'initrd')
  const usual: Record<string, Buffer | undefined> = {
    'coreos/features.json': Buffer.from('{"installer-config":true}'),
    'coreos/igninfo.json': Buffer.from('{"file":"images/ignition.img"}'),
    'coreos/kargs.json': Buffer.from(JSON.stringify(kargs).padEnd(1_500)),
    'coreos/miniso.dat': Buffer.alloc(64 << 10),
    'EFI/fedora/grub.cfg': grub.bytes,
    'images/efiboot.img': filler(40_000, 'efi'),
    'images/pxeboot/rootfs.img': rootfs,
    'images/pxeboot/initrd.img': initrd,
    'images/pxeboot/vmlinuz': filler(50_000, 'kernel'),
    'images/ignition.img': Buffer.alloc(room),
    'isolinux/isolinux.cfg': isolinux.bytes,
    ...other,
  }
  const files = Object.entries(usual).flatMap(([path, bytes]): DiscFile[] => (bytes ? [{ path, bytes }] : []))
  const small = writeIso(
    label,
    files.filter(({ path }) => path !== 'images/pxeboot/rootfs.img' && path !== 'coreos/miniso.dat'),
  )
  const full = writeIso(label, files)
  const place = full.places.get('coreos/miniso.dat')
  if (place !== undefined && !('coreos/miniso.dat' in other)) recipe(small, full).copy(full.bytes, place * sector)
  return { ...full, minimal: small.bytes, rootfs, initrd }
}

/** How the small disc is made of the full one. */
export function recipe(small: Written, full: Written, digest = createHash('sha256').update(small.bytes).digest()): Buffer {
  const stretches = [...small.places].map(([path, to]) => ({ to, from: full.places.get(path)!, bytes: lengthOf(small, to) }))
  const between: Buffer[] = []
  let at = 0
  for (const { to, bytes } of stretches.toSorted((a, b) => a.to - b.to)) {
    between.push(small.bytes.subarray(at, to * sector))
    at = to * sector + bytes
  }
  between.push(small.bytes.subarray(at))
  const packed = xzOf(Buffer.concat(between))
  const version = Buffer.from('0.21.0')
  return Buffer.concat([
    Buffer.from('MINISO\0\0'),
    count(1),
    count(version.length),
    version,
    count(stretches.length),
    ...stretches.flatMap(({ to, from, bytes }) => [count(to), count(from), count(bytes)]),
    digest,
    count(packed.length),
    packed,
  ])
}

/** Whole sectors of the files: what follows a file in its last one is zeros on both discs. */
function lengthOf({ bytes, places }: Written, at: number): number {
  const next = Math.min(...[...places.values()].filter(place => place > at), bytes.length / sector)
  return (next - at) * sector
}

function count(value: number): Buffer {
  if (value < 251) return Buffer.from([value])
  const out = Buffer.alloc(value < 65_536 ? 3 : 5)
  out.writeUInt8(value < 65_536 ? 251 : 252)
  if (value < 65_536) out.writeUInt16LE(value, 1)
  else out.writeUInt32LE(value, 1)
  return out
}
