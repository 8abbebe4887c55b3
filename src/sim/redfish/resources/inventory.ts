import { macOf } from '../../machine/identity.ts'
import { isOn } from '../../misbehaviour/switches.ts'
import type { Extra } from '../node.ts'
import { hardware } from './hardware.ts'
import { collection, fixed, healthy, shape } from './shape.ts'

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
