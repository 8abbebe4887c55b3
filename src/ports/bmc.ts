/**
 * What a server's management controller can do, in roles. A role that is missing is a capability that is missing.
 * No call waits for the world to change: `set` returns when it is accepted, the next look tells what came of it.
 * Every call may throw a Fault whose retry class says whether trying again makes sense.
 */
export interface Bmc {
  readonly identity: Identity
  /** What one request shows of the machine at this moment, its identity included. */
  glance(signal?: AbortSignal): Promise<Glance>
  readonly power: Power
  readonly boot: Boot
  readonly inventory: Inventory
  readonly manager: Manager
  readonly media?: Media
  readonly bios?: Bios
  readonly firmware?: Firmware
}

/** Who it is, read once per session; checked before the first destructive call. */
export interface Identity {
  readonly manufacturer: string
  readonly model: string
  readonly serial?: string
  readonly uuid?: string
  readonly sku?: string
  readonly bmcModel?: string
  readonly bmcFirmware?: string
  /** Who wrote the controller's software, as its service root says: `AMI` inside another maker's server. */
  readonly bmcMaker?: string
  readonly redfish: string
  /** The System's own path; several may share one BMC. */
  readonly system: string
}

export interface Glance {
  readonly power: PowerState
  readonly uuid?: string
  readonly serial?: string
  /** Of the machine with everything in it; undefined where it does not say, or says what nobody knows. */
  readonly health?: MachineHealth
  readonly evidence: BootEvidence
  /** Where it stands beside the rest; otherwise `boot.override` has to be asked. */
  readonly override?: Override
  /** Its locator light; undefined where it does not show one. */
  readonly lit?: 'Lit' | 'Blinking' | 'Off'
}

export type MachineHealth = 'OK' | 'Warning' | 'Critical'

/** `Unknown` is anything this program has no name for: nothing destructive follows from it. */
export type PowerState = 'On' | 'Off' | 'PoweringOn' | 'PoweringOff' | 'Paused' | 'Unknown'

export interface Power {
  state(signal?: AbortSignal): Promise<PowerState>
  set(to: 'On' | 'Off' | 'Cycle', how: 'graceful' | 'forced', signal?: AbortSignal): Promise<void>
}

export type BootTarget = 'Pxe' | 'UefiHttp' | 'Hdd' | 'Cd' | 'UefiShell' | 'BiosSetup'

export interface Override {
  /** What is armed; `Other` where this program has no name for it. */
  readonly target: BootTarget | 'None' | 'Other'
  readonly raw: string
  readonly lasts: 'Once' | 'Continuous' | 'Disabled'
  readonly mode?: 'UEFI' | 'Legacy'
  readonly uri?: string
}

export interface BootOption {
  readonly reference: string
  readonly name: string
  readonly kind: BootTarget | 'Other'
  readonly enabled: boolean
  readonly path?: string
}

export interface BootEvidence {
  /** Redfish BootProgress.LastState as spelled there. */
  readonly progress?: string
  readonly progressTime?: string
  readonly lastResetTime?: string
  readonly lastResetCause?: string
  readonly inPost?: boolean
}

export interface Boot {
  /** The targets that this machine can be told for its next boot, by name or by a boot option of that kind. Read once. */
  targets(signal?: AbortSignal): Promise<readonly BootTarget[]>
  /** True where a boot URI can be given with UefiHttp. */
  readonly takesUri: boolean
  override(signal?: AbortSignal): Promise<Override>
  /** Arms the next boot; says nothing to a machine that is armed so already. The caller reads back what came of it. */
  once(target: BootTarget, uri?: string, signal?: AbortSignal): Promise<void>
  /** For hosts whose owner wants it so (Metal3): armed until changed. */
  always?(target: BootTarget, signal?: AbortSignal): Promise<void>
  clear(signal?: AbortSignal): Promise<void>
  evidence(signal?: AbortSignal): Promise<BootEvidence>
  options?(signal?: AbortSignal): Promise<readonly BootOption[]>
  order?(signal?: AbortSignal): Promise<readonly string[]>
  setOrder?(references: readonly string[], signal?: AbortSignal): Promise<void>
  secureBoot?(signal?: AbortSignal): Promise<'Enabled' | 'Disabled' | 'Unknown'>
}

export interface MediaSlot {
  /** Its path: slots of the system and of the manager share names. */
  readonly id: string
  readonly types: readonly ('CD' | 'DVD' | 'Floppy' | 'USBStick' | 'Other')[]
  /** Occupied: BMCs have said "not inserted" beside an image, and "inserted" without one. */
  readonly inserted: boolean
  readonly image?: string
  /** How an image gets into it. */
  readonly by: 'action' | 'change'
}

export interface Media {
  slots(signal?: AbortSignal): Promise<readonly MediaSlot[]>
  /** Says nothing where the image is in already. Where another is still being ejected, the fault says to come again. */
  insert(slot: string, iso: string, signal?: AbortSignal): Promise<void>
  eject(slot: string, signal?: AbortSignal): Promise<void>
}

export type BiosValue = string | number | boolean | null

