import { expect, it } from 'vitest'
import { openSqliteStore } from '../../src/apiserver/store/sqlite.ts'
import { openWorld } from '../../src/apiserver/world/index.ts'
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

/** What a store holds when it is opened. */
interface Opened {
  readonly revision: number
  readonly compacted: number
  readonly live: ReadonlyMap<string, number>
  /** Revision and what its watch event says, for everything after the compaction. */
  readonly history: readonly (readonly [number, string])[]
}

/** Every opening, by a victim or by this test, must hold what was said before; what was written and never answered is learned from it. */
function check(said: Said, opened: Opened): void {
  const { revision, compacted, live, history } = opened
  expect(revision, 'the newest revision that was acknowledged or shown').toBeGreaterThanOrEqual(said.newest)
  expect(history.map(([at]) => at)).toEqual(Array.from({ length: revision - compacted }, (_, i) => compacted + 1 + i))
  for (const [at, event] of history) expect(said.events.get(at) ?? event, `revision ${at}`).toBe(event)
  for (const [key, ack] of said.acks) {
    const now = live.get(key)
    const removedLater = history.some(([at, event]) => at > ack.revision && event.startsWith(`DELETED ${key} `))
    const why = `${key} acknowledged at ${ack.revision}, ${ack.there ? 'there' : 'gone'}; history from ${compacted} to ${revision}`
    expect(now === undefined ? !ack.there || removedLater : now > ack.revision || (ack.there && now === ack.revision), why).toBe(true)
  }
  said.acks.clear()
  for (const [key, at] of live) said.acks.set(key, { revision: at, there: true })
  said.newest = revision
}

function listen(said: Said, lines: readonly string[]): void {
  const heard = new Map<string, number>()
  const live = new Map<string, number>()
  const history: (readonly [number, string])[] = []
  let opened = 0
  for (const line of lines) {
    const [what, ...words] = line.split(' ')
    expect(what, line).not.toBe('early')
    if (what === 'has') live.set(words[1] ?? '', Number(words[0]))
    else if (what === 'past') history.push([Number(words[0]), words.slice(1).join(' ')])
    else if (what === 'open') {
      opened = Number(words[0])
      check(said, { revision: opened, compacted: Number(words[1]), live, history })
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

async function checkStore(said: Said, directory: string): Promise<void> {
  const world = await openWorld({ store: await openSqliteStore(directory, { log: silent }), log: silent })
  const history: (readonly [number, string])[] = []
  world.subscribe(things, world.compacted, changes => {
    for (const { revision, type, entry } of changes) history.push([revision, `${type} ${entry.key} ${entry.object['count']}`])
  })
  const live = new Map(world.list(things).map(entry => [entry.key, entry.revision]))
  check(said, { revision: world.revision, compacted: world.compacted, live, history })
  await world.close()
}

it(
  `${kills} SIGKILLs under writers, watchers and compaction lose nothing acknowledged, take no revision back and leave no gap`,
  async () => {
    const directory = folder()
    const said: Said = { acks: new Map(), events: new Map(), newest: 0 }
    const roll = dice(kills)
    for (let kill = 1; kill <= kills; kill++) {
      // Some die while they start, most in the middle of the load.
      let left = kill % 7 === 0 ? 1 + roll(200) : 400 + roll(1_500)
      const { signal, lines } = await runProgram('hammer', [directory, String(kill)], (_, child) => {
        left--
        if (left === 0) child.kill('SIGKILL')
      })
      expect(signal).toBe('SIGKILL')
      listen(said, lines)
      // Now and then the next victim finds the log as the dead left it.
      if (kill % 3 === 0 && kill !== kills) continue
      await checkStore(said, directory)
    }
    expect(said.acks.size).toBeGreaterThan(30)
    expect(said.newest, 'compaction had something to do').toBeGreaterThan(300)
  },
  60_000 + kills * 5_000,
)
