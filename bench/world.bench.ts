import { memoryStore } from '../src/apiserver/store/memory.ts'
import { openWorld, watchLine } from '../src/apiserver/world/index.ts'
import { silent } from '../src/ports/index.ts'
import { type Benchmark, median, type Result } from './result.ts'
import { clocked, thing, things, together } from './things.ts'

const objects = 50_000
const watchers = 1_000
const events = 500

/** What the world costs without a disk. The floors are what no server can avoid: serialising an object, copying a list, handing over bytes. */
const benchmark: Benchmark = {
  name: 'world',
  run: async () => {
    const world = await openWorld({ store: memoryStore(), log: silent })
    const write = await clocked(() =>
      together(32, objects, n => world.write(things, `ns-${n % 50}/server-${n}`, () => ({ put: thing(n) }))),
    )
    const floor = await clocked(async () => {
      for (let n = 0; n < objects; n++) Buffer.from(JSON.stringify(thing(n)))
    })

    const list = await medianOf(async () => {
      await world.write(things, 'ns-1/server-1', () => ({ put: thing(1) }))
      if (world.list(things).length !== objects) throw new Error('the list is not whole')
    })
    const array = world.list(things)
    const copy = await medianOf(async () => {
      if (array.slice().length !== objects) throw new Error('the copy is not whole')
    })

    let sent = 0
    const ends = Array.from({ length: watchers }, () =>
      world.subscribe(things, world.revision, changes => {
        for (const change of changes) sent += watchLine(change, change.type).length
      }),
    )
    const fanOut = await clocked(() => together(32, events, n => world.write(things, `ns-2/watched-${n}`, () => ({ put: thing(n) }))))
    for (const end of ends) end()
    const lines = Array.from({ length: events }, (_, n) => Buffer.from(JSON.stringify(thing(n))))
    let handed = 0
    const handOver = await clocked(async () => {
      for (const line of lines) for (let watcher = 0; watcher < watchers; watcher++) handed += line.length
    })
    if (sent < handed) throw new Error('watchers were sent too little')

    const figures: Result[] = [
      {
        name: 'world write, against JSON.stringify',
        ours: (write.cpu * 1e3) / objects,
        baseline: (floor.cpu * 1e3) / objects,
        unit: 'us',
        target: { atMost: 4 },
      },
      {
        name: 'list of 50,000 after a write, against a copy of the list',
        ours: list * 1e3,
        baseline: copy * 1e3,
        unit: 'us',
        target: { atMost: 3 },
      },
      {
        name: 'watch event to 1,000 watchers, against adding up its bytes',
        ours: (fanOut.cpu * 1e6) / (events * watchers),
        baseline: (handOver.cpu * 1e6) / (events * watchers),
        unit: 'ns each',
        target: { atMost: 20 },
      },
    ]
    await world.close()
    return figures
  },
}
export default benchmark

async function medianOf(work: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 51; round++) times.push((await clocked(work)).wall)
  return median(times)
}
