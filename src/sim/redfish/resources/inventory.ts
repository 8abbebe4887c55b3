import { macOf, serialOf } from '../../machine/identity.ts'
import { isOn } from '../../misbehaviour/switches.ts'
import type { Extra } from '../node.ts'
import { hardware } from './hardware.ts'
import { collection, fixed, healthy, rolledUp, shape } from './shape.ts'

const numbers = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i)

export const processors: Extra = kit => {
  const path = `${kit.at.system}/Processors`
  const ids = numbers(hardware.sockets).map(n => `CPU${n}`)
  collection(kit, path, 'ProcessorCollection', 'Processors', ids)
  for (const id of ids)
    fixed(kit, `${path}/${id}`, 'Processor.v1_16_0.Processor', id, {
      Socket: id,
      ProcessorType: 'CPU',
      ProcessorArchitecture: 'x86',
      InstructionSet: 'x86-64',
      Manufacturer: 'Rackwright',
      Model: hardware.cpu,
      MaxSpeedMHz: hardware.maxMhz,
      OperatingSpeedMHz: 2900,
      TotalCores: hardware.cores,
      TotalThreads: hardware.threads,
      Status: healthy,
    })
}

export const memory: Extra = kit => {
  const path = `${kit.at.system}/Memory`
  const ids = numbers(hardware.dimms).map(n => `DIMM${n}`)
  collection(kit, path, 'MemoryCollection', 'Memory', ids)
  for (const id of ids)
    fixed(kit, `${path}/${id}`, 'Memory.v1_16_0.Memory', id, {
      MemoryDeviceType: 'DDR5',
      MemoryType: 'DRAM',
      CapacityMiB: (hardware.memoryGiB * 1024) / hardware.dimms,
      DeviceLocator: id,
      Manufacturer: 'Rackwright',
      OperatingSpeedMhz: 4800,
      Status: healthy,
    })
}

export const nics: Extra = kit => {
  const path = `${kit.at.system}/EthernetInterfaces`
  const ports = numbers(hardware.nics)
  collection(
    kit,
    path,
    'EthernetInterfaceCollection',
    'Ethernet Interfaces',
    ports.map(port => `NIC.${port + 1}`),
  )
  for (const port of ports) {
    const nic = shape(kit, `${path}/NIC.${port + 1}`, 'EthernetInterface.v1_9_0.EthernetInterface', `Port ${port + 1}`, {
      InterfaceEnabled: true,
      LinkStatus: port === 0 ? 'LinkUp' : 'LinkDown',
      SpeedMbps: 25_000,
      FullDuplex: true,
      IPv4Addresses: [],
      Status: healthy,
    })
    kit.node(`${path}/NIC.${port + 1}`, {
      read({ machine }) {
        const number = isOn(machine, 'duplicate-mac') ? neighbourOf(machine.number) : machine.number
        const mac = macOf(number, port)
        return { ...nic, MACAddress: mac, PermanentMACAddress: mac }
      },
    })
  }
}

export const neighbourOf = (n: number): number => (n === 0 ? 1 : n - 1)

export const storage: Extra = kit => {
  const { at } = kit
  const path = `${at.system}/Storage`
  const controller = `${path}/1`
  const drives = hardware.drives.map(({ id }) => id)
  collection(kit, path, 'StorageCollection', 'Storage', ['1'])
  fixed(kit, controller, 'Storage.v1_13_0.Storage', 'Controller', {
    StorageControllers: [
      {
        '@odata.id': `${at.spell(controller)}#/StorageControllers/0`,
        MemberId: '0',
        Name: 'Controller',
        SpeedGbps: 12,
        SupportedDeviceProtocols: ['NVMe', 'SAS'],
        Status: healthy,
      },
    ],
    Drives: drives.map(id => at.to(`${controller}/Drives/${id}`)),
    'Drives@odata.count': drives.length,
    Volumes: at.to(`${controller}/Volumes`),
    Links: { Enclosures: [at.to(at.chassis)] },
    Status: rolledUp,
  })
  collection(kit, `${controller}/Volumes`, 'VolumeCollection', 'Volumes', [])
  for (const drive of hardware.drives) {
    const drivePath = `${controller}/Drives/${drive.id}`
    const body = shape(kit, drivePath, 'Drive.v1_16_0.Drive', drive.id, {
      Manufacturer: 'Rackwright',
      Model: drive.model,
      CapacityBytes: drive.bytes,
      MediaType: drive.media,
      Protocol: drive.protocol,
      ...(drive.media === 'HDD' ? { RotationSpeedRPM: 7200 } : {}),
      Status: healthy,
      Links: { Chassis: at.to(at.chassis) },
    })
    kit.node(drivePath, { read: ({ machine }) => ({ ...body, SerialNumber: `${serialOf(machine.number)}-${drive.id}` }) })
  }
  const simple = `${at.system}/SimpleStorage`
  collection(kit, simple, 'SimpleStorageCollection', 'Simple Storage', ['1'])
  fixed(kit, `${simple}/1`, 'SimpleStorage.v1_3_1.SimpleStorage', 'Disks', {
    Devices: hardware.drives.map(({ id, model, bytes }) => ({
      Name: id,
      Manufacturer: 'Rackwright',
      Model: model,
      CapacityBytes: bytes,
      Status: healthy,
    })),
    Status: rolledUp,
  })
}

export const chassis: Extra = kit => {
  const { make, at } = kit
  const path = at.chassis
  collection(kit, `${at.root}/Chassis`, 'ChassisCollection', 'Chassis Collection', [make.ids.chassis])
  const body = shape(kit, path, 'Chassis.v1_22_0.Chassis', 'Chassis', {
    ChassisType: 'RackMount',
    Manufacturer: make.manufacturer,
    Model: make.model,
    IndicatorLED: 'Off',
    LocationIndicatorActive: false,
    Status: rolledUp,
    Power: at.to(`${path}/Power`),
    Thermal: at.to(`${path}/Thermal`),
    Links: { ComputerSystems: [at.to(at.system)], ManagedBy: [at.to(at.manager)] },
  })
  kit.node(path, {
    read: ({ machine }) => ({
      ...body,
      SerialNumber: serialOf(machine.number),
      PowerState: machine.power === 'On' || machine.power === 'PoweringOn' ? 'On' : 'Off',
    }),
  })
  const watts = shape(kit, `${path}/Power`, 'Power.v1_7_1.Power', 'Power', {
    PowerSupplies: numbers(2).map(n => ({
      '@odata.id': `${at.spell(`${path}/Power`)}#/PowerSupplies/${n}`,
      MemberId: String(n),
      Name: `PSU${n}`,
      PowerCapacityWatts: 1400,
      Status: healthy,
    })),
  })
  kit.node(`${path}/Power`, {
    read: ({ machine }) => ({
      ...watts,
      PowerControl: [
        { MemberId: '0', Name: 'System', PowerConsumedWatts: machine.stage === 'off' ? 18 : machine.stage === 'running' ? 310 : 240 },
      ],
    }),
  })
  fixed(kit, `${path}/Thermal`, 'Thermal.v1_7_1.Thermal', 'Thermal', {
    Fans: numbers(6).map(n => ({ MemberId: String(n), Name: `Fan${n}`, Reading: 6000, ReadingUnits: 'RPM', Status: healthy })),
    Temperatures: [{ MemberId: '0', Name: 'Inlet', ReadingCelsius: 22, Status: healthy }],
  })
}
