import { resolve } from 'node:path'
import { restoreBackup } from '../../apiserver/store/restore.ts'
import { homeAt, prepareHome } from '../home.ts'
import { markRestored } from '../restored.ts'
import { refuseWhileRunning } from '../running.ts'
import { secretsKey } from '../secrets-key.ts'
import { voidBoots } from '../void-boots.ts'

export async function restore(options: Readonly<Record<string, unknown>>, file = ''): Promise<number> {
  const home = homeAt(options)
  prepareHome(home)
  await refuseWhileRunning(home)
  const { revision, replaced } = await restoreBackup(resolve(file), home.store)
  const ended = await voidBoots(home.store, secretsKey(home))
  markRestored(home)
  console.log(`Restored ${resolve(file)} into ${home.store}, revisions go on from ${revision}.`)
  if (replaced !== undefined) console.log(`What was there before is kept at ${replaced}.`)
  if (ended.length > 0) console.log(`Boots that were open in the backup are void: ${ended.join(', ')}.`)
  console.log('The next start looks at every server once before it touches any.')
  return 0
}
