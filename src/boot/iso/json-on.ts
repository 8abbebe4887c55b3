import { Fault } from '../../core/fault.ts'
import type { Json } from '../../core/json.ts'
import { decodeJson } from '../../net/body/json.ts'
import { bytesOf, type Source } from '../source.ts'
import type { Volume } from './volume.ts'

const most = 64 << 10

/** A small JSON file of a disc, which may be padded with spaces or zeros; undefined where there is none. */
export async function jsonOn(source: Source, volume: Volume, path: string): Promise<Json | undefined> {
  const file = await volume.find(path)
  if (!file) return undefined
  if (file.bytes > most) throw unreadable(path, `it has ${file.bytes} bytes, more than ${most}`)
  const bytes = await bytesOf(source, file.start, file.bytes)
  const end = bytes.findLastIndex(byte => byte !== 0 && byte !== 0x20 && byte !== 0x0a) + 1
  try {
    return decodeJson(bytes.subarray(0, end))
  } catch (error) {
    throw unreadable(path, 'it is no JSON', error)
  }
}

const unreadable = (path: string, found: string, cause?: unknown): Fault =>
  new Fault('boot/bad-iso', `Cannot read ${path} of the disc image: ${found}`, 'when-changed', { cause })

/** A place or a length, as such files tell them. */
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
