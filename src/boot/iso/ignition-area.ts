import { Fault } from '../../core/fault.ts'
import { isObject } from '../../core/json.ts'
import type { Source } from '../source.ts'
import { isCount, jsonOn } from './json-on.ts'
import type { IsoFile, Volume } from './volume.ts'

const info = 'coreos/igninfo.json'

/** The room that a CoreOS live disc keeps for an Ignition config. */
export async function ignitionArea(source: Source, volume: Volume): Promise<IsoFile> {
  const found = (await jsonOn(source, volume, info)) ?? { file: 'images/ignition.img' }
  const { file, offset = 0, length } = isObject(found) ? found : {}
  if (typeof file !== 'string' || !isCount(offset) || !(length === undefined || isCount(length)))
    throw refused(`${info} does not say where the room for Ignition is`)
  const place = await volume.find(file)
  if (!place) throw refused(`there is no ${file} on it`)
  const bytes = length ?? place.bytes - offset
  if (offset + bytes > place.bytes || bytes <= 0) throw refused(`the room for Ignition does not lie within ${file}`)
  return { start: place.start + offset, bytes }
}

const refused = (found: string): Fault =>
  new Fault('boot/no-ignition-area', `Cannot put Ignition into the disc image: ${found}`, 'when-changed', {
    hint: 'give a live ISO of CoreOS as it was published',
  })
