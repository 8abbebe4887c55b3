import { bmcController } from '../../controllers/metal/bmc/index.ts'
import { bootConfigurationController } from '../../controllers/metal/boot-configuration/index.ts'
import { endpointController } from '../../controllers/metal/endpoint/index.ts'
import { metalIndexes } from '../../controllers/metal/indexes.ts'
import { type BMC, bmcs } from '../../controllers/metal/resources.ts'
import { serverController } from '../../controllers/metal/server/index.ts'
import { serverClaimController } from '../../controllers/metal/server-claim/index.ts'
import { serverMaintenanceController } from '../../controllers/metal/server-maintenance/index.ts'
import { serverReadinessRuleController } from '../../controllers/metal/server-readiness-rule/index.ts'
import { minutes } from '../../core/duration.ts'
import type { EvidenceLevel } from '../../policy/boot/evidence.ts'
import type { PrefixEntry } from '../../policy/mac-prefix.ts'
import type { BmcPool } from '../../ports/bmc.ts'
import type { BootArtifacts, BootTickets } from '../../ports/boot-artifacts.ts'
import type { ImageResolver } from '../../ports/images.ts'
import type { Cached, Clock, Ids, Kube, Log } from '../../ports/index.ts'
import { bmcPool } from '../../redfish/index.ts'
import { type Controllers, type LeaseOptions, openControllers } from '../../runtime/index.ts'
import { bmcAccess } from './bmc-access.ts'
import { managerNamespace } from './manager-namespace.ts'

export interface MetalPorts {
  readonly kube: Kube
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly identity: string
  readonly namespace?: string
  readonly images: ImageResolver
  readonly artifacts: BootArtifacts
  readonly tickets: BootTickets
  /** What is booted to look at a new server. */
  readonly probeImage: string
  /** What management controllers are, by their hardware addresses; for Endpoints. */
  readonly prefixes?: readonly PrefixEntry[]
  /** Nobody may have a server before something says that its disks were wiped. */
  readonly requireSanitized?: boolean
  /** Somebody else's boot operator says what is ready and where, and serves it: here neither is written. */
  readonly externalBootServer?: boolean
  /** What counts as a first boot where a boot policy does not say; `ArtifactServed` unless told. */
  readonly provisionedWhen?: EvidenceLevel
  /** True while everything is only looked at, after a restore. */
  observeOnly?(): boolean
  /** The controllers' own idea of how long a wait is, where their machines are in a hurry; deadlines of calls keep to the wall. */
  readonly hurry?: { readonly clock: Clock; readonly speed: number }
  /** Which Lease decides who acts; left out where this process is alone. */
  readonly lease?: LeaseOptions
}

export interface Metal {
  readonly controllers: Controllers
  /** Sessions with every BMC, for whoever else is in this process. */
  readonly pool: BmcPool
  /** Stops the controllers, then logs out of every BMC. */
  close(): Promise<void>
}

/** The controllers of servers, claims and boots over one API. Nothing runs before `controllers.start`. */
export function openMetal(ports: MetalPorts): Metal {
  const { kube, clock, ids, log, identity, lease, images, artifacts, namespace = managerNamespace } = ports
  const { externalBootServer: external = false } = ports
  const pace = ports.hurry ? { clock: ports.hurry.clock, deadline: minutes(2) * ports.hurry.speed } : { clock }
  const controllers = openControllers({ kube, ids, log, identity, indexes: metalIndexes, ...pace, ...(lease ? { lease } : {}) })
  let cached: Cached | undefined
  const read = (name: string): BMC | undefined => cached?.get(bmcs, { name })
  const pool = bmcPool({ clock, log, access: bmcAccess({ kube, read, namespace }) })
  controllers.add(own => {
    cached = own.cached
    return bmcController({ kube: own, pool })
  })
  controllers.add(own => {
    const { tickets, probeImage, observeOnly, provisionedWhen, requireSanitized = false } = ports
    const level = provisionedWhen ? { provisionedWhen } : {}
    const settings = { identity, namespace, probeImage, requireSanitized, servesBoots: !external, ...level }
    return serverController({ kube: own, pool, tickets, ...settings, ...(observeOnly ? { observeOnly } : {}) })
  })
  controllers.add(own => endpointController({ kube: own, prefixes: ports.prefixes ?? [] }))
  controllers.add(own => serverClaimController({ kube: own, images }))
  controllers.add(own => serverMaintenanceController({ kube: own, images }))
  controllers.add(own => serverReadinessRuleController(own))
  if (!external) controllers.add(own => bootConfigurationController({ kube: own, images, artifacts }))
  return {
    controllers,
    pool,
    async close() {
      await controllers.stop()
      await pool.close()
    },
  }
}
