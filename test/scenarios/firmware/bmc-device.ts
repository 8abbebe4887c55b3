import type { Bmc, BmcPool } from '../../../src/ports/bmc.ts'
import type { ProcessPorts } from '../../../src/sim/process.ts'
import { faultyPool, unreachable } from '../metal/bmc-device.ts'
import type { Lab } from '../metal/lab.ts'

type Signal = AbortSignal
type Targets = readonly string[] | undefined
type Settings = Parameters<NonNullable<Bmc['bios']>['set']>[0]

/** The BMCs of the rack as a job holds them: besides power and boot, each call about firmware and settings is open to faults. */
export function jobPool(ports: ProcessPorts, lab: Pick<Lab, 'pool'>): BmcPool {
  const pool = faultyPool(ports, lab)
  return { ...pool, use: (server, work, signal) => pool.use(server, bmc => work(through(ports, server, bmc)), signal) }
}

function through(ports: ProcessPorts, server: string, bmc: Bmc): Bmc {
  const { bios, firmware } = bmc
  if (!bios || !firmware) return bmc
  let image = new Uint8Array()
  const device = ports.device(
    'bmc',
    {
      version: (_: string, signal?: Signal) => bios.version(signal),
      settings: (_: string, signal?: Signal) => bios.settings(signal),
      pending: (_: string, signal?: Signal) => bios.pending(signal),
      registry: async (_: string, signal?: Signal) => (await bios.registry?.(signal)) ?? [],
      components: (_: string, signal?: Signal) => firmware.components(signal),
      task: (_: string, address: string, signal?: Signal) => firmware.task(address, signal),
      setBios: (_: string, settings: Settings, signal?: Signal) => bios.set(settings, signal),
      // The bytes stay out of the log.
      push: (_: string, name: string, targets: Targets, signal?: Signal) => firmware.push(name, image, targets, signal),
      update: (_: string, url: string, targets: Targets, signal?: Signal) => firmware.update(url, targets, signal),
    },
    ['version', 'settings', 'pending', 'registry', 'components', 'task'],
  )
  const known = unreachable(server)
  return {
    ...bmc,
    bios: {
      ...bios,
      version: signal => known(device.version(server, signal)),
      settings: signal => known(device.settings(server, signal)),
      pending: signal => known(device.pending(server, signal)),
      registry: signal => known(device.registry(server, signal)),
      set: (settings, signal) => known(device.setBios(server, settings, signal)),
    },
    firmware: {
      ...firmware,
      components: signal => known(device.components(server, signal)),
      task: (address, signal) => known(device.task(server, address, signal)),
      push(name, bytes, targets, signal) {
        image = Uint8Array.from(bytes)
        return known(device.push(server, name, targets, signal))
      },
      update: (url, targets, signal) => known(device.update(server, url, targets, signal)),
    },
  }
}
