import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '../../core/fault.ts'

/** Where a store lies. While it is open nothing here opens `*.db` by node:fs: closing such a descriptor drops SQLite's locks. */
export const storeFiles = (directory: string) => ({
  directory,
  database: join(directory, 'store.db'),
  incoming: join(directory, 'store.db.new'),
  lock: join(directory, 'lock.db'),
  holder: join(directory, 'lock.info'),
  highwater: join(directory, 'highwater'),
  ballast: join(directory, 'ballast'),
})
export type StoreFiles = ReturnType<typeof storeFiles>

export const orRestore = 'Restore a backup with `rackwright restore`, or go on with what can still be read with `--accept-loss`.'
export const refusal = (code: string, message: string, hint: string = orRestore, cause?: unknown): Fault =>
  new Fault(`store/${code}`, message, 'when-changed', { hint, cause })

/** What SQLite means by an error, and what to do about it. */
export function meaning(error: unknown, path: string): Fault {
  if (error instanceof Fault) return error
  const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff
  const said = (what: string) => `Cannot ${what} ${path}: ${error instanceof Error ? error.message : String(error)}`
  if (code === 5) return refusal('locked', said('open'), 'Stop the program that has it open, or use another state folder.', error)
  if (code === 13) return refusal('full', said('write to'), 'Free some space on the disk that holds the state folder.', error)
  if (code === 1 || code === 11 || code === 26) return refusal('damaged', said('read'), orRestore, error)
  return refusal('unusable', said('use'), 'Check that the folder is on a local disk and that this user may write to it.', error)
}

/** One process at a time: an open transaction on a tiny database of its own, which the kernel ends with the process. */
export function lockStore(files: StoreFiles): () => void {
  let lock: DatabaseSync | undefined
  try {
    mkdirSync(files.directory, { recursive: true, mode: 0o700 })
    lock = new DatabaseSync(files.lock, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    writeFileSync(files.holder, `process ${process.pid}, started ${new Date(Date.now() - process.uptime() * 1_000).toISOString()}`)
    return () => lock?.close()
  } catch (error) {
    lock?.close()
    const fault = meaning(error, files.directory)
    if (fault.code !== 'store/locked' || !existsSync(files.holder)) throw fault
    throw refusal('locked', `Cannot open the store in ${files.directory}: ${readFileSync(files.holder)} has it open`, fault.hint, error)
  }
}

/** The last revision committed here, as the file beside the database remembers it; never ahead of the data. */
export function readHighwater(files: StoreFiles): number {
  const text = existsSync(files.highwater) ? readFileSync(files.highwater, 'latin1') : highwaterText(0)
  if (/^\d{16}\n$/.test(text)) return Number(text)
  throw refusal('damaged', `Cannot trust ${files.highwater}: it holds no revision`, 'If the rest of the folder is sound, remove this file.')
}
export const highwaterText = (revision: number): string => `${String(revision).padStart(16, '0')}\n`

export function flush(path: string): void {
  const fd = openSync(path, 'r')
  fsyncSync(fd)
  closeSync(fd)
}

/** Moves what stands in the database's place out of the way, with its log, under a name that is free. */
export function setAside(files: StoreFiles): string {
  let n = 1
  while (existsSync(`${files.database}.replaced-${n}`)) n++
  for (const end of ['-wal', '']) {
    if (existsSync(files.database + end)) renameSync(files.database + end, `${files.database}.replaced-${n}${end}`)
  }
  return `${files.database}.replaced-${n}`
}

export function removeIncoming(files: StoreFiles): void {
  for (const end of ['', '-wal', '-journal']) rmSync(files.incoming + end, { force: true })
}

/** Puts a finished database in its place: whoever looks finds all of it or nothing. */
export function installIncoming(files: StoreFiles): void {
  flush(files.incoming)
  renameSync(files.incoming, files.database)
  flush(files.directory)
}
