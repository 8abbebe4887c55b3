import { Fault } from '../../core/fault.ts'
import { joined, whole } from '../joined.ts'
import { overlaid, type Patch } from '../overlaid.ts'
import { memorySource, type Source, zeros } from '../source.ts'
import { ignitionArea } from './ignition-area.ts'
import { kernelArguments } from './kernel-arguments.ts'
import { readVolume, type Volume } from './volume.ts'

/** A CoreOS live disc of which everything is known that is needed to change it while it is read. */
export interface LiveDisc {
  readonly size: number
  /** How many bytes of a packed Ignition fit. */
  readonly room: number
  /** The disc with this archive for an Ignition; every other byte is that of the base. */
  with(archive: Uint8Array): Source
}

/** Reads what the disc says of itself, once. With `rootfs` it is one without a root file system: the kernel is told to fetch it there. */
export async function liveDisc(base: Source, rootfs?: string): Promise<LiveDisc> {
  const volume = await readVolume(base)
  const area = await ignitionArea(base, volume)
  const common = rootfs === undefined ? [] : await fetching(base, volume, rootfs)
  return {
    size: base.size,
    room: area.bytes,
    with(archive) {
      if (archive.length > area.bytes) throw tooBig(archive.length, area.bytes)
      // The whole area is written: nothing of what was there before may be left.
      const of = joined([whole(memorySource(archive)), whole(zeros(area.bytes - archive.length))])
      return overlaid(base, [...common, { start: area.start, of }])
    },
  }
}

const live = /(?:^|\s)coreos\.liveiso=\S*/g

async function fetching(base: Source, volume: Volume, rootfs: string): Promise<readonly Patch[]> {
  // An argument ends at a space, and boot loaders take the others for their own.
  if (/[\s$\\"']/.test(rootfs))
    throw new Fault(
      'boot/bad-rootfs-url',
      'Cannot tell the kernel where its root file system is: the address has a space, $, \\ or quote',
      'when-changed',
    )
  const { text, changed } = await kernelArguments(base, volume)
  return changed(`${text.replace(live, '').trim()} coreos.live.rootfs_url=${rootfs}`)
}

const tooBig = (bytes: number, room: number): Fault =>
  new Fault('boot/ignition-too-big', `Cannot put Ignition into the disc image: ${bytes} bytes do not fit into ${room}`, 'when-changed')
