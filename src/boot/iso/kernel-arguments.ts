import { Fault } from '../../core/fault.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import type { Patch } from '../overlaid.ts'
import { bytesOf, memorySource, type Source } from '../source.ts'
import { isCount, jsonOn } from './json-on.ts'
import type { Volume } from './volume.ts'

const info = 'coreos/kargs.json'
/** More than this no boot loader of theirs has. */
const mostBytes = 2_048
const mostFiles = 16

interface Area {
  readonly start: number
  readonly bytes: number
  readonly pad: number
  readonly end: number
}

/** The kernel's arguments on a CoreOS live disc: the same text in the configuration of each boot loader. */
export interface KernelArguments {
  readonly text: string
  /** What must stand where for them to be these, also where somebody resets them. */
  changed(text: string): readonly Patch[]
}

export async function kernelArguments(source: Source, volume: Volume): Promise<KernelArguments> {
  const file = await volume.find(info)
  const found = await jsonOn(source, volume, info)
  if (!file || !isObject(found)) throw refused(`there is no ${info} on it`)
  const areas = await areasOf(volume, found)
  const texts = await Promise.all(areas.map(async area => textOf(await bytesOf(source, area.start, area.bytes), area)))
  const [text = ''] = texts
  if (texts.some(other => other !== text)) throw refused('its boot loaders have different ones, so somebody changed the disc')
  return {
    text,
    changed(wanted) {
      const length = Buffer.byteLength(wanted)
      if (/[\n\0#]/.test(wanted)) throw refused('a line break or # cannot stand in them')
      const reset = Buffer.from(JSON.stringify({ ...found, default: wanted }))
      return [
        ...areas.map(({ start, bytes, pad, end }) => {
          if (length >= bytes) throw refused(`${length} bytes do not fit into the ${bytes} that it keeps for them`)
          const area = Buffer.alloc(bytes, pad)
          area[area.write(wanted)] = end
          return { start, of: memorySource(area) }
        }),
        // Where the longer text does not fit, a reset is as it was: nobody resets a disc that is made while it is read.
        ...(reset.length <= file.bytes
          ? [{ start: file.start, of: memorySource(Buffer.concat([reset, Buffer.alloc(file.bytes - reset.length, ' ')])) }]
          : []),
      ]
    },
  }
}

async function areasOf(volume: Volume, { size, files }: JsonObject): Promise<readonly Area[]> {
  if (!isCount(size) || size > mostBytes || !Array.isArray(files) || files.length === 0 || files.length > mostFiles)
    throw refused(`${info} makes no sense`)
  return Promise.all(
    files.map(async (file): Promise<Area> => {
      const { path, offset, pad = '#', end = '\n' } = isObject(file) ? file : {}
      if (typeof path !== 'string' || !isCount(offset) || !isOneByte(pad) || !isOneByte(end)) throw refused(`${info} makes no sense`)
      const place = await volume.find(path)
      if (!place || offset + size > place.bytes) throw refused(`${path} has no room for them`)
      return { start: place.start + offset, bytes: size, pad: pad.charCodeAt(0), end: end.charCodeAt(0) }
    }),
  )
}

function textOf(bytes: Buffer, { pad, end }: Area): string {
  const padded = bytes.findLastIndex(byte => byte !== pad) + 1
  const ends = bytes[padded - 1] === end ? padded - 1 : padded
  return bytes.toString('utf8', 0, ends).trim()
}

const isOneByte = (value: unknown): value is string => typeof value === 'string' && value.length === 1 && value.charCodeAt(0) < 128

const refused = (found: string): Fault =>
  new Fault('boot/no-kernel-arguments', `Cannot change the kernel arguments of the disc image: ${found}`, 'when-changed')
