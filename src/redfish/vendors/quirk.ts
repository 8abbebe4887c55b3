import type { Bmc, Identity } from '../../ports/bmc.ts'
import type { Habits, Machine } from '../roles/machine.ts'

/** What one vendor's machines do differently, with the evidence. Everything that a machine says of itself is found without any. */
export interface Quirk {
  readonly name: string
  readonly because: string
  applies(to: Identity): boolean
  /** Habits to turn. */
  readonly habits?: Partial<Habits>
  /** The roles with another way round what does not work. */
  wrap?(bmc: Bmc, machine: Machine): Bmc
}

export const madeBy =
  (pattern: RegExp) =>
  (to: Identity): boolean =>
    pattern.test(to.manufacturer) || pattern.test(to.bmcMaker ?? '')
