import { it } from 'vitest'
import type { Bmc, BootTarget, HardwareInventory, Identity, PowerState } from '../../../src/ports/index.ts'

/** What is known of a machine before it is opened, so that what the client finds can be judged. */
export interface KnownMachine {
  readonly name: string
  readonly identity: Partial<Identity>
  readonly power: PowerState
  readonly boot: {
    readonly targets: readonly BootTarget[]
    readonly takesUri: boolean
    readonly options?: Readonly<Record<string, string>>
    readonly continuous: boolean
    /** The path that takes overrides. */
    readonly place: string
  }
  /** Slots that take a CD, and how; undefined where there is no virtual media. */
  readonly media?: { readonly cds: readonly string[]; readonly by: 'action' | 'change' }
  readonly bios?: {
    readonly version: string
    readonly settings: number
    readonly registry?: number
    readonly change?: Readonly<Record<string, string | number | boolean>>
  }
  readonly firmware?: { readonly components: number; readonly ways: readonly string[]; readonly image?: string }
  readonly inventory: {
    readonly processors: number
    readonly nics: number
    readonly disks: number
    readonly memoryBytes: number
    readonly uuid?: string
    readonly some?: Partial<HardwareInventory>
  }
  /** Requests to open and to read the inventory, login included: exact numbers, which may only fall. */
  readonly calls?: { readonly open: number; readonly inventory: number }
}

export interface OpenedMachine {
  readonly bmc: Bmc & { close(): Promise<void> }
  readonly known: KnownMachine
  /** Verb and path of every request so far. */
  readonly asked?: readonly string[]
  /** Every path that an answer linked so far. */
  readonly linked?: ReadonlySet<string>
  /** Set where the machine may be changed: lets simulated or real time pass until it has done what it was told. */
  readonly settle?: () => Promise<void>
}

export type OpenMachine = () => Promise<OpenedMachine>

/** A test with a machine of its own, logged out at the end. */
export const using =
  (open: OpenMachine, test: (machine: OpenedMachine) => Promise<void>): (() => Promise<void>) =>
  async () => {
    const machine = await open()
    try {
      await test(machine)
    } finally {
      await machine.bmc.close()
    }
  }

/** Sentences about changes are not even listed for a machine that may only be read. */
export const changing = (changes: boolean): ((sentence: string, test: () => Promise<void>) => void) => (changes ? it : () => {})
