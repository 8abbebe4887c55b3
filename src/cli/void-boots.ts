import { sealedStore } from '../apiserver/store/sealed.ts'
import { openSqliteStore } from '../apiserver/store/sqlite.ts'
import { openWorld } from '../apiserver/world/index.ts'
import { isObject } from '../core/json.ts'
import type { KubeObject } from '../core/object.ts'
import { silent } from '../ports/index.ts'

const servers = 'metal.ironcore.dev/servers'

/**
 * Ends every boot that a backup shows as open. Nobody knows what happened since: a machine that was being installed then may be somebody's
 * running system now, so nothing is served for it and nothing goes on by itself. Nobody may have the store open.
 */
export async function voidBoots(folder: string, key: Uint8Array): Promise<readonly string[]> {
  const store = sealedStore(await openSqliteStore(folder, { log: silent }), key)
  const world = await openWorld({ store, log: silent })
  try {
    const open = world.list(servers).filter(({ object }) => voided(object) !== undefined)
    for (const { key } of open)
      await world.write(servers, key, current => {
        const put = current && voided(current.object)
        return put ? { put } : { keep: current! }
      })
    return open.map(({ key }) => key)
  } finally {
    await world.close()
  }
}

/** The same server with its boot ended; undefined where none was open. */
export function voided(server: KubeObject): KubeObject | undefined {
  const { status } = server
  const boot = isObject(status) && isObject(status['boot']) ? status['boot'] : undefined
  if (!isObject(status) || !boot || boot['step'] === 'Ended') return undefined
  const because = 'the state was restored from a backup'
  return { ...server, status: { ...status, boot: { ...boot, step: 'Ended', serves: false, outcome: 'Voided', because } } }
}
