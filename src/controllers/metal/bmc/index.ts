import { Fault } from '../../../core/fault.ts'
import { sameUuid } from '../../../policy/identity.ts'
import type { BmcPool } from '../../../ports/bmc.ts'
import { type ControllerKube, type Reconciler, wokenBy } from '../../../ports/index.ts'
import { type BMC, bmcs, type Server, servers } from '../resources.ts'
import { decide, type Reached, type Seen, type Verb } from './decide.ts'

export interface BmcPorts {
  readonly kube: ControllerKube
  /** Keyed by the BMC's name. */
  readonly pool: BmcPool
}

export const bmcController = ({ kube, pool }: BmcPorts): Reconciler<BMC, Seen, Verb> => ({
  name: 'bmc',
  kind: bmcs,
  watches: [wokenBy(servers, server => (server.spec.bmcRef ? [{ name: server.spec.bmcRef.name }] : []))],
  async observe({ metadata, spec }) {
    const { name } = metadata
    const deleting = metadata.deletionTimestamp !== undefined
    const ip = spec.access?.ip
    const askable = !deleting && ip !== undefined && spec.protocol.name === 'Redfish'
    const reached = askable ? await ask(pool, name) : undefined
    return { name, deleting, protocol: spec.protocol.name, ip, reached, server: serverOf(kube, name, reached) }
  },
  decide,
  perform: {
    createServer: {
      async run({ systemUUID, systemURI }, { object, signal }) {
        const { name } = object.metadata
        const server = {
          apiVersion: object.apiVersion,
          kind: 'Server',
          metadata: { name: `${name}-system-0` },
          spec: { systemUUID, systemURI, bmcRef: { name } },
        }
        await kube.create(servers, server as unknown as Server, { signal })
      },
    },
  },
})

async function ask(pool: BmcPool, name: string): Promise<Reached> {
  try {
    return await pool.use(name, async ({ identity, manager }) => {
      const { firmware } = await manager.health()
      const { manufacturer, model, serial, uuid, system } = identity
      return { is: 'answered', manufacturer, model, serial, uuid: uuid?.toLowerCase(), firmware: firmware ?? identity.bmcFirmware, system }
    })
  } catch (error) {
    if (!(error instanceof Fault) || !error.code.startsWith('bmc/')) throw error
    return { is: 'silent', code: error.code, because: error.message, hint: error.hint }
  }
}

/** By reference, or by identity: a Server that was there before its BMC is adopted, not doubled. */
function serverOf(kube: ControllerKube, bmc: string, reached: Reached | undefined): Seen['server'] {
  const all = kube.cached.list(servers)
  const referring = all.find(server => server.spec.bmcRef?.name === bmc)
  const uuid = reached?.is === 'answered' ? reached.uuid : undefined
  const found = referring ?? (uuid === undefined ? undefined : all.find(server => sameUuid(server.spec.systemUUID, uuid)))
  if (!found) return undefined
  const same = uuid !== undefined && sameUuid(found.spec.systemUUID, uuid)
  return { name: found.metadata.name, systemUUID: same ? uuid : found.spec.systemUUID }
}
