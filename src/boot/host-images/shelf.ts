import { createHash, createHmac } from 'node:crypto'
import { Fault } from '../../core/fault.ts'
import type { JsonObject } from '../../core/json.ts'
import type { HostImage, HostImageOrder, HostImages } from '../../ports/host-images.ts'
import type { Servable } from '../artifact.ts'
import { ignitionArchive, type Pack } from '../initrd/ignition-archive.ts'
import { withArchive } from '../initrd/with-archive.ts'
import type { LiveDisc } from '../iso/live-disc.ts'
import { memorySource, type Source } from '../source.ts'
import type { Base } from './base.ts'

export interface ShelfOptions {
  readonly baseUrl: string
  /** At least 32 bytes that nobody else knows, the same after a restart: whoever guesses no address reads no Ignition. */
  readonly key: Uint8Array
  /** How what goes into an image is packed; gzip. */
  readonly pack?: Pack
}

/** Where images of hosts stand, and what is read of them. */
export interface Shelf extends HostImages {
  /** What images for an architecture are made of, or why it cannot be used. */
  add(architecture: string, base: Base | Fault): void
  /** What is under an address; undefined where nothing is. */
  find(name: string, file: string): Servable | undefined
}

interface Kept {
  readonly image: HostImage
  /** All of it that is in memory. */
  readonly archive: Uint8Array
  readonly config: Uint8Array | undefined
  readonly make: (archive: Uint8Array) => Source
  isWanted(): boolean
}

/** The files of an image, by what they are called in addresses. */
export const fileNames = { iso: 'live.iso', initrd: 'initrd.img', kernel: 'vmlinuz', rootfs: 'rootfs.img', config: 'config.ign' } as const

export function openShelf({ baseUrl, key, pack }: ShelfOptions): Shelf {
  const root = `${baseUrl.replace(/\/$/, '')}/host-images`
  const bases = new Map<string, Base | Fault>()
  const baseFor = (architecture: string): Base | undefined => {
    const base = bases.get(architecture)
    return base instanceof Fault ? undefined : base
  }
  const byName = new Map<string, Kept>()
  const byUid = new Map<string, string>()
  const nameOf = (uid: string, order: string, base: Base): string => {
    const content = createHash('sha256').update(base.digest).update(order).digest('hex').slice(0, 32)
    return `${content}-${createHmac('sha256', key).update('rackwright host image\n').update(uid).update(content).digest('hex').slice(0, 32)}`
  }
  const drop = (uid: string): void => {
    byName.delete(byUid.get(uid) ?? '')
    byUid.delete(uid)
  }
  return {
    add: (architecture, base) => void bases.set(architecture, base),
    formats: architecture => (baseFor(architecture) ? ['iso', 'initrd'] : []),
    lacks(architecture) {
      const base = bases.get(architecture)
      return base instanceof Fault ? base.message : undefined
    },
    drop,
    keep({ uid, architecture, format, minimal, ignition }, isWanted = always) {
      const base = bases.get(architecture)
      if (base instanceof Fault) throw base
      if (!base) throw new Fault('boot/no-base', `Cannot make an image: there is no live ISO for ${architecture}`, 'when-changed')
      const order = JSON.stringify({ format, minimal, ignition })
      const name = nameOf(uid, order, base)
      const known = byName.get(name)
      if (known) return known.image
      const made = makerOf(base, format, minimal)
      const own = ignitionArchive(ignition, pack)
      const isTooBig = own.length > made.room
      const config = isTooBig ? Buffer.from(JSON.stringify(ignition)) : undefined
      const archive = config ? ignitionArchive(pointer(`${root}/${name}/${fileNames.config}`, config, ignition), pack) : own
      if (archive.length > made.room)
        throw new Fault(
          'boot/ignition-too-big',
          `Cannot make an image: not even a pointer to its Ignition fits into ${made.room} bytes`,
          'when-changed',
        )
      const image: HostImage =
        format === 'iso'
          ? { imageUrl: `${root}/${name}/${fileNames.iso}` }
          : {
              imageUrl: `${root}/${name}/${fileNames.initrd}`,
              kernelUrl: `${root}/${base.digest}/${fileNames.kernel}`,
              kernelParams: `ignition.firstboot ignition.platform.id=metal coreos.live.rootfs_url=${root}/${base.digest}/${fileNames.rootfs}`,
            }
      drop(uid)
      byName.set(name, { image, archive, config, make: made.make, isWanted })
      byUid.set(uid, name)
      return image
    },
    find(name, file) {
      for (const base of bases.values())
        if (!(base instanceof Fault) && name === base.digest && (file === fileNames.kernel || file === fileNames.rootfs))
          return servable(file === fileNames.kernel ? base.kernel : base.rootfs, `${name}/${file}`)
      const kept = byName.get(name)
      if (!kept?.isWanted()) return undefined
      if (kept.config && file === fileNames.config) return servable(memorySource(kept.config), `${name}/${file}`)
      return kept.image.imageUrl.endsWith(`/${file}`) ? servable(kept.make(kept.archive), `${name}/${file}`) : undefined
    },
  }
}

const always = (): boolean => true

const servable = (source: Source, etag: string): Servable => ({ size: source.size, etag: `"${etag}"`, read: source.read })

interface Maker {
  readonly room: number
  make(archive: Uint8Array): Source
}

function makerOf(base: Base, format: HostImageOrder['format'], minimal: boolean): Maker {
  if (format === 'initrd') return { room: Number.POSITIVE_INFINITY, make: archive => withArchive(base.initrd, archive) }
  const disc: LiveDisc | Fault = minimal ? base.minimal : base.full
  if (disc instanceof Fault) throw disc
  return { room: disc.room, make: archive => disc.with(archive) }
}

/** Ignition that is too big for the disc is fetched by it: from us, and only if it is what we made. */
const pointer = (source: string, config: Uint8Array, { ignition }: JsonObject): JsonObject => ({
  ignition: {
    version: (ignition as { readonly version: string }).version,
    config: { merge: [{ source, verification: { hash: `sha256-${createHash('sha256').update(config).digest('hex')}` } }] },
  },
})
