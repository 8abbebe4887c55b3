import { dataImageController } from '../../controllers/metal3/data-image/index.ts'
import { firmwareReadings } from '../../controllers/metal3/firmware-readings.ts'
import { hostController } from '../../controllers/metal3/host/index.ts'
import { hostFirmwareComponentsController } from '../../controllers/metal3/host-firmware-components/index.ts'
import { hostFirmwareSettingsController } from '../../controllers/metal3/host-firmware-settings/index.ts'
import { metal3Indexes } from '../../controllers/metal3/indexes.ts'
import { type Millis, minutes } from '../../core/duration.ts'
import { httpTransport } from '../../net/client.ts'
import type { Clock, Ids, Kube, Log, Transport } from '../../ports/index.ts'
import type { RamdiskFiles } from '../../ports/provisioner.ts'
import { agentCalls } from '../../provisioner/agent/calls.ts'
import { type AgentDesk, openDesk } from '../../provisioner/agent/desk.ts'
import { directEngine } from '../../provisioner/direct/index.ts'
import { fixedRamdisks } from '../../provisioner/ramdisk/fixed.ts'
import { bmcPool } from '../../redfish/index.ts'
import { type Controllers, type LeaseOptions, openControllers } from '../../runtime/index.ts'
import { ramdiskLogs } from '../ramdisk-logs/kept.ts'
import { discCheck } from './disc-check.ts'
import { hostAccess } from './host-access.ts'
import { hostPapers } from './host-papers.ts'

export interface HostsPorts {
  readonly kube: Kube
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly identity: string
  readonly lease?: LeaseOptions
  /** What is booted to work on hosts, by architecture (`any` for the others), and the key that agents' tokens are made with; none where it is missing. */
  readonly agents?: {
    readonly ramdisks: Readonly<Record<string, RamdiskFiles>>
    readonly key: Uint8Array
    /** From the start of a machine to the first call of its agent; half an hour where it is not said. */
    readonly startTimeout?: Millis
    /** The way to agents that are simulated. */
    readonly reach?: (url: string) => Transport
    /** The folder for what ramdisks wrote, where a step failed; nowhere where it is missing. */
    readonly logFolder?: string
  }
  /** Somebody builds a ramdisk for each host. */
  readonly builds?: boolean
  /** The controller's own idea of how long a wait is, where its machines are in a hurry; deadlines of calls keep to the wall. */
  readonly hurry?: { readonly clock: Clock; readonly speed: number }
}

export interface Hosts {
  readonly controllers: Controllers
  /** Where agents call; undefined where no ramdisk is booted. */
  readonly desk: AgentDesk | undefined
  close(): Promise<void>
}

/** The controller of BareMetalHosts with our own engine, over one API. Nothing runs before `controllers.start`. */
export function openHosts({ kube, clock, ids, log, identity, lease, hurry, agents, builds = false }: HostsPorts): Hosts {
  const pace = hurry ? { clock: hurry.clock, deadline: minutes(2) * hurry.speed } : { clock }
  const controllers = openControllers({ kube, ids, log, identity, indexes: metal3Indexes, ...pace, ...(lease ? { lease } : {}) })
  const pool = bmcPool({ clock, log, access: hostAccess(kube) })
  const lane = agents && {
    desk: openDesk({ clock, log, key: agents.key }),
    calls: agentCalls({
      clock,
      transport: ({ url, ca }) => agents.reach?.(url) ?? httpTransport({ baseUrl: url, wholeUpTo: 0, tls: { authority: ca } }),
    }),
    ramdisks: fixedRamdisks(agents.ramdisks),
    papers: hostPapers(kube),
    ...(agents.logFolder === undefined ? {} : { logs: ramdiskLogs(agents.logFolder, log) }),
    ...(agents.startTimeout === undefined ? {} : { startTimeout: agents.startTimeout }),
  }
  const engine = directEngine(pool, lane)
  controllers.add(own => hostController({ kube: own, engine, builds, now: () => clock.now() }))
  const readings = firmwareReadings({ engine, now: () => clock.now() })
  controllers.add(own => hostFirmwareSettingsController({ kube: own, readings }))
  controllers.add(own => hostFirmwareComponentsController({ kube: own, readings }))
  controllers.add(own => dataImageController({ kube: own, engine, discs: discCheck(clock) }))
  return {
    controllers,
    desk: lane?.desk,
    async close() {
      await controllers.stop()
      await pool.close()
    },
  }
}
