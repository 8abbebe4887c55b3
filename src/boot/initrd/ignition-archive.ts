import { gzipSync } from 'node:zlib'
import type { Json } from '../../core/json.ts'
import { newc } from './newc.ts'

export type Pack = (bytes: Uint8Array) => Uint8Array

/** Node writes no time into the header of gzip: the same bytes give the same. */
export const gzip: Pack = bytes => gzipSync(bytes, { level: 9 })

/** An Ignition config as the initramfs of CoreOS looks for it: the same bytes for the same config, and a length that archives may have. */
export function ignitionArchive(ignition: Json, pack: Pack = gzip): Uint8Array {
  const packed = pack(newc([{ path: 'config.ign', mode: 0o600, bytes: Buffer.from(JSON.stringify(ignition)) }]))
  // A copy of its own: a Buffer would keep the larger piece that it was cut out of, and there are thousands of these.
  const archive = new Uint8Array(Math.ceil(packed.length / 4) * 4)
  archive.set(packed)
  return archive
}
