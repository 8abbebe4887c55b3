import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { randomIds } from '../src/net/random-ids.ts'
import { virtualClock } from '../src/sim/clock/virtual.ts'
import { personalities } from '../src/sim/personalities/index.ts'
import { openRack, type Rack } from '../src/sim/rack.ts'
import type { Benchmark } from './result.ts'

const servers = 10_000

/** What a simulated BMC costs over the tree that all BMCs of its make share: as it comes, and while it is in use. */
const benchmark: Benchmark = {
  name: 'rack',
  run: async () => {
    const collect = collector()
    const clock = virtualClock()
    const build = (count: number): Rack =>
      openRack({
        clock,
        ids: randomIds,
        servers: Array.from({ length: count }, (_, n) => ({
          name: `server-${n}`,
          personality: personalities[n % personalities.length]!.name,
        })),
        world: { fetch: async () => ({ status: 200, headers: {}, body: new Uint8Array() }) },
      })
    // The trees of all makes are there before the count begins, and once more in the rack that is measured.
    const trees = (await costOf(collect, async () => build(personalities.length))).bytes
    const bare = await costOf(collect, async () => build(servers))
    const inUse = await costOf(collect, async () => {
      for (const server of bare.made.servers) await use(bare.made, server)
      for (let n = 0; n < 1_000_000 && clock.timers > 0; n++) {
        if (n % 1_000 === 0) await clock.settle()
        clock.advance(clock.elapsed() + 3_600_000)
      }
      await clock.settle()
    })
    const copied = await costOf(collect, async () => Promise.all(Array.from({ length: 100 }, () => copyOf(bare.made, 'server-6'))))
    const perBmc = (bare.bytes - trees) / servers
    return [
      {
        name: `${servers} BMCs as they come, against a resource tree for each`,
        ours: perBmc,
        baseline: copied.bytes / 100,
        unit: 'bytes each',
        target: { atMost: 2048, of: 'ours' },
      },
      {
        name: `${servers} BMCs after a login, a medium, a BIOS setting and a boot`,
        ours: perBmc + inUse.bytes / servers,
        baseline: copied.bytes / 100,
        unit: 'bytes each',
        target: { atMost: 2048, of: 'ours' },
      },
    ]
  },
}
export default benchmark

/** A garbage collector that runs when it is told to. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

async function costOf<T>(collect: () => void, make: () => Promise<T>): Promise<{ readonly bytes: number; readonly made: T }> {
  const settled = (): number => {
    for (let round = 0; round < 4; round++) collect()
    return process.memoryUsage().heapUsed
  }
  const before = settled()
  const made = await make()
  return { bytes: settled() - before, made }
}

/** What every server has while somebody works with it. */
async function use(rack: Rack, server: string): Promise<void> {
  const { ids, machine } = rack.personality(server)
  const body = Buffer.from(JSON.stringify({ UserName: rack.username, Password: rack.password(server) }))
  const login = await rack.handle(server, { method: 'POST', url: '/redfish/v1/SessionService/Sessions', headers: {}, body })
  const headers = { 'x-auth-token': login.headers['x-auth-token'] ?? '' }
  const reset = Buffer.from(JSON.stringify({ ResetType: 'On' }))
  const host = rack.machine(server)
  host.armed = { target: 'Pxe', lasts: 'Once', mode: 'UEFI', uri: `http://boot.example/${server}`, uefiTarget: null }
  host.media = { Cd: { image: `http://images.example/${server}.iso`, writeProtected: true, method: 'Stream' } }
  host.biosPending = { [Object.keys(machine.bios)[0]!]: Object.values(machine.bios)[0]! }
  await rack.handle(server, {
    method: 'POST',
    url: `/redfish/v1/Systems/${ids.system}/Actions/ComputerSystem.Reset`,
    headers,
    body: reset,
  })
}

/** What a simulator without a shared tree would hold for each BMC: all its resources, parsed. */
async function copyOf(rack: Rack, server: string): Promise<ReadonlyMap<string, unknown>> {
  const authorization = `Basic ${Buffer.from(`${rack.username}:${rack.password(server)}`).toString('base64')}`
  const copies = new Map<string, unknown>()
  const queue = ['/redfish/v1']
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    if (copies.has(url)) continue
    const answer = await rack.handle(server, { method: 'GET', url, headers: { authorization } })
    const text = Buffer.from(answer.body as Uint8Array).toString('utf8')
    copies.set(url, JSON.parse(text))
    for (const match of text.matchAll(/"@odata.id":"([^"#]+)"/g)) queue.push(match[1]!)
  }
  return copies
}
