import { hours } from '../src/core/duration.ts'
import type { Benchmark, Result } from './result.ts'
import { type Counts, heapUsed, rackWorld } from './runtime.ts'
import { clocked } from './things.ts'

const objects = 10_000
const exactly = (name: string, ours: number, expected: number, unit: string): Result[] => [
  { name, ours, baseline: expected, unit, target: { exactly: 1 } },
]

/** What controllers cost that have nothing to do: requests counted exactly, memory against the objects' JSON, looks per processor second. */
const benchmark: Benchmark = {
  name: 'runtime',
  run: async () => [...(await steady()), ...(await remoteCache()), ...(await linear())],
}
export default benchmark

async function steady(): Promise<readonly Result[]> {
  const world = await rackWorld(objects)
  const first = await world.start('one process')
  const before = world.counts()
  await world.pass(hours(1))
  const warm = world.counts()
  const idle = await clocked(() => world.pass(hours(4)))
  const hour = world.counts()
  await first.stop()

  const empty = heapUsed()
  let controllers = first
  const restart = await clocked(async () => {
    controllers = await world.start('one process')
  })
  const again = world.counts()
  const shared = heapUsed() - empty
  const copies = (objects - world.shared()) / objects
  await controllers.stop()
  await world.close()
  if (before.looks !== objects || warm.looks !== 6 * objects || hour.looks !== 24 * objects) throw new Error('not every rack was looked at')
  return [
    {
      name: 'writes in a steady hour of 10,000 objects, per object',
      ours: warm.writes + hour.writes,
      baseline: objects,
      unit: 'writes',
      target: { atMost: 0 },
    },
    ...exactly('lists at a restart with 10,000 objects', again.lists, 1, 'lists'),
    { name: 'writes at a restart, per object', ours: again.writes, baseline: objects, unit: 'writes', target: { atMost: 0 } },
    ...exactly('looks at a restart, against one per object', again.looks, objects, 'looks'),
    {
      name: 'copies of each object in one process, besides the server’s',
      ours: copies,
      baseline: 1,
      unit: 'copies',
      target: { atMost: 0 },
    },
    {
      name: 'heap of queue, index and memory in one process, against the JSON',
      ours: shared,
      baseline: world.bytes,
      unit: 'bytes',
      target: { atMost: 0.5 },
    },
    {
      name: 'looks that find nothing to do, per processor second, against 20,000',
      ours: (hour.looks * 1e3) / idle.cpu,
      baseline: 20_000,
      unit: '/s',
      target: { atLeast: 1 },
    },
    {
      name: 'restart with 10,000 objects: looks per processor second, against 20,000',
      ours: (again.looks * 1e3) / restart.cpu,
      baseline: 20_000,
      unit: '/s',
      target: { atLeast: 1 },
    },
  ]
}

/** A cache over the network, where every object is a parse of its own. */
async function remoteCache(): Promise<readonly Result[]> {
  const world = await rackWorld(objects)
  const before = heapUsed()
  const controllers = await world.start('remote')
  const used = heapUsed() - before
  await controllers.stop()
  await world.close()
  return [
    {
      name: 'heap of a cache of 10,000 objects over the network, against their JSON',
      ours: used,
      baseline: world.bytes,
      unit: 'bytes',
      target: { atMost: 1.5 },
    },
  ]
}

/** Everything that is counted in a first start, an hour and a restart, for 50,000 objects and for 1,000. */
async function linear(): Promise<readonly Result[]> {
  const small = await story(1_000)
  const large = await story(50_000)
  return (['looks', 'writes'] as const).map(what => ({
    name: `${what} of 50,000 objects, against 50 times those of 1,000`,
    ours: large[what],
    baseline: small[what] * 50,
    unit: what,
    target: { atMost: 1 },
  }))
}

async function story(count: number): Promise<Counts> {
  const world = await rackWorld(count, { looked: true })
  const first = await world.start('one process')
  await world.pass(hours(1))
  await first.stop()
  const second = await world.start('one process')
  await second.stop()
  await world.close()
  return world.counts()
}
