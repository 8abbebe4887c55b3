/** One file of an archive that a kernel unpacks at its start. */
export interface ArchivedFile {
  /** Relative, without dots: `config.ign`. */
  readonly path: string
  readonly mode: number
  readonly bytes: Uint8Array
}

const magic = '070701'
const directory = 0o040755
const regular = 0o100000

/** A cpio archive in the format that kernels read. Folders come before what is in them, no time is in it: the same files give the same bytes. */
export function newc(files: readonly ArchivedFile[]): Uint8Array {
  const parts: Uint8Array[] = []
  let number = 1
  const entry = (path: string, mode: number, bytes: Uint8Array, links: number): void => {
    const name = Buffer.from(`${path}\0`)
    const fields = [number++, mode, 0, 0, links, 0, bytes.length, 0, 0, 0, 0, name.length, 0]
    const head = Buffer.from(magic + fields.map(field => field.toString(16).padStart(8, '0')).join(''), 'latin1')
    parts.push(padded(Buffer.concat([head, name])), padded(bytes))
  }
  for (const folder of foldersOf(files)) entry(folder, directory, new Uint8Array(), 2)
  for (const { path, mode, bytes } of files) entry(path, regular | mode, bytes, 1)
  entry('TRAILER!!!', 0, new Uint8Array(), 1)
  return Buffer.concat(parts)
}

function foldersOf(files: readonly ArchivedFile[]): readonly string[] {
  const folders = new Set<string>()
  for (const { path } of files) {
    const names = path.split('/')
    for (let i = 1; i < names.length; i++) folders.add(names.slice(0, i).join('/'))
  }
  return [...folders].toSorted()
}

/** With zeros to the next multiple of four. */
const padded = (bytes: Uint8Array): Uint8Array => {
  const over = bytes.length % 4
  return over === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - over)])
}
