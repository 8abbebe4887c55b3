import * as fs from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { Fault } from '../../core/fault.ts'
import type { Row } from '../../ports/index.ts'
import { connect, copyTo, type DatabaseOptions, inspect, pragma, readState, rowCrc, rowsAfter, rowTypes, startOver } from './database.ts'
import * as on from './files.ts'

export interface ConnectionOptions extends DatabaseOptions {
  readonly directory: string
  /** Go on with what can be read where acknowledged data was lost; what is missing is noted. */
  readonly acceptLoss?: boolean
}
export type Connection = ReturnType<typeof operate>

/** The one connection to the database, in whatever thread it is opened. Everything blocks. */
export function openConnection(options: ConnectionOptions): Connection {
  const files = on.storeFiles(options.directory)
  const unlock = on.lockStore(files)
  const notes: string[] = []
  let db: DatabaseSync | undefined
  try {
    prepareFile(files, options, notes)
    db = connect(files.database, options)
    checkRevision(db, files, options, notes)
    return operate(db, files, unlock, notes)
  } catch (error) {
    db?.close()
    unlock()
    throw on.meaning(error, files.database)
  }
}

/** A store that held something is never mistaken for a new one. */
function prepareFile(files: on.StoreFiles, options: ConnectionOptions, notes: string[]): void {
  const acked = on.readHighwater(files)
  const there = fs.existsSync(files.database)
  if (there && fs.statSync(files.database).size > 0) return
  if (there && !options.acceptLoss) throw on.refusal('empty-file', `Cannot open ${files.database}: the file is empty`)
  if (acked > 0 && !options.acceptLoss)
    throw on.refusal('missing', `Cannot open ${files.database}: it is gone, though revision ${acked} was acknowledged`)
  if (there) notes.push(`the empty database file is now ${on.setAside(files)}`)
  on.install(files, () => connect(files.incoming, options).close())
}

/** A lost log leaves an older, consistent state that SQLite is happy with; only the high-water mark knows better. */
function checkRevision(db: DatabaseSync, files: on.StoreFiles, options: ConnectionOptions, notes: string[]): void {
  const acked = on.readHighwater(files)
  const { revision } = readState(db)
  if (revision > 0 && acked === 0) notes.push('the highwater file was gone, so a loss would not have been noticed')
  if (revision < acked && !options.acceptLoss)
    throw on.refusal('behind', `Cannot open ${files.database}: it ends at revision ${revision}, but ${acked} was acknowledged`)
  const { damaged, missing } = options.acceptLoss ? inspect(db) : { damaged: [], missing: 0 }
  if (revision >= acked && damaged.length === 0 && missing === 0) return
  startOver(db, Math.max(revision, acked) + 1, damaged)
  notes.push(`loss accepted: ${acked} acknowledged, ${revision} found, ${missing} rows missing, damaged and dropped: [${damaged}]`)
}

function operate(db: DatabaseSync, files: on.StoreFiles, unlock: () => void, notes: readonly string[]) {
  const { revision, compacted, kept } = readState(db)
  const known = { revision, compacted, kept, loaded: 0 }
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)')
  const remove = db.prepare('DELETE FROM events WHERE rev = ?')
  const note = db.prepare('UPDATE state SET compacted = ?, kept = ?')
  if (!fs.existsSync(files.ballast)) on.attempt(() => fs.writeFileSync(files.ballast, Buffer.alloc(2 << 20)))
  const highwater = on.openHighwater(files, revision)

  /** A full disk is a clean refusal. After any other error nobody knows what was kept, and this connection must not be asked again. */
  function transaction(what: string, work: () => void): void {
    try {
      db.exec('BEGIN IMMEDIATE')
      work()
      db.exec('COMMIT')
    } catch (error) {
      const fault = on.meaning(error, files.database)
      if (fault.code !== 'store/full') throw new Fault('store/outcome-unknown', `Cannot tell whether ${what} was kept: ${fault.message}`)
      if (db.isTransaction) db.exec('ROLLBACK')
      fs.rmSync(files.ballast, { force: true }) // compaction needs room to make room
      throw fault
    }
  }

  return {
    notes,
    state: { revision, compacted },
    /** The next rows, a few megabytes of them; none at the end, when all must have been seen. */
    load(after: number): Row[] {
      const rows: Row[] = []
      let bytes = 0
      for (const { rev, row } of rowsAfter(db, after)) {
        if (!row) throw on.refusal('damaged', `Cannot read ${files.database}: revision ${rev} fails its checksum`)
        rows.push(row)
        bytes += row.value.length
        if (bytes > 4 << 20 || rows.length === 2_000) break
      }
      known.loaded += rows.length
      const expected = known.kept + known.revision - known.compacted
      if (rows.length > 0 || known.loaded === expected) return rows
      throw on.refusal('damaged', `Cannot read ${files.database}: ${known.loaded} rows are there, ${expected} should be`)
    },
    append(batch: readonly Row[]): void {
      const last = batch.at(-1)?.revision ?? known.revision
      transaction(`revision ${last}`, () => {
        for (const row of batch) insert.run(row.revision, rowTypes.indexOf(row.type), row.key, rowCrc(row), row.value)
      })
      known.revision = last
      on.writeHighwater(highwater, last)
    },
    compact(to: number, drop: readonly number[]): void {
      const next = { compacted: Math.max(to, known.compacted), kept: known.kept + Math.max(0, to - known.compacted) - drop.length }
      transaction(`compaction to ${to}`, () => {
        for (const rev of drop) remove.run(rev)
        note.run(next.compacted, next.kept)
      })
      Object.assign(known, next)
    },
    backup(path: string): number {
      copyTo(db, path)
      return known.revision
    },
    /** Gives a few free pages back to the disk; true while there are more. */
    vacuum(): boolean {
      const free = Number(pragma(db, 'freelist_count'))
      if (free > 1_000) db.exec('PRAGMA incremental_vacuum(200)')
      return free > 1_200
    },
    close(): void {
      fs.closeSync(highwater)
      db.close()
      unlock()
    },
  }
}
