import type { Millis } from '../src/core/duration.ts'
import { silent } from '../src/ports/index.ts'
import { bmcPool } from '../src/redfish/index.ts'
import type { Timeline } from '../src/sim/clock/timeline.ts'
import { virtualClock } from '../src/sim/clock/virtual.ts'
import { openRack } from '../src/sim/rack.ts'
import { seeded, seededIds } from '../src/sim/seed.ts'
import type { Benchmark } from './result.ts'
import { together } from './things.ts'

const servers = 10_000
/** Lognormal: half of the answers within 0.3 s, one in a hundred takes more than 5 s. */
const typical = 300
const spread = Math.log(5_000 / typical) / 2.3263
/** A healthy BMC is not slower than this; what is slower belongs to the sick. */
const slowest = 20_000

interface Sweep {
  /** From the first question until the last server was heard or given up, in simulated milliseconds. */
  readonly took: Millis
  readonly healthyP99: Millis
  readonly heard: number
}

/** Asks every server of a rack for its power state, in simulated time. */
const benchmark: Benchmark = {
  name: 'rack-sweep',
  run: async () => {
    const sick = await sweeps('with the dead', true, servers)
    const well = await sweeps('without the dead', false, servers)
    // A fleet manager with eight workers, as Ironic's conductor and BMO have them, in the same rack.
    const eight = await sweeps('with the dead', true, 8)
    return [
      {
        name: `power sweep of ${servers} BMCs, 1 % dead and 1 % flapping, against eight workers`,
        ours: sick.again.took / 1_000,
        baseline: eight.again.took / 1_000,
        unit: 's simulated',
        target: { atMost: 120, of: 'ours' },
      },
      {
        name: 'the same at first contact: logins and discovery included',
        ours: sick.first.took / 1_000,
        baseline: eight.first.took / 1_000,
        unit: 's simulated',
        target: { atMost: 120, of: 'ours' },
      },
      {
        name: 'p99 of the healthy in that sweep, against a rack where all are healthy',
        ours: sick.again.healthyP99 / 1_000,
        baseline: well.again.healthyP99 / 1_000,
        unit: 's simulated',
        target: { atMost: 1.05 },
      },
    ]
  },
}
export default benchmark

async function sweeps(seed: string, faulty: boolean, workers: number): Promise<{ readonly first: Sweep; readonly again: Sweep }> {
  const clock = virtualClock()
  const random = seeded(`rack-sweep ${seed}`)
  const names = Array.from({ length: servers }, (_, n) => `server-${n}`)
  const rack = openRack({
    clock,
    ids: seededIds(random.fork('ids')),
    servers: names.map(name => ({ name })),
    latency: () => Math.min(slowest, typical * Math.exp(spread * normal(() => random.next()))),
  })
  const sick = (n: number): 'dead' | 'flapping' | undefined =>
    !faulty ? undefined : n % 100 === 7 ? 'dead' : n % 100 === 57 ? 'flapping' : undefined
  for (const [n, name] of names.entries()) {
    if (sick(n) === 'dead') rack.fault(name, 'no-answer')
    if (sick(n) === 'flapping') rack.fault(name, 'flapping-link')
  }
  const pool = bmcPool({
    clock,
    log: silent,
    access: async server => ({
      address: `https://${server}.sim`,
      tls: { trust: 'System' },
      credentials: async () => ({ username: rack.username, password: rack.password(server) }),
    }),
    transport: ({ address }) => rack.transport(new URL(address).hostname.replace('.sim', '')),
  })
  const sweep = async (): Promise<Sweep> => {
    const began = clock.elapsed()
    const waits: Millis[] = []
    let heard = 0
    await together(workers, servers, async n => {
      const asked = clock.elapsed()
      try {
        await pool.use(names[n]!, bmc => bmc.power.state())
        heard++
      } catch {
        if (sick(n) === undefined) throw new Error(`${names[n]} is healthy and was not heard`)
      }
      if (sick(n) === undefined) waits.push(clock.elapsed() - asked)
    })
    waits.sort((a, b) => a - b)
    return { took: clock.elapsed() - began, healthyP99: waits[Math.floor(waits.length * 0.99)]!, heard }
  }
  const first = await passing(clock, sweep())
  const again = await passing(clock, sweep())
  if (again.heard < servers * 0.98) throw new Error(`only ${again.heard} of ${servers} were heard`)
  return { first, again }
}

/** Lets time pass until the work is done. */
async function passing<T>(clock: Timeline, work: Promise<T>): Promise<T> {
  let over = false
  const end = (): void => {
    over = true
  }
  void work.then(end, end)
  while (!over) {
    await clock.settle()
    if (!over && !clock.advance(clock.elapsed() + 3_600_000)) throw new Error('nothing moves any more and the sweep is not over')
  }
  return work
}

/** Box and Muller's way from even to normal chance. */
function normal(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}
