import type { Instant, Millis } from '../core/duration.ts'
import type { BmcAddress } from '../policy/metal3/bmc-address.ts'
import type { RaidOrder } from '../policy/metal3/raid.ts'
import type { RootDeviceHints } from '../policy/metal3/root-device.ts'
import type { BiosAttribute, BiosValue, HardwareInventory, MachineHealth } from './bmc.ts'

/** What an engine brings about for a host, one at a time. */
export type Work = 'register' | 'inspect' | 'prepare' | 'service' | 'deploy' | 'clean' | 'powerOn' | 'powerOff' | 'letGo'

/** The ramdisk that was built for one host. */
export interface Ramdisk {
  readonly format: 'iso' | 'initrd'
  readonly url: string
  /** With an initrd; the engine's own where missing. */
  readonly kernelUrl?: string
  readonly kernelParams?: string
}

/** What is wanted of a host, as far as an engine needs to know. */
export interface HostOrder {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly address: BmcAddress
  /** The machine that was registered; undefined until one was. */
  readonly systemUUID: string | undefined
  readonly inspection: 'agent' | 'fast'
  readonly cleaning: 'metadata' | 'disabled'
  /** What is to be installed, or was. */
  readonly image: HostImage | undefined
  readonly customDeploy: string | undefined
  /** The hardware addresses by which its agent is known; none where nobody told them and nobody has looked. */
  readonly macs: readonly string[]
  /** The network addresses that its interfaces had when it was inspected. */
  readonly addresses?: readonly string[]
  readonly bootMode: 'UEFI' | 'UEFISecureBoot' | 'legacy'
  readonly rootDeviceHints: RootDeviceHints | undefined
  /** The volumes that are still to be made; undefined where they are as they are wanted. */
  readonly raid: RaidOrder | undefined
  /** What its firmware is to be; undefined where nothing is wanted of it now. */
  readonly firmware?: FirmwareOrder
  /** As its spec says, or its inspection found. */
  readonly architecture: string
  /** Undefined where none is built for hosts: the engine's own is booted. */
  readonly ramdisk?: Ramdisk
  /** How it is switched off. */
  readonly off: 'soft' | 'hard'
  /** Restarts take the place of switching it off. */
  readonly neverOff: boolean
  /** The restart that is noted was told to whoever asked for it: if one is asked for now, it is another. */
  readonly restartTold?: boolean
}

/** Settings that are to hold, and what is still to be written, in this order. Both were checked before. */
export interface FirmwareOrder {
  readonly settings: Readonly<Record<string, BiosValue>>
  readonly updates: readonly { readonly component: string; readonly url: string }[]
}

export interface HostImage {
  readonly url: string
  readonly format?: string
  readonly checksum?: string
  readonly checksumType?: string
}

/** An engine's own notes, committed on the host before each step. */
export interface EngineMemory {
  readonly work: string
  /** Counted over the host's life: nothing of an earlier try is taken for the present one. */
  readonly attempt: number
  readonly step: string
  readonly since: string
  /** How often this step was asked for; once where it is not said. */
  readonly tries?: number
  readonly slot?: string
  /** When its machine was reset last, as its controller said before it was told to restart. */
  readonly reset?: string
  /** What of ours runs on a machine that may not be switched off, and stays there until it is restarted. */
  readonly runs?: 'ramdisk'
  /** How far a try with a ramdisk has come: it is being booted, its agent works, or the machine is being left. */
  readonly stage?: 'boot' | 'agent' | 'leave'
  /** What the agent still has to do, in order; the first is what `command` names once it was asked for. */
  readonly plan?: readonly string[]
  readonly command?: string
  /** How many commands the agent had been given before this one. */
  readonly seen?: number
  /** Which RAID volumes this try makes: others may be wanted meanwhile. */
  readonly volumes?: string
  /** Why it failed; told once the machine is left. */
  readonly because?: string
  /** Settings that were asked for, and not yet seen to hold; they may be pending, whatever is wanted meanwhile. */
  readonly asked?: readonly string[]
  /** What others had pending is let run by a start of its own, once in a try. */
  readonly flush?: 'begun' | 'done'
  /** The component that is being written. */
  readonly update?: UpdateNote
  /** Which wishes a failure is about: others are tried at once. */
  readonly wish?: string
}

export interface UpdateNote {
  readonly component: string
  readonly url: string
  /** The version that it had: it is written when another one is read. */
  readonly before: string
  readonly task?: string
  readonly percent?: number
}

/** What a note says of everything that it does not mention. */
export const forgotten: { readonly [F in Exclude<keyof EngineMemory, 'work' | 'attempt' | 'step' | 'since'>]: null } = {
  tries: null,
  slot: null,
  reset: null,
  runs: null,
  stage: null,
  plan: null,
  command: null,
  seen: null,
  volumes: null,
  because: null,
  asked: null,
  flush: null,
  update: null,
  wish: null,
}

/** One call that reaches the machine. */
export interface EngineStep {
  readonly do: string
  readonly [detail: string]: string
}

