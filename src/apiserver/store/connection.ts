import { closeSync, existsSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { Fault } from '../../core/fault.ts'
import type { Row } from '../../ports/index.ts'
import { connect, copyTo, type Found, inspect, pragma, readState, rowCrc, rowTypes, soundRow, startOver } from './database.ts'
import * as on from './files.ts'

export interface ConnectionOptions {
  readonly directory: string
  readonly acceptLoss?: boolean
  readonly writer: string
  readonly maxPages?: number
}
export type Connection = ReturnType<typeof operate>

/** The one connection to the database, in whatever thread it is opened. Everything blocks. */
export function openConnection(options: ConnectionOptions): Connection {
  const files = on.storeFiles(options.directory)
  const unlock = on.lockStore(files)
  const notes: string[] = []
  try {
    prepareFile(files, options, notes)
    const db = connect(files.database, options)
    try {
      checkRevision(db, files, options, notes)
      return operate(db, files, unlock, notes)
    } catch (error) {
      db.close()
      throw error
    }
  } catch (error) {
    unlock()
    throw on.meaning(error, files.database)
  }
}

/** A store that held something is never mistaken for a new one. */
function prepareFile(files: on.StoreFiles, options: ConnectionOptions, notes: string[]): void {
  on.removeIncoming(files)
  const acked = on.readHighwater(files)
  const there = existsSync(files.database)
  if (there && statSync(files.database).size > 0) return
  if (there && !options.acceptLoss) throw on.refusal('empty-file', `Cannot open ${files.database}: the file is empty`)
  if (acked > 0 && !options.acceptLoss)
    throw on.refusal('missing', `Cannot open ${files.database}: it is gone, though revision ${acked} was acknowledged`)
  if (there) notes.push(`the empty database file is now ${on.setAside(files)}`)
  connect(files.incoming, { ...options, create: true }).close()
  on.installIncoming(files)
}

/** A lost log leaves an older, consistent state that SQLite is happy with; only the high-water mark knows better. */
function checkRevision(db: DatabaseSync, files: on.StoreFiles, options: ConnectionOptions, notes: string[]): void {
  const acked = on.readHighwater(files)
  const { revision } = readState(db)
  if (revision > 0 && !existsSync(files.highwater)) notes.push('the highwater file was gone, so a loss would not have been noticed')
  if (!options.acceptLoss) {
    if (revision >= acked) return
    throw on.refusal('behind', `Cannot open ${files.database}: it ends at revision ${revision}, but ${acked} was acknowledged`)
  }
  const { damaged, missing } = inspect(db)
  if (revision >= acked && damaged.length === 0 && missing === 0) return
  startOver(db, Math.max(revision, acked) + 1, damaged)
  notes.push(`loss accepted: ${acked} acknowledged, ${revision} found, ${missing} rows missing, damaged and dropped: [${damaged}]`)
}

function operate(db: DatabaseSync, files: on.StoreFiles, unlock: () => void, notes: readonly string[]) {
  const { revision, compacted, kept } = readState(db)
  const known = { revision, compacted, kept, loaded: 0 }
  const insert = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)')
  const select = db.prepare('SELECT * FROM events WHERE rev > ? ORDER BY rev')
  const remove = db.prepare('DELETE FROM events WHERE rev = ?')
  const note = db.prepare('UPDATE state SET compacted = ?, kept = ?')
  if (!existsSync(files.ballast)) writeFileSync(files.ballast, Buffer.alloc(2 << 20))
  writeFileSync(files.highwater, on.highwaterText(revision))
  const highwater = openSync(files.highwater, 'r+')

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
      rmSync(files.ballast, { force: true }) // compaction needs room to make room
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
      for (const found of select.iterate(after) as Iterable<unknown> as Iterable<Found>) {
        const row = soundRow(found)
        if (!row) throw on.refusal('damaged', `Cannot read ${files.database}: revision ${found.rev} fails its checksum`)
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
      writeSync(highwater, on.highwaterText(last), 0)
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
      closeSync(highwater)
      db.close()
      unlock()
    },
  }
}
