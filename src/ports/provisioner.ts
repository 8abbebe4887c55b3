import type { Instant, Millis } from '../core/duration.ts'
import type { BmcAddress } from '../policy/metal3/bmc-address.ts'
import type { HardwareInventory } from './bmc.ts'

/** What an engine brings about for a host, one at a time. */
export type Work = 'register' | 'inspect' | 'prepare' | 'deploy' | 'clean' | 'powerOn' | 'powerOff' | 'letGo'

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
  readonly image: { readonly url: string; readonly format?: string; readonly checksum?: string } | undefined
  readonly customDeploy: string | undefined
  readonly raid: boolean
  /** How it is switched off. */
  readonly off: 'soft' | 'hard'
  /** Restarts take the place of switching it off. */
  readonly neverOff: boolean
}

/** An engine's own notes, committed on the host before each step. */
export interface EngineMemory {
  readonly work: string
  /** Counted over the host's life: nothing of an earlier try is taken for the present one. */
  readonly attempt: number
  readonly step: string
  readonly since: string
  readonly slot?: string
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
    }
  | {
      readonly is: 'progress'
      readonly because: string
      readonly again: Millis
      readonly memory?: EngineMemory
      readonly does?: EngineStep
      readonly powered?: boolean
    }
  | { readonly is: 'busy'; readonly because: string; readonly again: Millis }
  | { readonly is: 'failed'; readonly because: string; readonly retryable: boolean }
  | { readonly is: 'gone'; readonly because: string }

/** Installs hosts and takes them back. Writes no object: what it says is told by the host's controller alone. */
export interface Provisioner {
  readonly name: string
  /** Everything that judging this work needs to know; never throws for what a machine does not answer. */
  look(host: HostOrder, work: Work, memory: EngineMemory | undefined, signal: AbortSignal): Promise<unknown>
  /** Pure: what was seen, and what follows from it. */
  judge(host: HostOrder, work: Work, memory: EngineMemory | undefined, sight: unknown, now: Instant): Turn
  perform(host: HostOrder, step: EngineStep, signal: AbortSignal): Promise<void>
  /** The host is managed no longer. */
  forget(host: Pick<HostOrder, 'namespace' | 'name'>): Promise<void>
}
