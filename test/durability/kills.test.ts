import { expect, it } from 'vitest'
import { openSqliteStore } from '../../src/apiserver/store/sqlite.ts'
import { type Change, openWorld } from '../../src/apiserver/world/index.ts'
import { silent } from '../../src/ports/index.ts'
import { folder, runProgram } from './child.ts'
import { dice } from './programs/dice.ts'

const kills = Number(process.env['RACKWRIGHT_KILLS'] ?? 20)
const things = 'test/things'

/** Everything the killed processes ever said to a writer or a watcher. */
interface Said {
  /** The newest acknowledged write of each key. */
  readonly acks: Map<string, { readonly revision: number; readonly there: boolean }>
  /** Revision → what watchers heard of it. */
  readonly events: Map<number, string>
  newest: number
}

function listen(said: Said, lines: readonly string[]): void {
  const heard = new Map<string, number>()
  let opened = 0
  for (const line of lines) {
    const [what, ...words] = line.split(' ')
    expect(what, line).not.toBe('early')
    if (what === 'open') {
      opened = Number(words[0])
      expect(opened, 'the newest revision that was acknowledged or shown').toBeGreaterThanOrEqual(said.newest)
      for (const revision of said.events.keys()) if (revision > opened) said.events.delete(revision)
    } else if (what === 'event') {
      const [watcher = '', at, ...rest] = words
      const revision = Number(at)
      expect(revision, `${watcher} heard ${line}`).toBe((heard.get(watcher) ?? opened) + 1)
      heard.set(watcher, revision)
      expect(said.events.get(revision) ?? rest.join(' ')).toBe(rest.join(' '))
      said.events.set(revision, rest.join(' '))
      said.newest = Math.max(said.newest, revision)
    } else if (what === 'ack') {
      const [at, key = '', state] = words
      said.acks.set(key, { revision: Number(at), there: state === 'there' })
      said.newest = Math.max(said.newest, Number(at))
    }
  }
}

async function checkStore(said: Said, directory: string): Promise<{ revision: number; rows: number }> {
  const store = await openSqliteStore(directory, { log: silent })
  const world = await openWorld({ store, log: silent })
  const history: Change[] = []
  world.subscribe(things, world.compacted, changes => history.push(...changes))
  expect(world.revision).toBeGreaterThanOrEqual(said.newest)
  expect(history.map(change => change.revision)).toEqual(history.map((_, i) => world.compacted + 1 + i))
  expect(world.compacted + history.length).toBe(world.revision)
  for (const { type, entry, revision } of history)
    expect(said.events.get(revision) ?? `${type} ${entry.key} ${entry.object['count']}`).toBe(
      `${type} ${entry.key} ${entry.object['count']}`,
    )
  for (const [key, ack] of said.acks) {
    const now = world.get(things, key)
    const removedLater = history.some(change => change.type === 'DELETED' && change.entry.key === key && change.revision > ack.revision)
    expect(now ? now.revision >= ack.revision : !ack.there || removedLater, `${key} acknowledged at ${ack.revision}`).toBe(true)
    if (now && !ack.there) expect(now.revision).toBeGreaterThan(ack.revision)
  }
  const found = { revision: world.revision, rows: world.count(things) }
  await world.close()
  return found
}

it(
  `${kills} SIGKILLs under writers, watchers and compaction lose nothing acknowledged, take no revision back and leave no gap`,
  async () => {
    const directory = folder()
    const said: Said = { acks: new Map(), events: new Map(), newest: 0 }
    const roll = dice(kills)
    let revision = 0
    for (let kill = 1; kill <= kills; kill++) {
      // Some die while they start, most in the middle of the load.
      let left = kill % 7 === 0 ? 1 + roll(2) : 100 + roll(1_500)
      const { signal, lines } = await runProgram('hammer', [directory, String(kill)], (_, child) => {
        left--
        if (left === 0) child.kill('SIGKILL')
      })
      expect(signal).toBe('SIGKILL')
      listen(said, lines)
      // Now and then the next victim finds the log as the dead left it.
      if (kill % 3 === 0 && kill !== kills) continue
      const found = await checkStore(said, directory)
      expect(found.revision).toBeGreaterThanOrEqual(revision)
      revision = found.revision
    }
    expect(said.acks.size).toBeGreaterThan(30)
    expect(revision, 'compaction had something to do').toBeGreaterThan(300)
  },
  60_000 + kills * 5_000,
)
