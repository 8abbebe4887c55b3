import type { Invariant } from '../../../src/sim/invariant.ts'
import type { Motors } from './setting.ts'

export const valveInvariants: readonly Invariant<Motors>[] = []
