import { conditionOf } from '../../../core/condition.ts'
import { Fault } from '../../../core/fault.ts'
import { machineName, sameUuid } from '../../../policy/identity.ts'
import type { BmcPool } from '../../../ports/bmc.ts'
import { type ControllerKube, type Reconciler, wokenBy } from '../../../ports/index.ts'
import { operationAnnotation } from '../operation.ts'
import { type BMC, bmcs, endpoints, type Server, serverFinalizer, servers } from '../resources.ts'
import { decide, doubts, type Reached, type Seen, type Verb } from './decide.ts'

export interface BmcPorts {
  readonly kube: ControllerKube
  /** Keyed by the BMC's name. */
  readonly pool: BmcPool
}

export const bmcController = ({ kube, pool }: BmcPorts): Reconciler<BMC, Seen, Verb> => ({
  name: 'bmc',
  kind: bmcs,
  watches: [
    wokenBy(servers, server => (server.spec.bmcRef ? [{ name: server.spec.bmcRef.name }] : [])),
    // It is named after the Endpoint that it was made for.
    wokenBy(endpoints, ({ metadata }) => [{ name: metadata.name }]),
    // One that says it is the same machine as another concerns the other, too.
    wokenBy(bmcs, bmc => others(kube, bmc).map(name => ({ name }))),
  ],
  async observe({ metadata, spec, status }, { signal }) {
    const { name } = metadata
    const deleting = metadata.deletionTimestamp !== undefined
    const ip = spec.access?.ip ?? (spec.endpointRef && kube.cached.get(endpoints, { name: spec.endpointRef.name })?.spec.ip)
    const ambiguous = spec.access !== undefined && spec.endpointRef !== undefined
    const askable = !deleting && ip !== undefined && !ambiguous && spec.protocol.name === 'Redfish'
    // Who answers is asked once per session: in doubt, anew each time.
    const doubted = doubts.includes(conditionOf(status, 'Ready')?.reason ?? '')
    if (doubted) await pool.forget(name)
    const operation = metadata.annotations?.[operationAnnotation]
    const reached = askable && operation !== 'ignore' ? await ask(pool, name) : undefined
    const busy = operation !== undefined && reached?.is === 'answered' ? await isBusy(pool, name, signal) : false
    const uuid = reached?.is === 'answered' ? reached.uuid : undefined
    const noted = status?.systemUUID
    return {
      name,
      deleting,
      protocol: spec.protocol.name,
      ip,
      ambiguous,
      reached,
      noted,
      doubted,
      operation,
      busy,
      ...relatives(kube, name, uuid),
    }
  },
  decide,
  perform: {
    createServer: {
      async run({ systemUUID, systemURI }, { object, signal }) {
        // Racks and rows are said once, on the BMC; what somebody says of the server afterwards stays.
        const { name, labels } = object.metadata
        const server = {
          apiVersion: object.apiVersion,
          kind: 'Server',
          // With what its own controller would put on it first.
          metadata: { name: `${name}-system-0`, finalizers: [serverFinalizer], ...(labels ? { labels } : {}) },
          spec: { systemUUID, systemURI, bmcRef: { name } },
        }
        await kube.create(servers, server as unknown as Server, { signal })
      },
    },
    takeOperation: { run: (_, { object, signal }) => takeOperation(kube, object, signal) },
    restart: {
      destructive: true,
      async run(_, { object, signal }) {
        await takeOperation(kube, object, signal)
        await pool.use(object.metadata.name, async ({ manager }) => manager.reset?.(signal), signal)
      },
    },
  },
})

async function takeOperation(kube: ControllerKube, { metadata }: BMC, signal: AbortSignal): Promise<void> {
  const { name, resourceVersion, uid } = metadata
  const merge = { metadata: { resourceVersion, uid, annotations: { [operationAnnotation]: null } } }
  await kube.patch(bmcs, { name }, { merge }, { signal })
}

const isBusy = (pool: BmcPool, name: string, signal: AbortSignal): Promise<boolean> =>
  pool.use(name, async ({ firmware }) => ((await firmware?.running(signal)) ?? []).length > 0, signal)

async function ask(pool: BmcPool, name: string): Promise<Reached> {
  try {
    return await pool.use(name, async ({ identity, manager }) => {
      const { firmware, state } = await manager.health()
      const { manufacturer, model, serial, uuid, system } = identity
      // Boards are shipped by the thousand with a UUID of zeros: that is none.
      const known = uuid !== undefined && machineName(uuid) !== undefined ? uuid.toLowerCase() : undefined
      return { is: 'answered', manufacturer, model, serial, uuid: known, state, firmware: firmware ?? identity.bmcFirmware, system }
    })
  } catch (error) {
    if (!(error instanceof Fault) || !error.code.startsWith('bmc/')) throw error
    return { is: 'silent', code: error.code, because: error.message, hint: error.hint }
  }
}

function relatives(kube: ControllerKube, bmc: string, uuid: string | undefined): Pick<Seen, 'servers' | 'twins'> {
  const machine = uuid === undefined ? undefined : machineName(uuid)
  const alike = machine === undefined ? [] : kube.cached.by(servers, 'machine', machine)
  // A Server that was there before its BMC, and names none, is adopted and not doubled.
  const own = [...kube.cached.by(servers, 'bmc', bmc), ...alike.filter(({ spec }) => spec.bmcRef === undefined)]
  const foreign = alike.filter(({ spec }) => spec.bmcRef !== undefined && spec.bmcRef.name !== bmc)
  const speaking = machine === undefined ? [] : kube.cached.by(bmcs, 'machine', machine).filter(({ metadata }) => metadata.name !== bmc)
  const twins = [...speaking.map(({ metadata }) => `BMC ${metadata.name}`), ...foreign.map(({ metadata }) => `Server ${metadata.name}`)]
  return {
    servers: own.map(({ metadata, spec }) => ({
      name: metadata.name,
      systemUUID: spec.systemUUID,
      same: uuid !== undefined && sameUuid(spec.systemUUID, uuid),
    })),
    twins,
  }
}

function others({ cached }: ControllerKube, { metadata, status }: BMC): readonly string[] {
  const machine = status?.systemUUID === undefined ? undefined : machineName(status.systemUUID)
  return machine === undefined
    ? []
    : cached
        .by(bmcs, 'machine', machine)
        .map(bmc => bmc.metadata.name)
        .filter(name => name !== metadata.name)
}
