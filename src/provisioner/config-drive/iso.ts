import { describeVolume, lastDescriptor, parent, pathEntry, record, sector, self } from '../../core/iso9660.ts'

/** A file, or a folder with children. Names are short and plain: they are ours. */
export type Entry = { readonly name: string; readonly bytes: Uint8Array } | { readonly name: string; readonly children: readonly Entry[] }

const sectorsOf = (bytes: number): number => Math.ceil(bytes / sector)

/** How names are written: as ISO 9660 wants them, and as they are (Joliet), for systems that keep case. */
interface Spelling {
  spell(name: string, isFile: boolean): Buffer
  readonly joliet: boolean
}
const plain: Spelling = {
  joliet: false,
  spell: (name, isFile) => Buffer.from(`${name.toUpperCase()}${isFile ? (name.includes('.') ? ';1' : '.;1') : ''}`, 'latin1'),
}
const joliet: Spelling = { joliet: true, spell: (name, isFile) => wide(isFile ? `${name};1` : name) }
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

interface Folder {
  readonly name: string
  readonly parent: number
  readonly entries: readonly { readonly entry: Entry; readonly folder: number | undefined }[]
}

/** An ISO 9660 disc with these files on it: small, whole in memory, and the same for the same files. */
export function disc(label: string, root: readonly Entry[]): Uint8Array {
  const folders = foldersOf(root)
  const files = folders.flatMap(({ entries }) => entries.flatMap(({ entry }) => ('bytes' in entry ? [entry] : [])))
  // Descriptors, two path tables for each spelling, each folder once for each spelling, then the files.
  const tablesAt = 19
  const foldersAt = 23
  const filesAt = foldersAt + 2 * folders.length
  const places = new Map<Entry, number>()
  let next = filesAt
  for (const file of files) {
    places.set(file, next)
    next += sectorsOf(file.bytes.length)
  }
  const image = Buffer.alloc(next * sector)
  for (const [n, spelling] of [plain, joliet].entries()) {
    const placeOf = (folder: number): number => foldersAt + n * folders.length + folder
    const table = tablesAt + 2 * n
    const tableBytes = pathTable(image, table, folders, spelling, placeOf)
    describeVolume(image.subarray((16 + n) * sector, (17 + n) * sector), {
      label: spelling.joliet ? wide(label) : Buffer.from(label, 'latin1'),
      sectors: next,
      tableBytes,
      tables: { little: table, big: table + 1 },
      root: placeOf(0),
      wide: spelling.joliet,
    })
    for (const [i, folder] of folders.entries()) directory(image.subarray(placeOf(i) * sector), folder, i, spelling, placeOf, places)
  }
  image.write(lastDescriptor, 18 * sector, 'latin1')
  for (const file of files) image.set(file.bytes, places.get(file)! * sector)
  return image
}

/** All folders, those nearer to the root first; the root is its own parent. */
function foldersOf(root: readonly Entry[]): readonly Folder[] {
  const open: { name: string; parent: number; children: readonly Entry[] }[] = [{ name: '', parent: 0, children: root }]
  const folders: Folder[] = []
  for (let i = 0; i < open.length; i++) {
    const { name, parent, children } = open[i]!
    const entries = children
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(entry => ({
        entry,
        folder: 'children' in entry ? open.push({ name: entry.name, parent: i, children: entry.children }) - 1 : undefined,
      }))
    folders.push({ name, parent, entries })
  }
  return folders
}

function pathTable(
  image: Buffer,
  first: number,
  folders: readonly Folder[],
  spelling: Spelling,
  placeOf: (folder: number) => number,
): number {
  let at = 0
  for (const [i, { name, parent: above }] of folders.entries()) {
    const spelled = i === 0 ? self : spelling.spell(name, false)
    pathEntry(image, first * sector + at, spelled, placeOf(i), above + 1, 'little')
    at += pathEntry(image, (first + 1) * sector + at, spelled, placeOf(i), above + 1, 'big')
  }
  return at
}

function directory(
  at: Buffer,
  { parent: above, entries }: Folder,
  own: number,
  spelling: Spelling,
  placeOf: (folder: number) => number,
  places: ReadonlyMap<Entry, number>,
): void {
  let next = record(at, 0, self, placeOf(own), sector, true)
  next = record(at, next, parent, placeOf(above), sector, true)
  for (const { entry, folder } of entries)
    next =
      'bytes' in entry
        ? record(at, next, spelling.spell(entry.name, true), places.get(entry)!, entry.bytes.length, false)
        : record(at, next, spelling.spell(entry.name, false), placeOf(folder!), sector, true)
}
