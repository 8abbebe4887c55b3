import type { Instant } from '../../core/duration.ts'
import type { BiosValue } from '../../ports/bmc.ts'
import type { Clock } from '../../ports/index.ts'
import type { Switch } from '../misbehaviour/switches.ts'
import type { SimAgent } from './ironic-agent/agent.ts'
import type { AgentManner } from './ironic-agent/manners.ts'
import type { MachineModel } from './model.ts'
import type { BootKind, BootWorld, Step } from './world.ts'

export type PowerNow = 'On' | 'Off' | 'PoweringOn' | 'PoweringOff'

/** Where the host is: firmware initialises, something is being loaded, an operating system runs, or it waits for a person. */
export type Stage = 'off' | 'post' | 'loading' | 'running' | 'shell' | 'setup' | 'stuck'

export interface Armed {
  readonly target: string
  readonly lasts: 'Once' | 'Continuous' | 'Disabled'
  readonly mode: 'UEFI' | 'Legacy' | null
  readonly uri: string | null
  readonly uefiTarget: string | null
}

export const disarmed: Armed = Object.freeze({ target: 'None', lasts: 'Disabled', mode: 'UEFI', uri: null, uefiTarget: null })

export interface Disk {
  readonly os: string
  readonly steps: readonly Step[]
  /** What it does at its boots after the next; the last of them at all that follow. */
  readonly later?: readonly (readonly Step[])[]
  /** The EFI shell runs this from the disk after five seconds, which makes "stop in the shell" a boot. */
  readonly startupScript?: boolean
  /** What an agent wrote beside it, as it was given. */
  readonly configDrive?: string
}

export interface Medium {
  readonly image: string
  readonly writeProtected: boolean
  readonly method: string
  /** An eject was accepted and is not done yet. */
  readonly leaving?: true
}

/** Something that really happened to a machine, whatever its BMC says about it. */
export type Happening =
  | { readonly what: 'power'; readonly to: 'On' | 'Off'; readonly by: string }
  | { readonly what: 'reset'; readonly by: string }
  | { readonly what: 'boots'; readonly from: BootKind; readonly by: 'override' | 'order' | 'next'; readonly url?: string }
  | { readonly what: 'boot-failed'; readonly from: BootKind; readonly because: string }
  | { readonly what: 'runs'; readonly from: BootKind; readonly os: string }
  | { readonly what: 'stops-in'; readonly place: 'shell' | 'setup' | 'nowhere' }
  | { readonly what: 'installed'; readonly os: string }
  | { readonly what: 'wiped' }
  | { readonly what: 'volumes'; readonly count: number }
  | { readonly what: 'flashed'; readonly part: string; readonly version: string }
  | { readonly what: 'bmc-restarts' }

/** What all machines of a rack share. */
export interface Site {
  readonly clock: Clock
  readonly world: BootWorld | undefined
  tell(server: string, what: Happening): void
}

/** One simulated host: plain state, changed only by the functions of this folder. Fields that most machines never need are absent. */
export interface Machine {
  readonly name: string
  readonly number: number
  readonly site: Site
  readonly model: MachineModel
  power: PowerNow
  stage: Stage
  /** When the present stage began, and the present power state. */
  since: Instant
  powerSince: Instant
  lastReset: Instant
  /** Counts power events: what an earlier one began is not finished after a later one. */
  epoch: number
  armed: Armed
  source: BootKind | undefined
  disk: Disk | undefined
  cancel: (() => void) | undefined
  bootNext: string | undefined
  order: readonly string[] | undefined
  uuidOf: number | undefined
  deaf: boolean
  secureBoot: boolean
  secureBootNext: boolean | undefined
  media: Record<string, Medium> | undefined
  bios: Record<string, BiosValue> | undefined
  biosPending: Record<string, BiosValue> | undefined
  firmware: Record<string, string> | undefined
  staged: Record<string, string> | undefined
  faults: Switch[] | undefined
  /** What it says of itself where that is not OK. */
  health: 'Warning' | 'Critical' | undefined
  /** The Ironic agent that was started last; whether it still runs, its epoch says. */
  agent: SimAgent | undefined
  /** How often its agent goes wrong from now on, and how. */
  agentManners: Partial<Record<AgentManner, number>> | undefined
  /** The volumes that an agent made, as it was told; undefined where its disks are as they came. */
  volumes: readonly object[] | undefined
  /** Whether its ramdisk has steps for a RAID controller, and whether they want a restart each. */
  raidSteps: 'controller' | 'restarting' | 'none' | undefined
}

export interface MachineOptions {
  readonly name: string
  readonly number: number
  readonly site: Site
  readonly model: MachineModel
}

/** Powered off, with an empty disk, as it comes out of its box. */
export function newMachine({ name, number, site, model }: MachineOptions): Machine {
  const now = site.clock.now()
  return {
    name,
    number,
    site,
    model,
    power: 'Off',
    stage: 'off',
    since: now,
    powerSince: now,
    lastReset: now,
    epoch: 0,
    armed: disarmed,
    source: undefined,
    disk: undefined,
    cancel: undefined,
    bootNext: undefined,
    order: undefined,
    uuidOf: undefined,
    deaf: false,
    secureBoot: false,
    secureBootNext: undefined,
    media: undefined,
    bios: undefined,
    biosPending: undefined,
    firmware: undefined,
    staged: undefined,
    faults: undefined,
    health: undefined,
    agent: undefined,
    agentManners: undefined,
    volumes: undefined,
    raidSteps: undefined,
  }
}

export const biosValue = (machine: Machine, attribute: string): BiosValue | undefined =>
  machine.bios && attribute in machine.bios ? machine.bios[attribute] : machine.model.bios[attribute]

export const firmwareVersion = (machine: Machine, id: string): string | undefined =>
  machine.firmware?.[id] ?? machine.model.firmware.find(part => part.id === id)?.version

export function enter(machine: Machine, stage: Stage): void {
  machine.stage = stage
  machine.since = machine.site.clock.now()
}
