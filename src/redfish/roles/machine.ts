import type { BootEvidence, Identity } from '../../ports/bmc.ts'
import type { Resource } from '../transport/read.ts'
import type { Service } from '../transport/service.ts'
import { evidenceOf } from './evidence.ts'

/** What every role knows of the machine it speaks to, found once when it was opened. */
export interface Machine {
  readonly service: Service
  readonly identity: Identity
  readonly root: Resource
  /** The System as it was when opened: for its links and offers, never for its state. */
  readonly system: Resource
  readonly systemPath: string
  readonly manager?: Resource
  readonly managerPath?: string
  /** Reset types on offer. */
  readonly resets: readonly string[]
  /** The System's settings object, where it has one. */
  readonly settings?: Resource
  readonly settingsPath?: string
  readonly habits: Habits
}

/** In what well-behaved services differ without saying so. A vendor's file may turn one; shared code only reads them. */
export interface Habits {
  /** Requests at once. */
  readonly inFlight: number
  /** When BootSourceOverrideMode is sent: only to change it, whenever the machine has it, or always. */
  readonly bootMode: 'to-change' | 'where-offered' | 'always'
  /** Names for booting from a virtual CD, the best first. */
  readonly cd: readonly string[]
  /** Whether the manager's reset is asked for without a type. */
  readonly bareManagerReset: boolean
  /** Whether a slot without an insert action takes its image by a change of the slot. */
  readonly slotsByChange: boolean
  /** What the System says of its boot. */
  readonly evidence: (system: Resource) => BootEvidence
}

export const plainHabits: Habits = {
  inFlight: 1,
  bootMode: 'to-change',
  cd: ['Cd'],
  bareManagerReset: false,
  slotsByChange: true,
  evidence: evidenceOf,
}
