import { Fault } from '../../../src/core/fault.ts'
import type { Bmc, BmcPool } from '../../../src/ports/bmc.ts'
import type { ProcessPorts } from '../../../src/sim/process.ts'
import type { Lab } from './lab.ts'

type Target = Parameters<Bmc['boot']['once']>[0]

/** The BMCs of the rack as one process holds them: each call of a role is open to faults. */
export const faultyPool = (ports: ProcessPorts, { pool }: Pick<Lab, 'pool'>): BmcPool => ({
  ...pool,
  use: (server, work, signal) => pool.use(server, bmc => work(through(ports, server, bmc)), signal),
})

/** Calls carry the machine's name first, so that the log says of whom it speaks; addresses carry tickets and stay out of it. */
function through(ports: ProcessPorts, server: string, bmc: Bmc): Bmc {
  let uri: string | undefined
  let iso = ''
  const { media, firmware } = bmc
  const device = ports.device(
    'bmc',
    {
      glance: (_: string, signal?: AbortSignal) => bmc.glance(signal),
      override: (_: string, signal?: AbortSignal) => bmc.boot.override(signal),
      inventory: (_: string, signal?: AbortSignal) => bmc.inventory.read(signal),
      health: (_: string, signal?: AbortSignal) => bmc.manager.health(signal),
      once: (_: string, target: Target, signal?: AbortSignal) => bmc.boot.once(target, uri, signal),
      always: async (_: string, target: Target, signal?: AbortSignal) => bmc.boot.always?.(target, signal),
      clear: (_: string, signal?: AbortSignal) => bmc.boot.clear(signal),
      set: (_: string, to: 'On' | 'Off' | 'Cycle', how: 'graceful' | 'forced', signal?: AbortSignal) => bmc.power.set(to, how, signal),
      slots: async (_: string, signal?: AbortSignal) => (await media?.slots(signal)) ?? [],
      insert: async (_: string, slot: string, signal?: AbortSignal) => media?.insert(slot, iso, signal),
      eject: async (_: string, slot: string, signal?: AbortSignal) => media?.eject(slot, signal),
      running: async (_: string, signal?: AbortSignal) => (await firmware?.running(signal)) ?? [],
    },
    ['glance', 'override', 'inventory', 'health', 'slots', 'running'],
  )
  const known = unreachable(server)
  return {
    ...bmc,
    glance: signal => known(device.glance(server, signal)),
    power: { ...bmc.power, set: (to, how, signal) => known(device.set(server, to, how, signal)) },
    boot: {
      ...bmc.boot,
      override: signal => known(device.override(server, signal)),
      once(target, address, signal) {
        uri = address
        return known(device.once(server, target, signal))
      },
      ...(bmc.boot.always ? { always: (target: Target, signal?: AbortSignal) => known(device.always(server, target, signal)) } : {}),
      clear: signal => known(device.clear(server, signal)),
    },
    inventory: { read: signal => known(device.inventory(server, signal)) },
    manager: { ...bmc.manager, health: signal => known(device.health(server, signal)) },
    ...(media
      ? {
          media: {
            slots: signal => known(device.slots(server, signal)),
            insert(slot, address, signal) {
              iso = address
              return known(device.insert(server, slot, signal))
            },
            eject: (slot, signal) => known(device.eject(server, slot, signal)),
          },
        }
      : {}),
    ...(firmware ? { firmware: { ...firmware, running: signal => known(device.running(server, signal)) } } : {}),
  }
}

/** A call that was broken off is known to whoever made it as a BMC that cannot be reached. */
export const unreachable =
  (server: string) =>
  async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer
    } catch (error) {
      if (error instanceof Fault) throw error
      throw new Fault('bmc/unreachable', `Cannot reach the BMC of ${server}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
