import { gunzipSync } from 'node:zlib'
import { readNewc } from '../images/read-newc.ts'
import { coreosProgram } from './coreos.ts'
import type { BootWorld } from './world.ts'

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

/** The same world, in which what stands under these addresses is a live CoreOS. */
export const withCoreos = <W extends BootWorld>(world: W, isCoreos: (url: string) => boolean): W => ({
  ...world,
  program(loaded) {
    const ignition = isCoreos(loaded.url) ? ignitionIn(loaded.bytes) : undefined
    return ignition ? coreosProgram(ignition, loaded.commandLine) : world.program?.(loaded)
  },
})
