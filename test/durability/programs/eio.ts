// Writes through a world until it was refused once and took writes again; says what happened. Usage: eio.ts <directory>
import { openSqliteStore } from '../../../src/apiserver/store/sqlite.ts'
import { openWorld } from '../../../src/apiserver/world/index.ts'
import { silent } from '../../../src/ports/index.ts'
import { say } from './say.ts'

const [directory = ''] = process.argv.slice(2)
const open = () => openSqliteStore(directory, { log: silent })
const world = await openWorld({ store: await open(), log: silent, reopen: open })
world.subscribe('/things', 0, changes => {
  for (const { revision } of changes) say(`event ${revision}`)
})
let refused = 0
let after = 0
for (let n = 0; n < 3_000 && after < 5; n++) {
  try {
    const object = { apiVersion: 'v1', kind: 'Thing', metadata: { name: `t${n}` } }
    const { revision } = await world.write('/things', `t${n}`, () => ({ put: object }))
    say(`ack ${revision}`)
    if (refused > 0) after++
  } catch (error) {
    if (refused === 0) say(`refused ${String(error)}`)
    refused++
    // The store is being opened again in its thread: let its messages in.
    await new Promise(resolve => setImmediate(resolve))
  }
}
await world.close()
say('end')