export interface BiosAttribute {
  readonly name: string
  readonly type: 'Enumeration' | 'String' | 'Integer' | 'Boolean' | 'Password'
  readonly readOnly: boolean
  readonly values?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  /** What other settings make of it: read-only, hidden, or another value. */
  readonly dependencies?: readonly BiosDependency[]
}

export interface BiosDependency {
  readonly when: readonly { readonly setting: string; readonly is: string; readonly value: BiosValue }[]
  readonly property: string
  readonly value: BiosValue
}

export interface Bios {
  version(signal?: AbortSignal): Promise<string | undefined>
  settings(signal?: AbortSignal): Promise<Readonly<Record<string, BiosValue>>>
  /** What will hold after the next reset; empty where nothing is pending. */
  pending(signal?: AbortSignal): Promise<Readonly<Record<string, BiosValue>>>
  /** Asks for these values at the next reset; what holds or is pending already is not asked again. Answers with the job's address where there is one. */
  set(settings: Readonly<Record<string, BiosValue>>, signal?: AbortSignal): Promise<string | undefined>
  /** What may be set to what; undefined where the BMC offers no registry. */
  registry?(signal?: AbortSignal): Promise<readonly BiosAttribute[]>
}

export interface FirmwareComponent {
  readonly id: string
  /** Where it is listed: names it as the target of an update. */
  readonly path?: string
  readonly name: string
  readonly version: string
  readonly manufacturer?: string
  readonly updateable: boolean
}

/** A long job of the BMC. `Gone` is neither success nor failure: read back what it should have done. */
export interface BmcTask {
  readonly state: 'Running' | 'Succeeded' | 'Failed' | 'Gone' | 'Unknown'
  readonly percent?: number
  readonly message?: string
}

export interface Firmware {
  components(signal?: AbortSignal): Promise<readonly FirmwareComponent[]>
  /** How images get to it: fetched by the BMC (`update`) or sent to it (`push`). */
  ways(signal?: AbortSignal): Promise<readonly ('update' | 'push')[]>
  /** Starts an update and answers with the address to ask `task` about. */
  update(image: string, targets: readonly string[] | undefined, signal?: AbortSignal): Promise<string | undefined>
  /** The same with an image that is sent along. */
  push(name: string, image: Uint8Array, targets: readonly string[] | undefined, signal?: AbortSignal): Promise<string | undefined>
  task(address: string, signal?: AbortSignal): Promise<BmcTask>
  /** Tasks of this system that are under way: nothing may be powered or rebooted meanwhile. One that waits for a reset is none. */
  running(signal?: AbortSignal): Promise<readonly string[]>
}

export interface Inventory {
  read(signal?: AbortSignal): Promise<HardwareInventory>
}

export interface HardwareInventory {
  readonly manufacturer?: string
  readonly model?: string
  readonly serial?: string
  readonly sku?: string
  readonly uuid?: string
  readonly biosVersion?: string
  readonly biosVendor?: string
  readonly biosDate?: string
  readonly hostname?: string
  readonly health?: string
  readonly memoryBytes?: number
  readonly processors: readonly {
    readonly id: string
    readonly model?: string
    readonly manufacturer?: string
    readonly architecture?: string
    readonly cores?: number
    readonly threads?: number
    readonly maxMhz?: number
    readonly flags?: readonly string[]
  }[]
  readonly nics: readonly {
    readonly id: string
    readonly mac?: string
    readonly name?: string
    readonly linkUp?: boolean
    readonly speedMbps?: number
    readonly model?: string
    readonly pciAddress?: string
    readonly addresses: readonly string[]
  }[]
  readonly disks: readonly {
    readonly id: string
    readonly name?: string
    readonly model?: string
    readonly serial?: string
    readonly bytes?: number
    readonly type?: string
    readonly rotational?: boolean
    readonly health?: string
    readonly vendor?: string
    readonly wwn?: string
    readonly wwnWithExtension?: string
    readonly wwnVendorExtension?: string
    readonly hctl?: string
    readonly alternateNames?: readonly string[]
  }[]
}

export interface Manager {
  health(signal?: AbortSignal): Promise<{
    readonly health?: string
    /** Enabled, Updating and so on, as Redfish spells it. */
    readonly state?: string
    readonly firmware?: string
    readonly time?: string
  }>
  led?(on: boolean, signal?: AbortSignal): Promise<void>
  reset?(signal?: AbortSignal): Promise<void>
}

/** Sessions, credentials, in-flight limits and circuit breakers of all BMCs, shared fairly. */
export interface BmcPool {
  /** The signal ends the waiting for a machine to be opened; calls inside `work` take one of their own. */
  use<T>(server: string, work: (bmc: Bmc) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Logs out of a server that is managed no longer. */
  forget(server: string): Promise<void>
  close(): Promise<void>
}

/** How a BMC is reached and trusted. Secrets come as a function, so that rotation needs no restart. */
export interface BmcAccess {
  readonly address: string
  readonly system?: string
  readonly tls:
    | { readonly ca: string }
    | { readonly fingerprint: string }
    | { readonly trust: 'OnFirstUse'; seen(fingerprint: string): Promise<boolean> }
    | { readonly trust: 'System' }
  /** Which revision of the credentials it is: with another one the session is left and a new one is opened. */
  readonly revision?: string
  credentials(): Promise<{ readonly username: string; readonly password: string }>
}
