import type { Millis } from '../../../core/duration.ts'
import type { Standing } from '../../../core/machine.ts'
import type { EvidenceLevel } from '../../../policy/boot/evidence.ts'
import type { BootOrderSeen } from '../../../policy/boot/order.ts'
import type { BootPolicy } from '../../../policy/boot/policy.ts'
import type { Provisioned } from '../../../policy/boot/provisioned.ts'
import type { BootEvidence, Glance, HardwareInventory, PowerState } from '../../../ports/bmc.ts'
import type { Artifact } from '../../../ports/images.ts'
import type { Server, ServerBootConfiguration } from '../resources.ts'

/** The last boot, as it was noted. */
export type BootNote = NonNullable<NonNullable<Server['status']>['boot']>
export type StopNote = NonNullable<NonNullable<Server['status']>['stopping']>
/** What the boot server saw of a boot. */
export type Served = NonNullable<NonNullable<ServerBootConfiguration['status']>['served']>

/** Everything a decision about a server rests on. */
export interface Seen {
  readonly server: SeenServer
  /** Who we are in notes. */
  readonly us: string
  /** Look, and touch nothing: after a restore nobody knows what happened since. */
  readonly observeOnly: boolean
  readonly machine: SeenMachine
  /** Read once, while it is not known yet. */
  readonly inventory: HardwareInventory | undefined
  readonly boot: (BootNote & { readonly age: Millis; readonly stepAge: Millis; readonly askedAge: Millis }) | undefined
  /** The boots before that, oldest first. */
  readonly earlier: NonNullable<NonNullable<Server['status']>['earlierBoots']>
  readonly stopping: SeenStop | undefined
  /** A switch-on without a boot, for a maintenance that boots nothing. */
  readonly starting: NonNullable<Server['status']>['starting']
  readonly claim: SeenClaim | undefined
  /** The maintenance that holds it. */
  readonly maintenance: SeenMaintenance | undefined
  /** Another one that may begin waits for it. */
  readonly wanted: boolean
  /** What is booted in this phase: discovery's own, the claim's, or the maintenance's. */
  readonly configuration: SeenConfiguration | undefined
}

/** A switch-off that was noted, for how long it has been so, and what became of the last question as far as this process knows. */
export type SeenStop = StopNote & { readonly age: Millis; readonly answer?: StopAnswer | undefined }

/** `refused`: its management controller cannot ask a system to shut down, and says so. `lost`: nobody knows whether it was asked. */
export type StopAnswer = { readonly is: 'heard' } | { readonly is: 'refused' | 'lost'; readonly code: string; readonly because: string }

export interface SeenServer {
  readonly name: string
  readonly uid: string
  readonly deleting: boolean
  readonly standing: Standing
  /** How long this process has known it to be in its phase, and to be on its way out. */
  readonly phaseAge: Millis
  readonly deletingAge: Millis
  readonly systemUUID: string
  readonly reclaim: 'Recycle' | 'Retain'
  readonly inventoried: boolean
  /** What is on record of its locator light where it was set here, and what it shall show. */
  readonly led: { readonly shows: Led | undefined; readonly wanted: Led | undefined }
  readonly bootOrderPolicy: 'Audit' | 'Enforce'
  /** The job that writes its firmware, in words. */
  readonly updater: string | undefined
  /** Somebody set it aside for himself. */
  readonly parked: boolean
  /** Whether nobody may have it before its disks are known to be wiped. */
  readonly requireSanitized: boolean
  /** What somebody asked for by annotation. */
  readonly operation: string | undefined
  /** Conditions that stand, by type: what was decided before and has to be kept in mind. */
  readonly stands: Readonly<Record<string, { readonly status: string; readonly reason: string; readonly message: string }>>
}

export type SeenMachine =
  /** Nothing has to be known of it now. */
  | { readonly is: 'unasked' }
  | { readonly is: 'silent'; readonly code: string; readonly because: string }
  /** Somebody answers, and it is not sure that it is this server. */
  | { readonly is: 'doubtful'; readonly reason: string; readonly because: string }
  | MachineThere

export interface MachineThere {
  readonly is: 'there'
  readonly power: PowerState
  /** How long this process has read this state, look after look. */
  readonly powerFor: Millis
  /** The same for the time of the last reset. */
  readonly resetFor: Millis
  readonly armed: Armed | undefined
  readonly evidence: BootEvidence | undefined
  /** What its locator light shows; undefined where it has none. */
  readonly lit?: Glance['lit']
  /** A job of its BMC is under way: its firmware is being changed. */
  readonly busy: boolean
  /** What its BIOS would boot by itself; read now and then. */
  readonly order?: BootOrderSeen | undefined
  /** Its virtual drives; read where a disc is wanted, or one was put in. */
  readonly media?: readonly Drive[] | undefined
}

/** A virtual drive. What is in it is compared and not kept: its address carries a ticket. */
export interface Drive {
  readonly id: string
  readonly disc: boolean
  readonly inserted: boolean
  /** Whether its BMC says what is in it. */
  readonly shown: boolean
  readonly ours: boolean
}

/** What the next boot is told to be, as it was read. An address is compared and not kept: it carries a ticket. */
export interface Armed {
  readonly target: string
  readonly raw: string
  readonly lasts: 'Once' | 'Continuous' | 'Disabled'
  readonly address: 'none' | 'ours' | 'other'
}

export interface SeenClaim {
  readonly namespace: string
  readonly name: string
  readonly uid: string | undefined
  readonly is: 'there' | 'going' | 'gone'
  readonly generation: number | undefined
  readonly power: 'On' | 'Off'
  /** What it wants installed. */
  readonly image: string | undefined
  /** Its owner agreed to maintenances. */
  readonly approves: boolean
}

export interface SeenMaintenance {
  readonly namespace: string
  readonly name: string
  readonly uid: string | undefined
  readonly generation: number | undefined
  readonly is: 'there' | 'going' | 'gone'
  readonly power: 'On' | 'Off' | undefined
  readonly led: Led | undefined
  /** It has an image of its own. */
  readonly boots: boolean
}

export type Led = NonNullable<NonNullable<Server['status']>['indicatorLED']>

export interface SeenConfiguration {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly revision: string
  readonly generation: number
  readonly deleting: boolean
  readonly state: 'Pending' | 'Ready' | 'Error'
  readonly problem: string | undefined
  readonly policy: BootPolicy
  readonly unexpectedBoot: 'SafeStop' | 'Disk'
  readonly level: EvidenceLevel
  readonly provisioned: Provisioned
  readonly provisionedRaw: string | undefined
  readonly image: string
  readonly artifacts: readonly Artifact[]
  /** Somebody else's boot server serves it, and says where, if it does: what is fetched there is not seen from here. */
  readonly external: { readonly address: string | undefined } | undefined
  /** The last boot that the boot server has on record, whatever became of the server's own note. */
  readonly lastServed: number
  /** Of the present boot only. */
  readonly served: Served | undefined
}
