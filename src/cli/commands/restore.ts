import { resolve } from 'node:path'
import { restoreBackup } from '../../apiserver/store/restore.ts'
import { homeAt, prepareHome } from '../home.ts'
import { refuseWhileRunning } from '../running.ts'

export async function restore(options: Readonly<Record<string, unknown>>, file = ''): Promise<number> {
  const home = homeAt(options)
  prepareHome(home)
  await refuseWhileRunning(home)
  const { revision, replaced } = await restoreBackup(resolve(file), home.store)
  console.log(`Restored ${resolve(file)} into ${home.store}, revisions go on from ${revision}.`)
  if (replaced !== undefined) console.log(`What was there before is kept at ${replaced}.`)
  return 0
}
