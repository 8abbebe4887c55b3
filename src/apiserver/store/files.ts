import * as fs from 'node:fs'
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

const orRestore = 'Restore a backup with `rackwright restore`, or go on with what can still be read with `--accept-loss`.'
export const refusal = (code: string, message: string, hint: string = orRestore): Fault =>
  new Fault(`store/${code}`, message, 'when-changed', { hint })

/** What SQLite or the disk means by an error, and what to do about it. */
export function meaning(error: unknown, path: string): Fault {
  if (error instanceof Fault) return error
  const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff
  const said = `${path}: ${error instanceof Error ? error.message : String(error)}`
  if (code === 5) return refusal('locked', `Cannot open ${said}`, 'Stop the program that has it open, or use another state folder.')
  if (code === 13) return refusal('full', `Cannot write to ${said}`, 'Free some space on the disk that holds the state folder.')
  if (code === 1 || code === 11 || code === 26) return refusal('damaged', `Cannot read ${said}`)
  return refusal('unusable', `Cannot use ${said}`, 'Check that the folder is on a local disk and that this user may write to it.')
}

/** For what is good to have and must not stop a start, above all on a full disk. */
export function attempt(work: () => void): void {
  try {
    work()
  } catch {}
}

/** One process at a time: an open transaction on a tiny database of its own, which the kernel ends with the process. */
export function lockStore(files: StoreFiles): () => void {
  let lock: DatabaseSync | undefined
  try {
    fs.mkdirSync(files.directory, { recursive: true, mode: 0o700 })
    lock = new DatabaseSync(files.lock, { timeout: 0 })
    // An empty database would be written to at every BEGIN, which a full disk refuses.
    if (fs.statSync(files.lock).size === 0) lock.exec('PRAGMA user_version=1')
    lock.exec('BEGIN EXCLUSIVE')
    attempt(() => fs.writeFileSync(files.holder, `process ${process.pid}, started ${new Date(performance.timeOrigin).toISOString()}`))
    return () => lock?.close()
  } catch (error) {
    lock?.close()
    const fault = meaning(error, files.directory)
    if (fault.code !== 'store/locked' || !fs.existsSync(files.holder)) throw fault
    throw refusal('locked', `Cannot open the store in ${files.directory}: ${fs.readFileSync(files.holder)} has it open`, fault.hint)
  }
}

/** The last revision committed here, as a file beside the database remembers it; never ahead of the data. Empty: its creation was cut short. */
export function readHighwater(files: StoreFiles): number {
  const text = fs.existsSync(files.highwater) ? fs.readFileSync(files.highwater, 'latin1') : ''
  if (text === '' || /^\d{16}\n$/.test(text)) return Number(text)
  throw refusal('damaged', `Cannot trust ${files.highwater}: it holds no revision`, 'If the rest of the folder is sound, remove this file.')
}
/** Always the same length in the same place: neither a kill nor a full disk can leave half of it. */
export const writeHighwater = (fd: number, revision: number): number => fs.writeSync(fd, `${String(revision).padStart(16, '0')}\n`, 0)
export function openHighwater(files: StoreFiles, revision: number): number {
  const fd = fs.openSync(files.highwater, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600)
  writeHighwater(fd, revision)
  fs.fsyncSync(fd)
  return fd
}

export function flush(path: string): void {
  const fd = fs.openSync(path, 'r')
  fs.fsyncSync(fd)
  fs.closeSync(fd)
}

/** Puts the database that `make` makes under a temporary name in its place: whoever looks finds all of it or nothing. */
export function install(files: StoreFiles, make: () => void): void {
  const clear = () => ['', '-wal', '-journal'].map(end => fs.rmSync(files.incoming + end, { force: true }))
  try {
    clear()
    make()
    flush(files.incoming)
    fs.renameSync(files.incoming, files.database)
    flush(files.directory)
  } finally {
    clear()
  }
}

/** Moves what stands in the database's place out of the way, with its log, under a name that is free. */
export function setAside(files: StoreFiles): string {
  let n = 1
  while (fs.existsSync(`${files.database}.replaced-${n}`)) n++
  const aside = `${files.database}.replaced-${n}`
  if (fs.existsSync(`${files.database}-wal`)) fs.renameSync(`${files.database}-wal`, `${aside}-wal`)
  fs.renameSync(files.database, aside)
  return aside
}
