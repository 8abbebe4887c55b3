import { closeSync, copyFileSync, existsSync } from 'node:fs'
import { connect, inspect, readState, startOver } from './database.ts'
import { install, lockStore, meaning, openHighwater, readHighwater, refusal, setAside, storeFiles } from './files.ts'

/** Clients may remember revisions that the backup never saw; further ahead than this nobody can be. */
const leap = 1_000_000

/** Puts a backup in the place of the store; what was there is kept beside it. Nobody may have the store open. */
export async function restoreBackup(from: string, directory: string): Promise<{ readonly revision: number; readonly replaced?: string }> {
  if (!existsSync(from))
    throw refusal('no-backup', `Cannot restore ${from}: there is no such file`, 'Name a file that `rackwright backup` made.')
  const files = storeFiles(directory)
  const unlock = lockStore(files)
  try {
    let replaced: string | undefined
    let revision = readHighwater(files)
    install(files, () => {
      copyFileSync(from, files.incoming)
      const db = connect(files.incoming, { writer: 'rackwright' })
      try {
        const { damaged, missing } = inspect(db)
        if (damaged.length > 0 || missing !== 0)
          throw refusal('damaged', `Cannot restore ${from}: ${damaged.length} rows are damaged, ${missing} missing`, 'Use another backup.')
        revision = Math.max(readState(db).revision, revision) + leap
        startOver(db, revision, [])
      } finally {
        db.close()
      }
      if (existsSync(files.database)) replaced = setAside(files)
    })
    closeSync(openHighwater(files, revision))
    return { revision, ...(replaced === undefined ? {} : { replaced }) }
  } catch (error) {
    throw meaning(error, from)
  } finally {
    unlock()
  }
}
