import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { Row, StoreState } from '../../ports/index.ts'
import { flush, meaning, refusal } from './files.ts'

const applicationId = 0x5261636b
/** How format n - 1 becomes format n. `kept` counts the rows at or below `compacted`: with it, a row that vanished is noticed. */
const formats: readonly string[] = [
  `CREATE TABLE events(rev INTEGER PRIMARY KEY, type INTEGER NOT NULL, key TEXT NOT NULL, crc INTEGER NOT NULL, value BLOB NOT NULL) STRICT;
   CREATE TABLE state(compacted INTEGER NOT NULL, kept INTEGER NOT NULL, writer TEXT NOT NULL) STRICT;
   INSERT INTO state VALUES (0, 0, '');`,
]
const settings = { locking_mode: 'exclusive', page_size: 4096, auto_vacuum: 2, journal_mode: 'wal', synchronous: 2 }

export const rowTypes = ['create', 'update', 'delete'] as const
/** SQLite has no page checksums: a flipped byte in a value loads silently unless we look ourselves. */
export const rowCrc = (row: Row): number => crc32(row.value, crc32(`${row.revision} ${row.type} ${row.key}`))
export type Found = { readonly rev: number; readonly type: number; readonly key: string; readonly crc: number; readonly value: Uint8Array }
export function soundRow({ rev, type, key, crc, value }: Found): Row | undefined {
  const row: Row = { revision: rev, type: rowTypes[type] ?? 'delete', key, value }
  return rowCrc(row) === crc ? row : undefined
}

export interface ConnectOptions {
  readonly create?: boolean
  readonly maxPages?: number
  readonly writer: string
  readonly formats?: readonly string[]
}

export const pragma = (db: DatabaseSync, text: string): unknown => Object.values(db.prepare(`PRAGMA ${text}`).get() ?? {})[0]

/** Opens or creates the database file, and goes on only if every setting that durability rests on was taken. */
export function connect(path: string, options: ConnectOptions): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    for (const [name, value] of Object.entries(settings)) {
      const taken = pragma(db, `${name}=${value}`) ?? pragma(db, name)
      if (taken !== value)
        throw refusal('unsafe', `Cannot use ${path}: SQLite made ${name} ${taken}`, 'Keep the state folder on a local disk.')
    }
    if (options.maxPages !== undefined) pragma(db, `max_page_count=${options.maxPages}`)
    if (options.create) db.exec(`PRAGMA application_id=${applicationId}`)
    if (pragma(db, 'application_id') !== applicationId)
      throw refusal('foreign', `Cannot use ${path}: it is a database of another program`, 'Choose another state folder.')
    migrate(db, path, options)
    return db
  } catch (error) {
    db.close()
    throw meaning(error, path)
  }
}

function migrate(db: DatabaseSync, path: string, options: ConnectOptions): void {
  const steps = options.formats ?? formats
  const format = Number(pragma(db, 'user_version'))
  if (format > steps.length) {
    const writer = String(db.prepare('SELECT writer FROM state').get()?.['writer'])
    const found = `${writer} wrote it in format ${format}, and ${options.writer} knows formats up to ${steps.length}`
    throw refusal('newer', `Cannot open ${path}: ${found}`, `Run ${writer}, or \`rackwright restore\` a backup made before the upgrade.`)
  }
  if (format === steps.length) return
  if (!options.create) copyTo(db, `${path}.format-${format}.backup`)
  db.exec('BEGIN IMMEDIATE')
  for (const step of steps.slice(format)) db.exec(step)
  db.prepare('UPDATE state SET writer = ?').run(options.writer)
  db.exec(`PRAGMA user_version=${steps.length}; COMMIT`)
}

/** A consistent copy under a temporary name, flushed and renamed. It holds Secrets, so only its owner reads it. */
export function copyTo(db: DatabaseSync, path: string): void {
  if (existsSync(path)) throw refusal('backup-exists', `Cannot write a backup to ${path}: the file exists`, 'Choose another name.')
  const partial = `${path}.partial`
  try {
    writeFileSync(partial, '', { mode: 0o600 })
    db.prepare('VACUUM INTO ?').run(partial)
    flush(partial)
    renameSync(partial, path)
    flush(dirname(path))
  } catch (cause) {
    rmSync(partial, { force: true })
    throw refusal('backup-failed', `Cannot write a backup to ${path}: ${cause}`, 'Check that folder and its free space.', cause)
  }
}

export function readState(db: DatabaseSync): StoreState & { readonly kept: number } {
  const found = db.prepare('SELECT compacted, kept, (SELECT max(rev) FROM events) AS newest FROM state').get()
  const { compacted, kept, newest } = found as { compacted: number; kept: number; newest: number | null }
  return { compacted, kept, revision: Math.max(newest ?? 0, compacted) }
}

/** Rows whose checksum is wrong, and how many are missing altogether. */
export function inspect(db: DatabaseSync): { readonly damaged: readonly number[]; readonly missing: number } {
  const { kept, compacted, revision } = readState(db)
  const damaged: number[] = []
  let missing = kept + revision - compacted
  for (const found of db.prepare('SELECT * FROM events').iterate() as Iterable<unknown> as Iterable<Found>) {
    missing--
    if (!soundRow(found)) damaged.push(found.rev)
  }
  return { damaged, missing }
}

/** Drops rows and begins a new history at `revision`: whoever watched before lists again, and no number is used twice. */
export function startOver(db: DatabaseSync, revision: number, drop: readonly number[]): void {
  db.exec('BEGIN IMMEDIATE')
  for (const rev of drop) db.prepare('DELETE FROM events WHERE rev = ?').run(rev)
  db.prepare('UPDATE state SET compacted = ?, kept = (SELECT count(*) FROM events)').run(revision)
  db.exec('COMMIT')
}
