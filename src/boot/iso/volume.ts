import { Fault } from '../../core/fault.ts'
import { sector } from '../../core/iso9660.ts'
import { bytesOf, type Source } from '../source.ts'

/** Where a file stands on a disc. */
export interface IsoFile {
  readonly start: number
  readonly bytes: number
}

/** What there is on a disc: ISO 9660 as plain as everybody writes it, whatever else the disc has besides. */
export interface Volume {
  readonly label: string
  /** How much of the disc is in use; a disc that is shorter was cut off. */
  readonly bytes: number
  /** By its path as people write it, `coreos/igninfo.json`; undefined where there is none. */
  find(path: string): Promise<IsoFile | undefined>
}

const descriptors = 16
/** So many descriptors, and bytes of a directory, are looked at: what a disc says of itself must not cost memory. */
const most = { descriptors: 32, directory: 1 << 20 }

export async function readVolume(source: Source): Promise<Volume> {
  const primary = await primaryOf(source)
  const bytes = primary.readUInt32LE(80) * sector
  if (bytes > source.size) throw broken(`it says that it has ${bytes} bytes, but there are ${source.size}`)
  const root = extent(primary, 156, source)
  return {
    label: primary.toString('latin1', 40, 72).trimEnd(),
    bytes,
    async find(path) {
      const names = path.split('/').filter(name => name !== '')
      let place: Entry | undefined = { ...root, isDirectory: true }
      for (const name of names) {
        if (!place?.isDirectory) return undefined
        place = (await entries(source, place)).get(shortened(name)) ?? undefined
      }
      return place && !place.isDirectory ? { start: place.start, bytes: place.bytes } : undefined
    },
  }
}

interface Entry extends IsoFile {
  readonly isDirectory: boolean
}

async function primaryOf(source: Source): Promise<Buffer> {
  for (let i = 0; i < most.descriptors; i++) {
    const at = (descriptors + i) * sector
    if (at + sector > source.size) break
    const found = await bytesOf(source, at, sector)
    if (found.toString('latin1', 1, 6) !== 'CD001' || found[0] === 255) break
    if (found[0] === 1) return found
  }
  throw broken('it has no volume descriptor')
}

function extent(record: Buffer, at: number, source: Source): IsoFile {
  const [start, bytes] = [record.readUInt32LE(at + 2) * sector, record.readUInt32LE(at + 10)]
  if (start + bytes > source.size) throw broken(`a file of it ends at ${start + bytes}, behind the disc's end at ${source.size}`)
  return { start, bytes }
}

async function entries(source: Source, { start, bytes }: IsoFile): Promise<ReadonlyMap<string, Entry>> {
  if (bytes > most.directory) throw broken(`a directory of it has ${bytes} bytes, more than ${most.directory}`)
  const found = new Map<string, Entry>()
  const directory = await bytesOf(source, start, bytes)
  for (let at = 0; at + 33 < directory.length; ) {
    const length = directory[at]!
    const next = length === 0 ? (Math.floor(at / sector) + 1) * sector : at + length
    const [flags, nameLength] = [directory[at + 25]!, directory[at + 32]!]
    if (length >= 34 && 33 + nameLength <= length && next <= directory.length) {
      const name = directory.toString('latin1', at + 33, at + 33 + nameLength)
      // A file in several extents is none that we look for, and would be read wrongly.
      if (name > '\u0001' && (flags & 0x80) === 0)
        found.set(shortened(name), { ...extent(directory, at, source), isDirectory: (flags & 2) !== 0 })
    } else if (length !== 0) throw broken('a directory of it makes no sense')
    at = next
  }
  return found
}

/** Names as the plainest discs have them: upper case, eight letters, three after the dot, no version. */
function shortened(name: string): string {
  const [base = '', ...rest] = name.toUpperCase().replace(/;\d+$/, '').replace(/\.$/, '').split('.')
  return rest.length === 0 ? base.slice(0, 8) : `${base.slice(0, 8)}.${rest.join('.').slice(0, 3)}`
}

const broken = (found: string): Fault =>
  new Fault('boot/bad-iso', `Cannot read the disc image: ${found}`, 'when-changed', { hint: 'give a whole ISO 9660 image of CoreOS' })
