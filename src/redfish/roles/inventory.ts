import type { HardwareInventory, Inventory } from '../../ports/bmc.ts'
import { resolved } from '../transport/collection.ts'
import { idOf, linkTo } from '../transport/link.ts'
import { amount, flag, known, list, part, type Resource, text } from '../transport/read.ts'
import type { Machine } from './machine.ts'

type Processor = HardwareInventory['processors'][number]
type Nic = HardwareInventory['nics'][number]
type Disk = HardwareInventory['disks'][number]

/** A machine has at most a few hundred drives; a BMC that lists more is not asked for each. */
const mostDrives = 500

export function inventoryRole({ service, systemPath }: Machine): Inventory {
  const members = async (from: Resource, name: string, levels: 1 | 2, signal?: AbortSignal): Promise<readonly Resource[]> => {
    const path = linkTo(from, name)
    return path === undefined ? [] : service.members(path, levels, signal)
  }
  const drives = async (system: Resource, signal?: AbortSignal): Promise<readonly Resource[]> => {
    const found = new Map<string, Resource>()
    for (const storage of await members(system, 'Storage', 2, signal))
      for (const drive of list(storage, 'Drives')) {
        const id = idOf(drive)
        if (id === undefined || found.has(id) || found.size >= mostDrives) continue
        const resource = await resolved(service, drive, signal)
        if (resource) found.set(id, resource)
      }
    return [...found.values()]
  }
  return {
    async read(signal) {
      const system = await service.get(systemPath, signal)
      const gibibytes = amount(part(system, 'MemorySummary'), 'TotalSystemMemoryGiB')
      const disks = (await drives(system, signal)).filter(isPresent).map(diskOf)
      return known<HardwareInventory>({
        manufacturer: text(system, 'Manufacturer'),
        model: text(system, 'Model'),
        serial: text(system, 'SerialNumber'),
        sku: text(system, 'SKU'),
        uuid: text(system, 'UUID')?.toLowerCase(),
        biosVersion: text(system, 'BiosVersion'),
        health: text(part(system, 'Status'), 'Health'),
        memoryBytes: gibibytes === undefined ? undefined : Math.round(gibibytes * 1024 ** 3),
        processors: (await members(system, 'Processors', 1, signal)).filter(isCpu).filter(isPresent).map(processorOf),
        nics: (await members(system, 'EthernetInterfaces', 1, signal)).filter(isOwnNic).map(nicOf),
        disks: disks.length > 0 ? disks : (await members(system, 'SimpleStorage', 1, signal)).flatMap(simpleDisks),
      })
    },
  }
}

const isPresent = (resource: Resource): boolean => text(part(resource, 'Status'), 'State') !== 'Absent'
const isCpu = (resource: Resource): boolean => ['CPU', undefined].includes(text(resource, 'ProcessorType'))
/** The wire between host and BMC is listed among the NICs. */
const isOwnNic = (resource: Resource): boolean => linkTo(resource, 'Links', 'HostInterface') === undefined

const idText = (resource: Resource): string => text(resource, 'Id') ?? idOf(resource)?.split('/').at(-1) ?? ''

function processorOf(cpu: Resource): Processor {
  const set = text(cpu, 'InstructionSet')
  const architecture = set === 'x86-64' ? 'x86_64' : set === 'ARM-A64' ? 'aarch64' : text(cpu, 'ProcessorArchitecture')
  return known<Processor>({
    id: idText(cpu),
    model: text(cpu, 'Model'),
    manufacturer: text(cpu, 'Manufacturer'),
    architecture,
    cores: amount(cpu, 'TotalCores'),
    threads: amount(cpu, 'TotalThreads'),
    maxMhz: amount(cpu, 'MaxSpeedMHz'),
  })
}

function nicOf(nic: Resource): Nic {
  const link = text(nic, 'LinkStatus')
  const addresses = [...list(nic, 'IPv4Addresses'), ...list(nic, 'IPv6Addresses')]
    .map(address => text(address, 'Address'))
    .filter(address => address !== undefined)
  const speed = amount(nic, 'SpeedMbps')
  return known<Nic>({
    id: idText(nic),
    mac: (text(nic, 'PermanentMACAddress') ?? text(nic, 'MACAddress'))?.toLowerCase(),
    name: text(nic, 'Name'),
    linkUp: link === 'LinkUp' ? true : link === 'LinkDown' || link === 'NoLink' ? false : undefined,
    speedMbps: speed === 0 ? undefined : speed,
    addresses: addresses.filter(address => address !== '0.0.0.0' && address !== '::'),
  })
}

function diskOf(drive: Resource): Disk {
  const media = text(drive, 'MediaType')
  const protocol = text(drive, 'Protocol')
  const rotations = amount(drive, 'RotationSpeedRPM')
  return known<Disk>({
    id: idText(drive),
    name: text(drive, 'Name'),
    model: text(drive, 'Model'),
    serial: text(drive, 'SerialNumber'),
    bytes: amount(drive, 'CapacityBytes'),
    type: protocol === 'NVMe' ? 'NVMe' : (media ?? protocol),
    rotational:
      media === 'HDD' ? true : media === 'SSD' || protocol === 'NVMe' ? false : rotations === undefined ? undefined : rotations > 0,
    health: text(part(drive, 'Status'), 'Health') ?? (flag(drive, 'FailurePredicted') ? 'Warning' : undefined),
  })
}

const simpleDisks = (storage: Resource): readonly Disk[] =>
  list(storage, 'Devices').map((device, at) =>
    known<Disk>({
      id: `${idText(storage)}/${at}`,
      name: text(device, 'Name'),
      model: text(device, 'Model'),
      bytes: amount(device, 'CapacityBytes'),
      health: text(part(device, 'Status'), 'Health'),
      serial: undefined,
      type: undefined,
      rotational: undefined,
    }),
  )
