// Fills a small disk through a world, says what was refused, and shows that reads and, after making room, writes go on. Usage: fill.ts <directory>

import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '../../../src/api/status.ts'
import { openSqliteStore } from '../../../src/apiserver/store/sqlite.ts'
import { openWorld } from '../../../src/apiserver/world/index.ts'
import { silent } from '../../../src/ports/index.ts'
import { say } from './say.ts'

const [directory = ''] = process.argv.slice(2)
const open = () => openSqliteStore(directory, { log: silent })
const world = await openWorld({ store: await open(), log: silent, reopen: open })
const acknowledged = new Map<string, number>()
let refusals = 0
let after = 0
for (let n = 0; n < 5_000 && after < 20; n++) {
  const key = `t${n % 5}`
  const object = { apiVersion: 'v1', kind: 'Thing', metadata: { name: key }, filling: String(n % 10).repeat(20_000) }
  try {
    const { revision } = await world.write('/things', key, () => ({ put: object }))
    acknowledged.set(key, revision)
    if (refusals > 0) after++
  } catch (error) {
    if (!ApiError.is(error, 'ServiceUnavailable')) throw error
    if (refusals === 0) say(`refused ${error.message}`)
    refusals++
    for (const [name, revision] of acknowledged) if (world.get('/things', name)?.revision !== revision) say(`lost ${name}`)
    // Compaction runs in the store's thread: let its messages in.
    await new Promise(resolve => setImmediate(resolve))
  }
}
await world.close()
// Not a byte is left when the next one starts.
const filler = openSync(join(directory, 'filler'), 'w')
try {
  for (let n = 0; n < 100_000; n++) writeSync(filler, Buffer.alloc(4_096))
} catch {
  closeSync(filler)
}
const again = await openWorld({ store: await open(), log: silent })
for (const [name, revision] of acknowledged) if (again.get('/things', name)?.revision !== revision) say(`lost ${name} after reopening`)
say(`written ${again.revision} refused ${refusals > 0} went on ${after === 20}`)
await again.close()