/** What an engine says to its present work. Busy never counts as a try; gone means register again, never give back. */
export type Turn =
  | {
      readonly is: 'done'
      readonly because: string
      readonly inventory?: HardwareInventory
      readonly powered?: boolean
      readonly systemUUID?: string
      /** Where its end has to be noted, so that what is asked for next counts from there. */
      readonly memory?: EngineMemory
    }
  | {
      readonly is: 'progress'
      readonly because: string
      readonly again: Millis
      readonly memory?: EngineMemory
      readonly does?: EngineStep
      readonly powered?: boolean
      /** A component was written, and shows this version. */
      readonly wrote?: { readonly component: string; readonly url: string; readonly version: string }
    }
  | { readonly is: 'busy'; readonly because: string; readonly again: Millis }
  | {
      readonly is: 'failed'
      readonly because: string
      readonly retryable: boolean
      readonly memory?: EngineMemory
      readonly powered?: boolean
    }
  | { readonly is: 'gone'; readonly because: string }

/** What is booted to look at a host, to install it and to clean it; undefined is what it does not come as. */
export interface RamdiskFiles {
  readonly iso?: string
  readonly kernel?: string
  readonly initramfs?: string
  /** What its kernel is told besides. */
  readonly arguments?: string
}

/** Where ramdisks come from: fixed settings, or somebody who builds one for each host. */
export interface Ramdisks {
  of(host: HostOrder, signal: AbortSignal): Promise<RamdiskFiles | { readonly missing: string }>
}

/** What a host's Secrets say to the system that is installed. Read at the moment of writing, and kept nowhere. */
export interface HostPapers {
  readonly userData?: string
  /** As the Secret has it: JSON or YAML. */
  readonly networkData?: string
  readonly metaData?: string
}

export interface Papers {
  /** Throws a Fault that names what is missing. */
  of(host: HostOrder, signal: AbortSignal): Promise<HostPapers>
}

/** Where the logs of a ramdisk go when a step of its agent has failed. */
export interface RamdiskLogs {
  /** `archive` is a tar, packed by gzip, as the agent made it. */
  keep(of: { readonly namespace: string; readonly name: string; readonly attempt: number }, archive: Uint8Array): Promise<void>
}

/** Installs hosts and takes them back. Writes no object: what it says is told by the host's controller alone. */
export interface Provisioner {
  readonly name: string
  /** Everything that judging this work needs to know; never throws for what a machine does not answer. */
  look(host: HostOrder, work: Work, memory: EngineMemory | undefined, signal: AbortSignal): Promise<unknown>
  /** Pure: what was seen, and what follows from it. */
  judge(host: HostOrder, work: Work, memory: EngineMemory | undefined, sight: unknown, now: Instant): Turn
  /** How the machine says that it is, where a look showed that. */
  health?(sight: unknown): MachineHealth | undefined
  perform(host: HostOrder, step: EngineStep, signal: AbortSignal): Promise<void>
  /** Discs that a host finds and does not boot from; missing where the engine cannot. */
  readonly media?: DataMedia
  /** Tells what the firmware of a host is; missing where the engine cannot. */
  readonly firmware?: FirmwareView
  /** The host is managed no longer. */
  forget(host: Pick<HostOrder, 'namespace' | 'name' | 'uid'>): Promise<void>
}

/** Puts discs into drives of a host beside everything else that an engine does with it. */
export interface DataMedia {
  /** Never throws for what a machine does not answer. */
  look(host: HostOrder, signal: AbortSignal): Promise<MediaSight>
  insert(host: HostOrder, drive: string, url: string, signal: AbortSignal): Promise<void>
  eject(host: HostOrder, drive: string, signal: AbortSignal): Promise<void>
}

export type MediaSight =
  | {
      readonly is: 'there'
      readonly power: string
      /** Another machine than the one that was registered. */
      readonly stranger: boolean
      /** Firmware or BIOS jobs are under way. */
      readonly busy: boolean
      /** Undefined where its controller has none for discs. */
      readonly drives: readonly { readonly id: string; readonly inserted: boolean; readonly image?: string }[] | undefined
    }
  | { readonly is: 'silent'; readonly because: string }

/** Looks at the firmware of a host, and changes nothing. */
export interface FirmwareView {
  /** Never throws for what a machine does not answer. What only another BIOS changes is taken from what was seen before. */
  look(host: HostOrder, before: FirmwareSight | undefined, signal: AbortSignal): Promise<FirmwareSight>
}

export type FirmwareSight =
  | {
      readonly is: 'there'
      readonly vendor: string
      readonly model: string
      /** Undefined where its controller shows none. */
      readonly settings: Readonly<Record<string, BiosValue>> | undefined
      /** What may be set to what; undefined where it does not say. */
      readonly registry: readonly BiosAttribute[] | undefined
      readonly components: readonly { readonly component: string; readonly version: string }[]
    }
  | { readonly is: 'silent'; readonly because: string }

/** Looks at the beginning of a disc where it lies. */
export interface DiscCheck {
  /** `unknown` where it cannot be looked at from here. */
  of(url: string, signal: AbortSignal): Promise<'iso' | 'other' | 'unknown'>
}
