import { randomIds } from '../../net/random-ids.ts'
import { wallClock } from '../../net/wall-clock.ts'
import type { Log } from '../../ports/index.ts'
import { hurriedClock } from '../../sim/clock/hurried.ts'
import { processClock } from '../../sim/clock/process-clock.ts'
import { newLife } from '../../sim/life.ts'
import type { Times } from '../../sim/machine/model.ts'
import type { BootWorld } from '../../sim/machine/world.ts'
import { personalities } from '../../sim/personalities/index.ts'
import type { Personality } from '../../sim/personalities/personality.ts'
import { openRack, type Rack } from '../../sim/rack.ts'
import { type Listening, listen } from '../../sim/redfish/listen.ts'

export interface DemoRackOptions {
  readonly servers: number
  /** Further machines, which are told to the API as BareMetalHosts. */
  readonly hosts?: number
  readonly makes: readonly string[]
  /** How much faster than real ones the machines are. */
  readonly speed: number
  /** What runs on them is in the same hurry, with every wait of its own. */
  readonly everywhere?: boolean
  readonly log: Log
  readonly world: BootWorld
  /** Of the BMCs; 0 picks a free one. */
  readonly port?: number
}

export interface DemoRack {
  readonly rack: Rack
  readonly listening: Listening
  /** Opens its switches. */
  readonly adminToken: string
  close(): Promise<void>
}

/** Which of a rack's machines are hosts of Metal3. */
export const isHost = (name: string): boolean => name.startsWith('host-')

/** Four makes that every data centre has. */
export const demoMakes = ['dell', 'hpe', 'lenovo', 'supermicro'] as const

/** Simulated servers in this process, their BMCs over HTTPS on loopback: everything that speaks to them speaks to sockets. */
export async function openDemoRack(options: DemoRackOptions): Promise<DemoRack> {
  const { servers, hosts = 0, makes, speed, everywhere = false, log, world, port = 0 } = options
  const machines = (called: string, many: number) =>
    Array.from({ length: many }, (_, n) => ({ name: `${called}-${n + 1}`, personality: made[n % made.length] ?? 'generic' }))
  const made = makes.map(make => (everywhere ? make : hastened(make, speed)))
  // Machines go on by themselves; with their clock they end when the rack does.
  const life = newLife()
  const rack = openRack({
    clock: processClock(everywhere ? hurriedClock(wallClock, speed) : wallClock, life),
    ids: randomIds,
    world,
    servers: [...machines('server', servers), ...machines('host', hosts)],
    username: 'admin',
    password: randomIds.nonce(12),
  })
  // Addresses that machines boot from carry tickets, which belong in no log.
  rack.onEvent(event => log.info(`${event.server} ${event.what}`, 'from' in event ? { from: event.from } : {}))
  const adminToken = randomIds.nonce(24)
  const listening = await listen(rack, { clock: wallClock, log, port, adminToken })
  return {
    rack,
    listening,
    adminToken,
    async close() {
      await listening.close()
      life.die()
    },
  }
}

/** The same make, in a hurry. What people set by hand or over the network takes the time that it takes. */
export function hastened(make: string, speed: number): Personality | string {
  const found = personalities.find(({ name }) => name === make)
  if (!found) return make
  const times = Object.fromEntries(Object.entries(found.machine.times).map(([what, ms]) => [what, ms / speed])) as unknown as Times
  return { ...found, machine: { ...found.machine, times } }
}
