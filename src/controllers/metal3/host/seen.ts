import type { Millis } from '../../../core/duration.ts'
import type { Standing } from '../../../core/machine.ts'
import type { Release } from '../../../core/plan.ts'
import type { Reboot } from '../../../policy/metal3/reboot.ts'
import type { HardwareInventory } from '../../../ports/bmc.ts'
import type { EngineMemory, EngineStep, HostOrder, Turn, Work } from '../../../ports/provisioner.ts'
import type { BareMetalHost } from '../resources.ts'

type Status = NonNullable<BareMetalHost['status']>

export interface Seen {
  readonly host: SeenHost
  /** Undefined where the host has no BMC, or its address cannot be read. */
  readonly order: HostOrder | undefined
  readonly credentials: SeenCredentials
  /** What is wrong with the host by itself. */
  readonly problems: readonly string[]
  /** Who has the same machine, and had it first. */
  readonly owner: string | undefined
  /** What its engine is asked for now, and what it says; undefined where there is nothing to ask. */
  readonly work: Work | undefined
  readonly turn: Turn | undefined
  /** For how long its engine has been in no position to go on. */
  readonly busyFor: Millis
  /** What was found by the inspection that is under way or was the last. */
  readonly inspected: boolean
}

export interface SeenHost {
  readonly name: string
  readonly deleting: boolean
  readonly standing: Standing
  readonly online: boolean
  readonly hasBmc: boolean
  readonly external: boolean
  readonly inspects: boolean
  readonly wantsInspection: boolean
  readonly paused: boolean
  readonly detached: { readonly delaysDeletion: boolean; readonly force: boolean } | undefined
  readonly reboot: Reboot | undefined
  /** What is to be installed: the image's address, or the method of a custom deploy. */
  readonly wanted: string | undefined
  readonly installed: string | undefined
  readonly neverOff: boolean
  readonly poweredOn: boolean
  readonly memory: EngineMemory | undefined
  readonly operational: Status['operationalStatus']
  readonly error: { readonly type: string; readonly message: string; readonly count: number; readonly restsFor: Millis } | undefined
  readonly errorCount: number
  readonly fails: { readonly count: number; readonly of: string | undefined }
  readonly goodCredentials: string | undefined
  /** A status that somebody carried over from another cluster, where there is none yet. */
  readonly carried: Status | undefined
  readonly hasCarried: boolean
  readonly spec: BareMetalHost['spec']
  readonly inspectionBegan: string | undefined
}

export type SeenCredentials =
  | { readonly is: 'there'; readonly name: string; readonly version: string }
  | { readonly is: 'missing'; readonly because: string }
  | { readonly is: 'unwanted' }

export type Verb =
  /** Reaches the machine. */
  | { readonly do: 'engine'; readonly order: HostOrder; readonly step: EngineStep }
  | { readonly do: 'keepHardware'; readonly inventory: HardwareInventory; readonly began: string }
  | { readonly do: 'takeAnnotation'; readonly name: string }
  | { readonly do: 'forget'; readonly order: HostOrder }
  | Release
