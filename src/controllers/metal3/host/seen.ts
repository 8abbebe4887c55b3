import type { Millis } from '../../../core/duration.ts'
import type { Standing } from '../../../core/machine.ts'
import type { Release } from '../../../core/plan.ts'
import type { Reboot } from '../../../policy/metal3/reboot.ts'
import type { HardwareInventory, MachineHealth } from '../../../ports/bmc.ts'
import type { EngineMemory, EngineStep, HostOrder, Turn, Work } from '../../../ports/provisioner.ts'
import type { BareMetalHost, HardwareData, PreprovisioningImage } from '../resources.ts'
import type { Lack, SeenFirmware } from './firmware.ts'

type Status = NonNullable<BareMetalHost['status']>
export type HardwareDetails = NonNullable<HardwareData['spec']['hardware']>

export interface Seen {
  readonly host: SeenHost
  /** Undefined where the host has no BMC, or its address cannot be read. */
  readonly order: HostOrder | undefined
  readonly credentials: SeenCredentials
  /** What is wrong with the host by itself. */
  readonly problems: readonly string[]
  /** It was registered at another address, which is not asked for anything. */
  readonly moved: boolean
  /** Who has the same machine, and had it first. */
  readonly owner: string | undefined
  /** For how long nothing is tried after its last failure. */
  readonly rest: Millis
  /** How many hosts that boot from the network come before it; undefined where it need not wait for them. */
  readonly inLine: number | undefined
  /** The image of its ramdisk; undefined where none is built for hosts. */
  readonly image: SeenImage | undefined
  /** Its DataImage, where there is one. */
  readonly media: SeenMedia | undefined
  /** What is wanted of its firmware. */
  readonly firmware: SeenFirmware
  /** What its engine is asked for now, and what it says; undefined where there is nothing to ask. */
  readonly work: Work | undefined
  readonly turn: Turn | undefined
  /** How its machine says that it is; undefined where nobody was told now. */
  readonly health: MachineHealth | undefined
  /** For how long its engine has been in no position to go on. */
  readonly busyFor: Millis
  /** What was found by the inspection that is under way or was the last. */
  readonly inspected: boolean
  /** What HardwareData says, whoever wrote it. */
  readonly hardware: HardwareDetails | undefined
}

export interface SeenHost {
  readonly name: string
  readonly deleting: boolean
  readonly standing: Standing
  readonly online: boolean
  readonly hasBmc: boolean
  readonly address: string | undefined
  /** Where it was registered. */
  readonly registeredAt: string | undefined
  /** The interface that it boots from, as it is wanted and as it was registered with. */
  readonly bootMAC: string | undefined
  readonly notedMAC: string | undefined
  readonly external: boolean
  readonly inspects: boolean
  readonly wantsInspection: boolean
  /** What somebody told of it in place of an inspection. */
  readonly told: HardwareDetails | undefined
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
  /** Somebody changed what is wanted since its status was written: what failed before is tried again. */
  readonly edited: boolean
  readonly fails: { readonly count: number; readonly of: string | undefined }
  readonly written: NonNullable<Status['firmwareUpdates']>
  readonly goodCredentials: string | undefined
  readonly triedCredentials: string | undefined
  /** A status that somebody carried over from another cluster, where there is none yet. */
  readonly carried: Status | undefined
  readonly hasCarried: boolean
  /** Whether anything was said of its health. */
  readonly hasHealth: boolean
  readonly spec: BareMetalHost['spec']
  readonly inspectionBegan: string | undefined
}

export type SeenCredentials =
  | { readonly is: 'there'; readonly name: string; readonly version: string }
  | { readonly is: 'missing'; readonly because: string }
  | { readonly is: 'unwanted' }

/** The image of a host's ramdisk: what is wanted of it, and what has become of it. */
export interface SeenImage {
  /** `kept`: not asked for, and not taken away either. */
  readonly need: 'required' | 'kept' | 'none'
  readonly spec: NonNullable<PreprovisioningImage['spec']>
  readonly labels: Readonly<Record<string, string>>
  readonly object: PreprovisioningImage | undefined
  readonly is: 'missing' | 'other' | 'building' | 'ready' | 'failed'
  readonly because: string
  /** For how long it has been required and not ready. */
  readonly missedFor: Millis
}

/** The disc that a host shall find when it starts. */
export interface SeenMedia {
  readonly revision: string | undefined
  /** Something has still to be put in or taken out before it starts. */
  readonly pending: boolean
  /** Something of it may be in a drive. */
  readonly isIn: boolean
  /** Where it is to be found; undefined where it is not in, or another one is wanted. */
  readonly shown: { readonly drive: string | undefined; readonly attached: string } | undefined
  /** It was put in, and its drive does not show it any more. */
  readonly lost: boolean
  /** It is not as it is wanted, and nobody waits for it any more. */
  readonly missed: string | undefined
  /** For how long the host has been held for it. */
  readonly heldFor: Millis
}

export type Verb =
  /** Reaches the machine. */
  | { readonly do: 'engine'; readonly order: HostOrder; readonly step: EngineStep }
  | { readonly do: 'keepHardware'; readonly inventory: HardwareInventory; readonly began: string }
  | { readonly do: 'keepTold'; readonly hardware: HardwareDetails }
  | { readonly do: 'takeAnnotation'; readonly name: string }
  | { readonly do: 'keepFirmware'; readonly lack: Lack }
  | { readonly do: 'makeImage'; readonly image: SeenImage }
  | { readonly do: 'dropImage'; readonly image: PreprovisioningImage }
  /** Takes off what baremetal-operator put on the Secret and the other objects of a host. */
  | { readonly do: 'freeSatellites' }
  | { readonly do: 'forget'; readonly order: HostOrder }
  | Release
