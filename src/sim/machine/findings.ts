import type { Findings } from '../../agent/payload.ts'
import { isOn } from '../misbehaviour/switches.ts'
import { hardware } from '../redfish/resources/hardware.ts'
import { neighbourOf } from '../redfish/resources/inventory.ts'
import { macOf, serialOf, uuidOf } from './identity.ts'
import { firmwareVersion, type Machine } from './machine.ts'

const range = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i)

/** What a system that runs on this machine finds when it looks around: the same hardware that its BMC tells of. */
export function findingsOf(machine: Machine): Findings {
  const { number, name, model } = machine
  const seen = isOn(machine, 'duplicate-mac') ? neighbourOf(number) : number
  const address = machine.site.world?.addressOf?.(name)
  const bios = model.firmware.find(({ kind }) => kind === 'BIOS')
  const biosVersion = bios && firmwareVersion(machine, bios.id)
  return {
    systemUUID: uuidOf(machine.uuidOf ?? number),
    system: { serialNumber: serialOf(number), ...(biosVersion === undefined ? {} : { biosVersion }) },
    processors: range(hardware.sockets).map(id => ({
      id,
      vendor: 'Rackwright',
      model: hardware.cpu,
      cores: hardware.cores,
      threads: hardware.threads,
    })),
    interfaces: range(hardware.nics).map(port => ({
      name: `eth${port}`,
      macAddress: macOf(seen, port),
      addresses: port === 0 && address !== undefined ? [address] : [],
      carrier: port === 0 ? 'up' : 'down',
      neighbors: port === 0 ? [{ chassis: macOf(0xffff00, 0), port: `Ethernet${number + 1}`, systemName: 'leaf-1' }] : [],
    })),
    disks: hardware.drives.map(({ id, model: name_, bytes, media }) => ({ name: id, bytes, rotational: media === 'HDD', model: name_ })),
    memoryBytes: hardware.memoryGiB * 2 ** 30,
  }
}
