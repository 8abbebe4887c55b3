import type { NetworkInterfaceInfo } from 'node:os'
import type { Interface } from '../payload.ts'
import type { Files } from './files.ts'
import { savedNeighbors } from './lldp.ts'

const net = '/sys/class/net'

/** Addresses come from the kernel by another way than files. */
export type Addresses = () => NodeJS.Dict<NetworkInterfaceInfo[]>

/** The ports that are hardware: what has a device behind it. Bridges, bonds and tunnels have none. */
export async function interfaces(files: Files, addresses: Addresses): Promise<readonly Interface[]> {
  const configured = addresses()
  const found: Interface[] = []
  for (const name of await files.names(net)) {
    const macAddress = await files.text(`${net}/${name}/address`)
    const hardware = (await files.names(`${net}/${name}/device`)).length > 0
    if (!hardware || macAddress === undefined || !/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(macAddress)) continue
    found.push({
      name,
      macAddress,
      addresses: (configured[name] ?? [])
        .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
        .map(({ address }) => address),
      carrier: (await files.text(`${net}/${name}/carrier`)) === '1' ? 'up' : 'down',
      neighbors: await savedNeighbors(files, await files.text(`${net}/${name}/ifindex`)),
    })
  }
  return found
}
