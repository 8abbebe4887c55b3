import type { HardwareInventory } from '../../../ports/bmc.ts'
import type { Served } from './seen.ts'

/** What a BMC tells of its machine, as the status of a Server says it. */
export const ofBmc = (found: HardwareInventory) => ({
  manufacturer: found.manufacturer ?? '',
  model: found.model ?? '',
  ...known({ sku: found.sku, serialNumber: found.serial, biosVersion: found.biosVersion }),
  ...(found.memoryBytes === undefined ? {} : { totalSystemMemory: memory(found.memoryBytes) }),
  processors: found.processors.map(cpu => ({
    id: cpu.id,
    type: 'CPU',
    ...known({
      architecture: cpu.architecture,
      manufacturer: cpu.manufacturer,
      model: cpu.model,
      maxSpeedMHz: cpu.maxMhz,
      totalCores: cpu.cores,
      totalThreads: cpu.threads,
    }),
  })),
  networkInterfaces: found.nics.flatMap(nic =>
    nic.mac === undefined
      ? []
      : [
          {
            name: nic.id,
            macAddress: nic.mac,
            ...(nic.addresses.length > 0 ? { ips: nic.addresses } : {}),
            ...known({ carrierStatus: nic.linkUp === undefined ? undefined : nic.linkUp ? 'up' : 'down' }),
          },
        ],
  ),
  storages:
    found.disks.length === 0
      ? []
      : [
          {
            name: 'drives',
            drives: found.disks.map(disk => ({
              name: disk.name ?? disk.id,
              ...known({ type: disk.type, model: disk.model, state: disk.health }),
              ...(disk.bytes === undefined ? {} : { capacity: String(disk.bytes) }),
            })),
          },
        ],
})

type Registration = NonNullable<Served['registration']>

/** The probe saw the machine from inside: its word on interfaces and disks wins, and fills in what the BMC left out. */
export function ofProbe({ networkInterfaces, storages, processors, totalSystemMemory, biosVersion }: Registration, cpuKnown: boolean) {
  return {
    ...(networkInterfaces && networkInterfaces.length > 0 ? { networkInterfaces } : {}),
    ...(storages && storages.length > 0 ? { storages } : {}),
    ...(processors && processors.length > 0 && !cpuKnown ? { processors } : {}),
    ...known({ totalSystemMemory, biosVersion }),
  }
}

const gibibyte = 1024 ** 3
const memory = (bytes: number): string => (bytes % gibibyte === 0 ? `${bytes / gibibyte}Gi` : String(bytes))

const known = <T extends Record<string, unknown>>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
