import { Fault } from '../../../src/core/fault.ts'
import type { Bmc, BmcPool } from '../../../src/ports/bmc.ts'
import { bmcPool } from '../../../src/redfish/index.ts'
import type { ProcessPorts } from '../../../src/sim/process.ts'
import type { Lab } from './lab.ts'

type Target = Parameters<Bmc['boot']['once']>[0]

/** The BMCs of the rack as one process holds them: the real client behind, each call of a role open to faults. */
export function faultyPool(ports: ProcessPorts, { rack }: Lab): BmcPool {
  const real = bmcPool({
    clock: ports.clock,
    log: ports.log,
    access: async name => ({
      address: `https://${name}`,
      tls: { trust: 'System' },
      credentials: async () => ({ username: rack.username, password: rack.password(name) }),
    }),
    transport: ({ address }) => rack.transport(new URL(address).hostname),
  })
  return { ...real, use: (server, work, signal) => real.use(server, bmc => work(through(ports, server, bmc)), signal) }
}

/** Calls carry the machine's name first, so that the log says of whom it speaks; addresses carry tickets and stay out of it. */
function through(ports: ProcessPorts, server: string, bmc: Bmc): Bmc {
  let uri: string | undefined
  const device = ports.device(
    'bmc',
    {
      glance: (_: string, signal?: AbortSignal) => bmc.glance(signal),
      override: (_: string, signal?: AbortSignal) => bmc.boot.override(signal),
      inventory: (_: string, signal?: AbortSignal) => bmc.inventory.read(signal),
      health: (_: string, signal?: AbortSignal) => bmc.manager.health(signal),
      once: (_: string, target: Target, signal?: AbortSignal) => bmc.boot.once(target, uri, signal),
      clear: (_: string, signal?: AbortSignal) => bmc.boot.clear(signal),
      set: (_: string, to: 'On' | 'Off' | 'Cycle', how: 'graceful' | 'forced', signal?: AbortSignal) => bmc.power.set(to, how, signal),
    },
    ['glance', 'override', 'inventory', 'health'],
  )
  const known = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer
    } catch (error) {
      if (error instanceof Fault) throw error
      throw new Fault('bmc/unreachable', `Cannot reach the BMC of ${server}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
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
      clear: signal => known(device.clear(server, signal)),
    },
    inventory: { read: signal => known(device.inventory(server, signal)) },
    manager: { ...bmc.manager, health: signal => known(device.health(server, signal)) },
  }
}
