import * as fs from 'node:fs'
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
/** Every row after a revision, in order; `undefined` stands for one whose checksum is wrong. */
export function* rowsAfter(db: DatabaseSync, after: number): Generator<{ readonly rev: number; readonly row: Row | undefined }> {
  for (const found of db.prepare('SELECT rev, type, key, crc, value FROM events WHERE rev > ? ORDER BY rev').iterate(after)) {
    const { rev, type, key, crc, value } = found as { rev: number; type: number; key: string; crc: number; value: Uint8Array }
    const row: Row = { revision: rev, type: rowTypes[type] ?? 'delete', key, value }
    yield { rev, row: rowCrc(row) === crc ? row : undefined }
  }
}

export interface DatabaseOptions {
  /** Name and version of this program, for those who find a format that is newer than theirs. */
  readonly writer: string
  /** The size the database may reach, in pages of 4 KiB. */
  readonly maxPages?: number
}
export const pragma = (db: DatabaseSync, text: string): unknown => Object.values(db.prepare(`PRAGMA ${text}`).get() ?? {})[0]

/** Opens or creates the database file, and goes on only if every setting that durability rests on was taken. */
export function connect(path: string, options: DatabaseOptions, steps: readonly string[] = formats): DatabaseSync {
  const isNew = !fs.existsSync(path)
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    for (const [name, value] of Object.entries(settings)) {
      // Saying auto_vacuum again would write to the file, and a full disk could not be read any more.
      const taken = pragma(db, name) === value ? value : (pragma(db, `${name}=${value}`) ?? pragma(db, name))
      if (taken !== value)
        throw refusal('unsafe', `Cannot use ${path}: SQLite made ${name} ${taken}`, 'Keep the state folder on a local disk.')
    }
    if (options.maxPages !== undefined) pragma(db, `max_page_count=${options.maxPages}`)
    if (isNew) db.exec(`PRAGMA application_id=${applicationId}`)
    if (pragma(db, 'application_id') !== applicationId)
      throw refusal('foreign', `Cannot use ${path}: it is a database of another program`, 'Choose another state folder.')
    const format = Number(pragma(db, 'user_version'))
    if (format > steps.length) {
      const writer = String(db.prepare('SELECT writer FROM state').get()?.['writer'])
      const found = `${writer} wrote it in format ${format}, and ${options.writer} knows formats up to ${steps.length}`
      throw refusal('newer', `Cannot open ${path}: ${found}`, `Run ${writer}, or \`rackwright restore\` a backup made before the upgrade.`)
    }
    if (format < steps.length) {
      if (!isNew) copyTo(db, `${path}.format-${format}.backup`)
      db.exec(`BEGIN IMMEDIATE; ${steps.slice(format).join(';')}; PRAGMA user_version=${steps.length}`)
      db.prepare('UPDATE state SET writer = ?').run(options.writer)
      db.exec('COMMIT')
    }
    return db
  } catch (error) {
    db.close()
    throw meaning(error, path)
  }
}

/** A consistent copy under a temporary name, flushed and renamed. It holds Secrets, so only its owner reads it. */
export function copyTo(db: DatabaseSync, path: string): void {
  if (fs.existsSync(path)) throw refusal('backup-exists', `Cannot write a backup to ${path}: the file exists`, 'Choose another name.')
  const partial = `${path}.partial`
  try {
    fs.writeFileSync(partial, '', { mode: 0o600 })
    db.prepare('VACUUM INTO ?').run(partial)
    flush(partial)
    fs.renameSync(partial, path)
    flush(dirname(path))
  } catch (error) {
    fs.rmSync(partial, { force: true })
    throw refusal('backup-failed', `Cannot write a backup to ${path}: ${error}`, 'Check that folder and its free space.')
  }
}

export function readState(db: DatabaseSync): StoreState & { readonly kept: number } {
  const found = db.prepare('SELECT compacted, kept, (SELECT max(rev) FROM events) AS newest FROM state').get()
  const { compacted, kept, newest } = found as { compacted: number; kept: number; newest: number | null }
  return { compacted, kept, revision: Math.max(newest ?? 0, compacted) }
}

/** The rows whose checksum is wrong, and how many are missing altogether. */
export function inspect(db: DatabaseSync): { readonly damaged: readonly number[]; readonly missing: number } {
  const { kept, compacted, revision } = readState(db)
  const rows = [...rowsAfter(db, -1).map(({ rev, row }) => (row ? 0 : rev))]
  return { damaged: rows.filter(rev => rev > 0), missing: kept + revision - compacted - rows.length }
}

/** Drops rows and begins a new history at `revision`: whoever watched before lists again, and no number is used twice. */
export function startOver(db: DatabaseSync, revision: number, drop: readonly number[]): void {
  db.exec(`BEGIN IMMEDIATE; DELETE FROM events WHERE rev IN (${drop});
    UPDATE state SET compacted = ${revision}, kept = (SELECT count(*) FROM events); COMMIT`)
}
