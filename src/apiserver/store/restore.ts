import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { connect, inspect, readState, startOver } from './database.ts'
import { flush, highwaterText, installIncoming, lockStore, readHighwater, refusal, removeIncoming, setAside, storeFiles } from './files.ts'

/** Clients may remember revisions that the backup never saw; further ahead than this nobody can be. */
const leap = 1_000_000

/** Puts a backup in the place of the store; what was there is kept beside it. Nobody may have the store open. */
export async function restoreBackup(from: string, directory: string): Promise<{ readonly revision: number; readonly replaced?: string }> {
  if (!existsSync(from))
    throw refusal('no-backup', `Cannot restore ${from}: there is no such file`, 'Name a file that `rackwright backup` made.')
  const files = storeFiles(directory)
  const unlock = lockStore(files)
  try {
    removeIncoming(files)
    copyFileSync(from, files.incoming)
    const db = connect(files.incoming, { writer: 'rackwright' })
    const { damaged, missing } = inspect(db)
    const revision = Math.max(readState(db).revision, readHighwater(files)) + leap
    startOver(db, revision, damaged)
    db.close()
    if (damaged.length > 0 || missing !== 0)
      throw refusal('damaged', `Cannot restore ${from}: ${damaged.length} rows are damaged, ${missing} missing`, 'Use another backup.')
    const replaced = existsSync(files.database) ? setAside(files) : undefined
    installIncoming(files)
    writeFileSync(files.highwater, highwaterText(revision), { flush: true })
    flush(directory)
    return { revision, ...(replaced === undefined ? {} : { replaced }) }
  } finally {
    removeIncoming(files)
    unlock()
  }
}
