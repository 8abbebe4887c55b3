import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { httpTransport } from '../src/net/client.ts'
import { wallClock } from '../src/net/wall-clock.ts'
import { silent } from '../src/ports/index.ts'
import { bmcPool } from '../src/redfish/index.ts'
import { addressOf } from '../src/sim/redfish/addresses.ts'
import { cpuOf } from './process.ts'
import type { Benchmark } from './result.ts'
import { inFolder, together } from './things.ts'

const servers = 1_000
const atOnce = 64

/** A sweep over real sockets: the simulated rack in a process of its own, its processor time told apart from ours. */
const benchmark: Benchmark = {
  name: 'rack-https',
  run: () =>
    inFolder(async home => {
      const rack = await startRack(home)
      try {
        const floor = await measured(rack.pid, () => together(atOnce, servers, n => bareLook(rack, n)))
        const pool = bmcPool({
          clock: wallClock,
          log: silent,
          access: async server => ({
            address: `https://${server}:${rack.port}`,
            tls: { ca: rack.authority },
            credentials: async () => ({ username: 'admin', password: 'rackwright' }),
          }),
        })
        const look = (n: number) => pool.use(addressOf(n), bmc => bmc.power.state())
        const first = await measured(rack.pid, () => together(atOnce, servers, look))
        const again = await measured(rack.pid, () => together(atOnce, servers, look))
        await pool.close()
        return [
          {
            name: `power sweep of ${servers} BMCs over HTTPS, against a new connection and one bare GET each`,
            ours: again.cpu / servers,
            baseline: floor.cpu / servers,
            unit: 'ms of our processor each',
            target: { atMost: 0.5 },
          },
          {
            name: 'the same at first contact: connection, login and discovery',
            ours: first.cpu / servers,
            baseline: floor.cpu / servers,
            unit: 'ms of our processor each',
            target: { atMost: 6 },
          },
          {
            name: 'wall time of the first sweep, both sides on this machine',
            ours: first.wall / 1_000,
            baseline: floor.wall / 1_000,
            unit: 's',
            target: { atMost: 120, of: 'ours' },
          },
          {
            name: 'the simulator itself in that sweep, against what it costs us',
            ours: first.theirs / servers,
            baseline: first.cpu / servers,
            unit: 'ms of its processor each',
            target: { atMost: 2 },
          },
        ]
      } finally {
        await rack.stop()
      }
    }),
}
export default benchmark

interface RunningRack {
  readonly pid: number | undefined
  readonly port: string
  readonly authority: string
  stop(): Promise<void>
}

async function startRack(home: string): Promise<RunningRack> {
  const main = join(import.meta.dirname, '../src/main.ts')
  const words = [main, 'sim', '--servers', String(servers), '--make', 'generic', '--port', '0', '--home', home]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.once('close', () => reject(new Error('Cannot start the rack: it ended before it was up')))
    createInterface({ input: child.stdout }).on('line', line => {
      if (line.startsWith('Ctrl-C')) resolve()
    })
  })
  const { admin, authority } = JSON.parse(readFileSync(join(home, 'sim.json'), 'utf8')) as { admin: string; authority: string }
  return {
    pid: child.pid,
    port: new URL(admin).port,
    authority,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function measured(pid: number | undefined, work: () => Promise<unknown>) {
  const [began, own, theirs] = [performance.now(), process.cpuUsage(), cpuOf(pid)]
  await work()
  const used = process.cpuUsage(own)
  return { wall: performance.now() - began, cpu: (used.user + used.system) / 1_000, theirs: cpuOf(pid) - theirs }
}

/** The least that a look at a power state can cost somebody who keeps no connection. */
async function bareLook({ port, authority }: RunningRack, n: number): Promise<void> {
  const transport = httpTransport({ baseUrl: `https://${addressOf(n)}:${port}`, tls: { authority } })
  const authorization = `Basic ${Buffer.from('admin:rackwright').toString('base64')}`
  const answer = await transport({ method: 'GET', url: '/redfish/v1/Systems/1', headers: { authorization } })
  if (answer.status !== 200) throw new Error(`Cannot look at ${addressOf(n)}: it answered ${answer.status}`)
  await transport.close()
}
