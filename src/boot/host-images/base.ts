import { createHash } from 'node:crypto'
import { Fault } from '../../core/fault.ts'
import { type LiveDisc, liveDisc } from '../iso/live-disc.ts'
import { minimalOf } from '../iso/minimal.ts'
import { readVolume, type Volume } from '../iso/volume.ts'
import { joined } from '../joined.ts'
import type { Source } from '../source.ts'

/** A CoreOS live disc and everything that can be made of it. One file: the kernel, the initramfs and the root file system are on it. */
export interface Base {
  /** Of its content; the addresses of what is made of it carry it. */
  readonly digest: string
  readonly full: LiveDisc
  /** Where it cannot be made, why. */
  readonly minimal: LiveDisc | Fault
  readonly kernel: Source
  readonly initrd: Source
  readonly rootfs: Source
}

/** Reads a base once, as a whole: its digest says whether it is still the one whose addresses were given away. */
export async function openBase(source: Source, architecture: string, rootfsUrl: (digest: string) => string): Promise<Base> {
  const volume = await readVolume(source)
  await checkArchitecture(volume, architecture)
  const digest = await digestOf(source)
  const [kernel, initrd, rootfs] = await Promise.all(
    ['vmlinuz', 'initrd.img', 'rootfs.img'].map(name => fileOn(source, volume, `images/pxeboot/${name}`)),
  )
  const minimal = await minimalOf(source, volume).then(
    small => liveDisc(small, rootfsUrl(digest)),
    (error: unknown) => {
      if (error instanceof Fault) return error
      throw error
    },
  )
  return { digest, full: await liveDisc(source), minimal, kernel: kernel!, initrd: initrd!, rootfs: rootfs! }
}

/** Firmware finds its loader by the name of its architecture. */
const loaders: Readonly<Record<string, string>> = { x86_64: 'EFI/BOOT/BOOTX64.EFI', aarch64: 'EFI/BOOT/BOOTAA64.EFI' }

async function checkArchitecture(volume: Volume, wanted: string): Promise<void> {
  for (const [architecture, loader] of Object.entries(loaders))
    if (architecture !== wanted && (await volume.find(loader)))
      throw new Fault('boot/other-architecture', `Cannot make images for ${wanted}: the live ISO is for ${architecture}`, 'when-changed')
}

async function fileOn(source: Source, volume: Volume, path: string): Promise<Source> {
  const file = await volume.find(path)
  if (!file) throw new Fault('boot/bad-iso', `Cannot make images of the live ISO: there is no ${path} on it`, 'when-changed')
  return joined([{ of: source, start: file.start, end: file.start + file.bytes }])
}

async function digestOf(source: Source): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of source.read(0, source.size)) hash.update(part)
  return hash.digest('hex')
}
