// Writes, watches and compacts without end, and says what was acknowledged. Usage: hammer.ts <directory> <seed>
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore } from '../../../src/apiserver/store/sqlite.ts'
import { type Change, type OpenWorld, openWorld } from '../../../src/apiserver/world/index.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import { silent } from '../../../src/ports/index.ts'
import { dice } from './dice.ts'
import { say } from './say.ts'

const [directory = '', seed = '1'] = process.argv.slice(2)
const things = 'test/things'
const roll = dice(Number(seed))

/** The worker notes each COMMIT in this file before it replies: whatever is said above it was said too early. */
function notEarly(revision: number): void {
  const committed = Number(readFileSync(join(directory, 'highwater'), 'latin1'))
  if (revision > committed) say(`early ${revision} ${committed}`)
}

const telling = (watcher: string) => (changes: readonly Change[]) => {
  for (const { revision, type, entry } of changes) {
    notEarly(revision)
    say(`event ${watcher} ${revision} ${type} ${entry.key} ${String(entry.object['count'])}`)
  }
}

/** Leaves after every few changes and comes back for what it has not heard, as a client does whose connection breaks. */
function restless(world: OpenWorld, from: number): void {
  let left = 1 + roll(20)
  let last = from
  const end = world.subscribe(things, from, changes => {
    telling('restless')(changes)
    last = changes.at(-1)!.revision
    left -= changes.length
    if (left <= 0)
      queueMicrotask(() => {
        end()
        restless(world, last)
      })
    if (left <= 0) left = Number.POSITIVE_INFINITY
  })
}

async function writer(world: OpenWorld, name: string): Promise<never> {
  for (;;) {
    const key = `${name}/${roll(6)}`
    const entry = await world.write(things, key, current => {
      if (current && roll(5) === 0) return { remove: current.object }
      const count = Number(current?.object['count'] ?? 0) + 1
      const object: KubeObject = { apiVersion: 'test/v1', kind: 'Thing', metadata: { name: key }, count, filling: 'x'.repeat(roll(6_000)) }
      return { put: object }
    })
    notEarly(entry.revision)
    say(`ack ${entry.revision} ${key} ${world.get(things, key)?.revision === entry.revision ? 'there' : 'gone'}`)
  }
}

say('boot')
const world = await openWorld({ store: await openSqliteStore(directory, { log: silent }), log: silent, compactAfter: 150 })
for (const { key, revision } of world.list(things)) say(`has ${revision} ${key}`)
world.subscribe(things, world.compacted, changes => {
  for (const { revision, type, entry } of changes) say(`past ${revision} ${type} ${entry.key} ${String(entry.object['count'])}`)
})()
say(`open ${world.revision} ${world.compacted}`)
world.subscribe(things, world.revision, telling('steady'))
restless(world, world.revision)
await Promise.all(Array.from({ length: 12 }, (_, i) => writer(world, `w${i}`)))
