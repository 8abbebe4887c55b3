import { describeVolume, lastDescriptor, parent, pathEntry, record, sector, self } from '../../core/iso9660.ts'

/** A file for a disc. */
export interface DiscFile {
  readonly path: string
  readonly bytes: Buffer
}

interface Folder {
  readonly name: string
  readonly parent: Folder | undefined
  readonly folders: Folder[]
  readonly files: { readonly name: string; readonly file: DiscFile }[]
  at: number
}

export interface Written {
  readonly bytes: Buffer
  /** Where each file begins, in sectors. */
  readonly places: ReadonlyMap<string, number>
}

/** Writes a plain ISO 9660 disc: folders first, then the files in their order. Every folder fits into a sector. */
export function writeIso(label: string, files: readonly DiscFile[]): Written {
  const root: Folder = { name: '', parent: undefined, folders: [], files: [], at: 0 }
  for (const file of files) {
    const names = file.path.toUpperCase().split('/')
    let place = root
    for (const name of names.slice(0, -1)) {
      const known = place.folders.find(folder => folder.name === name)
      const next: Folder = known ?? { name, parent: place, folders: [], files: [], at: 0 }
      if (!known) place.folders.push(next)
      place = next
    }
    place.files.push({ name: `${short(names.at(-1)!)};1`, file })
  }
  const folders = breadthFirst(root)
  let next = 20
  for (const folder of folders) folder.at = next++
  const places = new Map<string, number>()
  for (const { path, bytes } of files) {
    places.set(path, next)
    next += Math.max(1, Math.ceil(bytes.length / sector))
  }
  const disc = Buffer.alloc(next * sector)
  for (const { path, bytes } of files) bytes.copy(disc, places.get(path)! * sector)
  for (const folder of folders) writeFolder(disc, folder, places)
  pathTable(disc.subarray(18 * sector), folders, 'little')
  const tableBytes = pathTable(disc.subarray(19 * sector), folders, 'big')
  const tables = { little: 18, big: 19 }
  describeVolume(disc.subarray(16 * sector), { label: bytesOf(label), sectors: next, tableBytes, tables, root: root.at })
  disc.write(lastDescriptor, 17 * sector, 'latin1')
  return { bytes: disc, places }
}

const short = (name: string): string => {
  const [base = '', end] = name.split('.')
  return end === undefined ? base.slice(0, 8) : `${base.slice(0, 8)}.${end.slice(0, 3)}`
}

function breadthFirst(root: Folder): readonly Folder[] {
  const all = [root]
  for (let i = 0; i < all.length; i++) all.push(...all[i]!.folders.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  return all
}

function writeFolder(disc: Buffer, folder: Folder, places: ReadonlyMap<string, number>): void {
  const at = disc.subarray(folder.at * sector, (folder.at + 1) * sector)
  let next = record(at, 0, self, folder.at, sector, true)
  next = record(at, next, parent, (folder.parent ?? folder).at, sector, true)
  const inside = [
    ...folder.folders.map(({ name, at: first }) => ({ name, first, bytes: sector, isFolder: true })),
    ...folder.files.map(({ name, file }) => ({ name, first: places.get(file.path)!, bytes: file.bytes.length, isFolder: false })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  for (const { name, first, bytes, isFolder } of inside) next = record(at, next, bytesOf(name), first, bytes, isFolder)
}

/** Answers how long it is. */
function pathTable(at: Buffer, folders: readonly Folder[], order: 'little' | 'big'): number {
  let length = 0
  for (const folder of folders) {
    const above = folders.indexOf(folder.parent ?? folder) + 1
    length += pathEntry(at, length, folder.parent ? bytesOf(folder.name) : self, folder.at, above, order)
  }
  return length
}

const bytesOf = (name: string): Buffer => Buffer.from(name, 'latin1')
