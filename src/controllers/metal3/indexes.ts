import { machineName } from '../../policy/identity.ts'
import { readBmcAddress } from '../../policy/metal3/bmc-address.ts'
import type { Index } from '../../ports/index.ts'
import { bootsFromNetwork } from './host/line.ts'
import { type BareMetalHost, hosts, type ServerOfMetal, servers } from './resources.ts'

/** One machine under every name that tells it apart: its UUID once that was read, and the System that its address names. */
export function machineKeys(host: BareMetalHost): readonly string[] {
  const address = host.spec?.bmc ? readBmcAddress(host.spec.bmc.address) : undefined
  const uuid = host.status?.systemUUID === undefined ? undefined : machineName(host.status.systemUUID)
  return [...(address && !('because' in address) ? [`${address.url}${address.system ?? ''}`] : []), ...(uuid === undefined ? [] : [uuid])]
}

/** So that whoever looks for the other owner of a machine does not look at all of them. */
export const metal3Indexes: readonly Index[] = [
  { of: hosts, name: 'machine', values: host => machineKeys(host as BareMetalHost) },
  { of: hosts, name: 'network', values: host => (bootsFromNetwork(host as BareMetalHost) ? ['boots'] : []) },
  {
    of: servers,
    name: 'machine',
    values(server) {
      const name = machineName((server as ServerOfMetal).spec.systemUUID ?? '')
      return name === undefined ? [] : [name]
    },
  },
]
