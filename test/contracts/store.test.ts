import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryDisk, memoryStore } from '../../src/apiserver/store/memory.ts'
import { restoreBackup } from '../../src/apiserver/store/restore.ts'
import { openSqliteStore } from '../../src/apiserver/store/sqlite.ts'
import { silent } from '../../src/ports/index.ts'
import { type StorePlace, storeContract } from './store.ts'

const inMemory = (disk = memoryDisk()): StorePlace => ({
  open: async () => memoryStore(disk),
  backupName: name => name,
  restored: async name => inMemory(disk.backups.get(name)),
  remove: async () => {},
})

async function onDisk(): Promise<StorePlace> {
  const directory = await mkdtemp(join(tmpdir(), 'rackwright-store-'))
  return {
    open: () => openSqliteStore(join(directory, 'data'), { log: silent }),
    backupName: name => join(directory, name),
    restored: async name => {
      const place = await onDisk()
      await restoreBackup(name, join(place.backupName('data')))
      return place
    },
    remove: () => rm(directory, { recursive: true }),
  }
}

storeContract('memory', async () => inMemory())
storeContract('SQLite', onDisk)
