import { machineName } from '../../policy/identity.ts'
import type { Index } from '../../ports/index.ts'
import { type BMC, bmcs, maintenances, type Server, type ServerMaintenance, servers } from './resources.ts'
import { byServer } from './server-maintenance/observe.ts'

const machineOf = (uuid: string | undefined): readonly string[] => {
  const name = uuid === undefined ? undefined : machineName(uuid)
  return name === undefined ? [] : [name]
}

/** What is looked up over and over, filed so that nobody has to look at ten thousand servers for it. */
export const metalIndexes: readonly Index[] = [
  { of: maintenances, name: byServer, values: maintenance => [(maintenance as ServerMaintenance).spec.serverRef.name] },
  { of: bmcs, name: 'machine', values: bmc => machineOf((bmc as BMC).status?.systemUUID) },
  { of: servers, name: 'machine', values: server => machineOf((server as Server).spec.systemUUID) },
  {
    of: servers,
    name: 'bmc',
    values(server) {
      const ref = (server as Server).spec.bmcRef
      return ref ? [ref.name] : []
    },
  },
]
