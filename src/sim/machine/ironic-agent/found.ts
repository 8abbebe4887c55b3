import { findingsOf } from '../findings.ts'
import type { Machine } from '../machine.ts'
import { addressOf } from './address.ts'

/** What an agent finds on the machine, in its own words. */
export function found(machine: Machine) {
  const { system, processors, interfaces, disks, memoryBytes } = findingsOf(machine)
  return {
    interfaces: interfaces.map(({ name, macAddress, carrier }, n) => ({
      name,
      mac_address: macAddress,
      ipv4_address: n === 0 ? addressOf(machine) : null,
      ipv6_address: null,
      has_carrier: carrier === 'up',
      vendor: '0x8086',
      product: '0x1572',
      speed_mbps: 25_000,
    })),
    disks: disks.map(({ name, bytes, rotational, model }, n) => ({
      name: `/dev/${rotational ? 'sd' : 'nvme'}${n}`,
      model: model ?? name,
      size: bytes,
      rotational,
      serial: `${system.serialNumber}-${n}`,
      wwn: `0x5000c500${String(machine.number).padStart(4, '0')}${n}`,
      hctl: `${n}:0:0:0`,
      vendor: 'RW',
    })),
    cpu: {
      model_name: processors[0]?.model,
      frequency: '3500.0',
      count: processors.reduce((sum, { threads }) => sum + threads, 0),
      architecture: 'x86_64',
      flags: ['vmx', 'aes'],
    },
    memory: { total: memoryBytes, physical_mb: memoryBytes / 2 ** 20 },
    system_vendor: {
      product_name: 'Simulated',
      serial_number: system.serialNumber,
      manufacturer: 'Rackwright',
      firmware: { vendor: 'Rackwright', version: system.biosVersion ?? '1', build_date: '' },
    },
    boot: { current_boot_mode: 'uefi' },
    hostname: machine.name,
  }
}
