import { gunzipSync } from 'node:zlib'
import { readNewc } from '../images/read-newc.ts'
import { coreosProgram } from './coreos.ts'
import type { BootWorld, Loaded, Step } from './world.ts'

const unpacked = '070701'
const gzip = Buffer.from([0x1f, 0x8b, 0x08])

/** What a live CoreOS finds in the room for its Ignition, on a disc or behind an initramfs; undefined where there is none. */
export function ignitionIn(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [plain, packed] = [all.indexOf(unpacked), all.indexOf(gzip)]
  if (plain < 0 && packed < 0) return undefined
  const archive = plain < 0 || (packed >= 0 && packed < plain) ? gunzipSync(all.subarray(packed)) : all.subarray(plain)
  const config = readNewc(archive).get('config.ign')?.bytes.toString()
  return config === undefined ? undefined : (JSON.parse(config) as Readonly<Record<string, unknown>>)
}

const rootfsArgument = 'coreos.live.rootfs_url='

/** Where a live CoreOS fetches its root file system: as the kernel is told, by whoever loads it or by the loader on its disc; undefined where it is on the disc. */
export function rootfsOf({ bytes, commandLine = '' }: Pick<Loaded, 'bytes' | 'commandLine'>): string | undefined {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = all.indexOf(rootfsArgument)
  const text = commandLine.includes(rootfsArgument) || at < 0 ? commandLine : all.toString('latin1', at, at + 2_048)
  return /coreos\.live\.rootfs_url=([^\s"]+)/.exec(text)?.[1]
}

/** What a live CoreOS does: first it fetches its root file system, where it has none of its own. */
export function liveCoreos(loaded: Loaded): readonly Step[] | undefined {
  const ignition = ignitionIn(loaded.bytes)
  const rootfs = rootfsOf(loaded)
  return (
    ignition && [...(rootfs === undefined ? [] : [{ do: 'fetch', url: rootfs } as const]), ...coreosProgram(ignition, loaded.commandLine)]
  )
}

/** The same world, in which what stands under these addresses is a live CoreOS. */
export const withCoreos = <W extends BootWorld>(world: W, isCoreos: (url: string) => boolean): W => ({
  ...world,
  program: loaded => (isCoreos(loaded.url) ? liveCoreos(loaded) : undefined) ?? world.program?.(loaded),
})
