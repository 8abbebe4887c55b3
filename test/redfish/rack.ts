import { minutes } from '../../src/core/duration.ts'
import { type BmcAccess, silent } from '../../src/ports/index.ts'
import { type OpenBmc, openBmc } from '../../src/redfish/index.ts'
import type { Timeline } from '../../src/sim/clock/timeline.ts'
import { virtualClock } from '../../src/sim/clock/virtual.ts'
import { openRack, type Rack, type RackOptions } from '../../src/sim/rack.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'

export interface Racked {
  readonly rack: Rack
  readonly clock: Timeline
  readonly bmc: OpenBmc
  readonly access: BmcAccess
  /** Lets time pass until the work is done. */
  done<T>(work: Promise<T>): Promise<T>
  pass(ms: number): Promise<void>
}

const firmware = { fetch: async () => ({ status: 200, headers: {}, body: Buffer.from('sim-firmware: BIOS 2.0.0') }) }

/** One simulated server in virtual time, opened. */
export async function racked(make = 'generic', options: Partial<RackOptions> = { world: firmware }): Promise<Racked> {
  const clock = virtualClock()
  const rack = openRack({ clock, ids: seededIds(seeded('client')), servers: [{ name: 's1', personality: make }], ...options })
  const pass = async (ms: number): Promise<void> => {
    const until = clock.elapsed() + ms
    do await clock.settle()
    while (clock.advance(until))
  }
  const access: BmcAccess = {
    address: 's1.test',
    tls: { trust: 'System' },
    credentials: async () => ({ username: rack.username, password: rack.password('s1') }),
  }
  const bmc = await openBmc(access, { clock, log: silent, transport: rack.transport('s1') })
  return { rack, clock, bmc, access, pass, done: work => driven(clock, work) }
}

async function driven<T>(clock: Timeline, work: Promise<T>): Promise<T> {
  let settled = false
  const note = (): void => {
    settled = true
  }
  work.then(note, note)
  const until = clock.elapsed() + minutes(60)
  for (;;) {
    await clock.settle()
    if (settled) return work
    if (!clock.advance(until)) throw new Error('nothing came of it within an hour')
  }
}
