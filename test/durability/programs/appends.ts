// Appends a few small batches one after the other and says each answer. Usage: appends.ts <directory> <count> [die]
import { openSqliteStore } from '../../../src/apiserver/store/sqlite.ts'
import { silent } from '../../../src/ports/index.ts'
import { say } from './say.ts'

const [directory = '', count = '5', end] = process.argv.slice(2)
const store = await openSqliteStore(directory, { log: silent })
for (let n = 0; n < Number(count); n++) {
  const revision = store.state().revision + 1
  await store.append([{ revision, type: 'update', key: `/things/${revision % 10}`, value: Buffer.from(`{"value":"number ${revision}"}`) }])
  say(`ack ${revision}`)
}
if (end === 'die') process.kill(process.pid, 'SIGKILL')
await store.close()
