// The same appends on a connection of the test's own, with the safety the test asks for. Usage: raw.ts <directory> <count> <OFF|FULL>
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { say } from './say.ts'

const [directory = '', count = '5', synchronous = 'FULL'] = process.argv.slice(2)
const db = new DatabaseSync(join(directory, 'store.db'))
db.exec(
  `PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=${synchronous}; CREATE TABLE events(rev INTEGER PRIMARY KEY)`,
)
for (let n = 1; n <= Number(count); n++) {
  db.exec(`BEGIN IMMEDIATE; INSERT INTO events VALUES (${n}); COMMIT`)
  say(`ack ${n}`)
}
