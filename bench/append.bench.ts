import { openSqliteStore } from '../src/apiserver/store/sqlite.ts'
import { openWorld } from '../src/apiserver/world/index.ts'
import { silent } from '../src/ports/index.ts'
import { type Etcd, findEtcd, startEtcd } from './etcd.ts'
import { servedBy, type Times } from './process.ts'
import { type Benchmark, median, type Result } from './result.ts'
import { clocked, inFolder, thing, things, together } from './things.ts'

const loads = [
  { writers: 1, count: 300 },
  { writers: 32, count: 4_000 },
  { writers: 256, count: 8_000 },
]
const rounds = 3
const skipped = { skipped: 'no etcd; build one with tools/kube/build etcd' }

/** Durable creates of 3 KB objects: ours through the world in this process, etcd's through gRPC on loopback. Both flush before they answer. */
const benchmark: Benchmark = {
  name: 'append',
  run: () =>
    inFolder(async directory => {
      const world = await openWorld({ store: await openSqliteStore(directory, { log: silent }), log: silent })
      const program = findEtcd()
      const etcd = program === undefined ? undefined : await startEtcd(program)
      let made = 0
      const ours = (n: number) => world.write(things, `server-${n}`, () => ({ put: thing(n) }))
      const theirs = (n: number) => etcd?.put(`/registry/${n}`, Buffer.from(JSON.stringify(thing(n)))) ?? Promise.resolve()
      const results: Result[] = []
      for (const { writers, count } of loads) {
        const samples: Sample[] = []
        for (let round = 0; round < rounds; round++) {
          const first = made
          made += count
          const us = () => clocked(() => together(writers, count, n => ours(first + n)))
          const them = () => clockedEtcd(etcd, () => together(writers, count, n => theirs(first + n)))
          // In turns, so that a noisy neighbour hits both.
          samples.push(round % 2 === 0 ? { us: await us(), them: await them() } : { them: await them(), us: await us() })
        }
        results.push(...figures(writers, count, samples, etcd !== undefined))
      }
      await etcd?.stop()
      await world.close()
      return results
    }),
}
export default benchmark

interface Sample {
  readonly us: Times
  readonly them: Times
}

async function clockedEtcd(etcd: Etcd | undefined, work: () => Promise<unknown>): Promise<Times> {
  if (!etcd) return { wall: Number.NaN, cpu: Number.NaN }
  return servedBy(etcd.pid, work)
}

function figures(writers: number, count: number, samples: readonly Sample[], compared: boolean): Result[] {
  const perSecond = (times: readonly Times[]) => (count * 1_000) / median(times.map(({ wall }) => wall))
  const cpuEach = (times: readonly Times[]) => (median(times.map(({ cpu }) => cpu)) * 1_000) / count
  const us = samples.map(sample => sample.us)
  const them = samples.map(sample => sample.them)
  const clients = writers === 1 ? '1 writer' : `${writers} writers`
  return [
    {
      name: `durable creates, ${clients}`,
      ours: perSecond(us),
      baseline: compared ? perSecond(them) : skipped,
      unit: '1/s',
      target: { atLeast: 1 },
    },
    {
      name: `processor time per create, ${clients}`,
      ours: cpuEach(us),
      baseline: compared ? cpuEach(them) : skipped,
      unit: 'us',
      target: { atMost: 1 },
    },
  ]
}
