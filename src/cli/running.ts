import { existsSync } from 'node:fs'
import { lockStore, storeFiles } from '../apiserver/store/files.ts'
import { Fault } from '../core/fault.ts'
import type { Home } from './home.ts'

/** True while another process holds this home's store. The store's own lock is the only witness: it cannot outlive its process. */
export function isRunning(home: Home): boolean {
  if (!existsSync(home.store)) return false
  try {
    lockStore(storeFiles(home.store))()
    return false
  } catch (error) {
    if (error instanceof Fault && error.code === 'store/locked') return true
    throw error
  }
}

export async function refuseWhileRunning(home: Home): Promise<void> {
  if (!isRunning(home)) return
  throw new Fault('home/in-use', `Cannot change ${home.root}: a running Rackwright uses it`, 'never', {
    hint: 'stop it first (Ctrl-C in its terminal), then run this again',
  })
}
