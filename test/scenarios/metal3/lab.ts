import { seconds } from '../../../src/core/duration.ts'
import type { BmcPool } from '../../../src/ports/bmc.ts'
import { type Clock, silent } from '../../../src/ports/index.ts'
import { bmcPool } from '../../../src/redfish/index.ts'
import { generic } from '../../../src/sim/personalities/generic.ts'
import type { Personality } from '../../../src/sim/personalities/personality.ts'
import { openRack, type Rack, type RackEvent } from '../../../src/sim/rack.ts'
import { type Random, seededIds } from '../../../src/sim/seed.ts'

export const disc = 'https://images.example/live.iso'

/** One machine for stories of a host, and a place where its disc can be fetched. */
export interface HostLab {
  readonly rack: Rack
  readonly happened: RackEvent[]
  /** The real client. It is part of the world: what a process that died had asked for still arrives. */
  readonly pool: BmcPool
}

const quick: Personality = {
  ...generic,
  machine: { ...generic.machine, times: { ...generic.machine.times, post: seconds(40), osStart: seconds(10), graceful: seconds(10) } },
}

export function openHostLab({ clock, random }: { readonly clock: Clock; readonly random: Random }): HostLab {
  const happened: RackEvent[] = []
  const bytes = new TextEncoder().encode('live')
  const rack = openRack({
    clock,
    ids: seededIds(random.fork('rack')),
    servers: [{ name: 'srv-1', personality: quick }],
    world: {
      fetch: async ({ url }) => ({ status: url === disc ? 200 : 404, headers: { 'content-length': String(bytes.length) }, body: bytes }),
      program: () => [],
    },
  })
  rack.onEvent(event => void happened.push(event))
  const pool = bmcPool({
    clock,
    log: silent,
    access: async () => ({
      address: 'https://srv-1',
      tls: { trust: 'System' },
      credentials: async () => ({ username: rack.username, password: rack.password('srv-1') }),
    }),
    transport: () => rack.transport('srv-1'),
  })
  return { rack, happened, pool }
}
