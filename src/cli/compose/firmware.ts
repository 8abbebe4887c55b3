import { firmwareFigures } from '../../controllers/firmware/figures.ts'
import { firmwareControllers } from '../../controllers/firmware/index.ts'
import { firmwareIndexes } from '../../controllers/firmware/indexes.ts'
import { serverBioses, serverFirmwares } from '../../controllers/firmware/resources.ts'
import type { BmcPool } from '../../ports/bmc.ts'
import type { Cached, Clock, Ids, Kube, Log } from '../../ports/index.ts'
import { bmcPool } from '../../redfish/index.ts'
import { type Controllers, type LeaseOptions, openControllers } from '../../runtime/index.ts'
import { bmcAccess } from './bmc-access.ts'

export interface FirmwareRolePorts {
  readonly kube: Kube
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly identity: string
  readonly namespace: string
  /** Shared with the controllers of servers where both are in one process: BMCs have few sessions to give. */
  readonly pool?: BmcPool
  readonly jobImage?: string | undefined
  readonly defaultRunner?: string | undefined
  /** The controllers' own idea of how long a wait is, where machines are in a hurry. */
  readonly hurry?: { readonly clock: Clock } | undefined
  readonly lease?: LeaseOptions
}

export interface FirmwareRole {
  readonly controllers: Controllers
  metrics(): Promise<string>
  close(): Promise<void>
}

/** The controllers of BIOS and firmware over one API. Nothing runs before `controllers.start`. */
export function openFirmware(ports: FirmwareRolePorts): FirmwareRole {
  const { kube, clock, ids, log, identity, namespace, jobImage, defaultRunner, hurry, lease } = ports
  const own = ports.pool ? undefined : bmcPool({ clock, log, access: bmcAccess({ kube, read: () => undefined, namespace }) })
  const pool = (ports.pool ?? own)!
  const pace = hurry?.clock ?? clock
  const controllers = openControllers({ kube, clock: pace, ids, log, identity, indexes: firmwareIndexes, ...(lease ? { lease } : {}) })
  const made = firmwareControllers({ pool, namespace, jobImage, defaultRunner })
  const cached: Cached[] = []
  for (const add of [made.bios, made.firmware] as const)
    controllers.add(view => {
      cached.push(view.cached)
      return add(view) as never
    })
  controllers.add(made.biosSets)
  controllers.add(made.firmwareSets)
  return {
    controllers,
    async metrics() {
      const [bioses, firmwares] = cached
      const targets = [...(bioses?.list(serverBioses) ?? []), ...(firmwares?.list(serverFirmwares) ?? [])]
      return `${await controllers.metrics()}${firmwareFigures(targets)}`
    },
    async close() {
      await controllers.stop()
      await own?.close()
    },
  }
}
