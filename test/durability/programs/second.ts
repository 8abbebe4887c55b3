// Tries to open a store and says how that went. Usage: second.ts <directory>
import { openSqliteStore } from '../../../src/apiserver/store/sqlite.ts'
import { Fault } from '../../../src/core/fault.ts'
import { silent } from '../../../src/ports/index.ts'
import { say } from './say.ts'

try {
  const store = await openSqliteStore(process.argv[2] ?? '', { log: silent })
  say(`open ${store.state().revision}`)
  await store.close()
} catch (error) {
  say(error instanceof Fault ? `${error.code} ${error.message}` : String(error))
}
