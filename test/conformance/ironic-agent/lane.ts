import { httpTransport } from '../../../src/net/client.ts'
import { serve } from '../../../src/net/server.ts'
import { wallClock } from '../../../src/net/wall-clock.ts'
import { silent } from '../../../src/ports/index.ts'
import type { HostOrder } from '../../../src/ports/provisioner.ts'
import { agentCalls } from '../../../src/provisioner/agent/calls.ts'
import { type AgentDesk, openDesk } from '../../../src/provisioner/agent/desk.ts'
import { directEngine } from '../../../src/provisioner/direct/index.ts'
import { fixedRamdisks } from '../../../src/provisioner/ramdisk/fixed.ts'
import { bmcPool } from '../../../src/redfish/index.ts'
import { generic } from '../../../src/sim/personalities/generic.ts'
import { openRack, type Rack } from '../../../src/sim/rack.ts'
import { seeded, seededIds } from '../../../src/sim/seed.ts'
import type { Bringing } from '../../contracts/provisioner/bring.ts'
import { host } from '../../contracts/provisioner/host.ts'
import { type AgentProcess, freePort, startAgent } from './real-agent.ts'

/** A simulated machine that starts a real agent where it boots the ramdisk, and our engine over both. */
export interface Lane extends Bringing {
  readonly host: HostOrder
  readonly rack: Rack
  readonly desk: AgentDesk
  /** Those that were started, the last one last. */
  readonly agents: readonly AgentProcess[]
  stop(): Promise<void>
}

const iso = 'https://images.example/ramdisk.iso'
const mac = '00:5c:52:00:00:01'
const quick = { powerOn: 200, powerOff: 200, graceful: 300, post: 300, osStart: 100, install: 100, bmcRestart: 500, update: 1_000 }

export async function openLane(folder: string, systemBus?: string): Promise<Lane> {
  const clock = wallClock
  const log = silent
  const desk = openDesk({ clock, log, key: Buffer.alloc(32, 5) })
  const serving = await serve({ host: '127.0.0.1', port: 0, clock, log, handler: (request, peer) => desk.handler(request, peer) })
  const port = await freePort()
  const agents: AgentProcess[] = []
  let ending: Promise<unknown> = Promise.resolve()
  const rack = openRack({
    clock,
    ids: seededIds(seeded('lane')),
    servers: [{ name: 'srv-1', personality: { ...generic, machine: { ...generic.machine, times: quick } } }],
    world: {
      fetch: async ({ url }) => ({ status: url === iso ? 200 : 404, headers: {}, body: Buffer.from('a disc') }),
      program({ url }) {
        if (url === iso) void ending.then(() => agents.push(startAgent(folder, { api: serving.url, mac, port, inspects: true, systemBus })))
        return []
      },
    },
  })
  // Who cuts the power ends what runs.
  rack.onEvent(({ what }) => {
    if (what === 'power' || what === 'reset') ending = Promise.all(agents.map(agent => agent.stop()))
  })
  const pool = bmcPool({
    clock,
    log,
    access: async () => ({
      address: 'https://srv-1',
      tls: { trust: 'System' },
      credentials: async () => ({ username: rack.username, password: rack.password('srv-1') }),
    }),
    transport: () => rack.transport('srv-1'),
  })
  const engine = directEngine(pool, {
    desk,
    calls: agentCalls({ clock, transport: ({ url, ca }) => httpTransport({ baseUrl: url, tls: { authority: ca } }) }),
    ramdisks: fixedRamdisks({ any: { iso } }),
    papers: { of: async () => ({ userData: 'for the step to find' }) },
  })
  return {
    host: { ...host, macs: [mac] },
    clock,
    rack,
    desk,
    agents,
    engine: () => engine,
    pass: ms => clock.sleep(Math.min(ms, 250)),
    during: work => work,
    async stop() {
      await ending
      await Promise.all(agents.map(agent => agent.stop()))
      await pool.close()
      await serving.close()
    },
  }
}
