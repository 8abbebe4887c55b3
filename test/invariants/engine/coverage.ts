import { type Mode, modesOf, type PlannedFault } from '../../../src/sim/faults/fault.ts'
import type { Run } from '../../../src/sim/run.ts'

/** What could go wrong at the calls that runs made, and what did. Plain data, so that parts of the work can be put together. */
export interface Coverage {
  /** `call = mode` */
  readonly possible: Set<string>
  readonly tried: Set<string>
}

export const noCoverage = (): Coverage => ({ possible: new Set(), tried: new Set() })

const nameOf = (call: string, mode: Mode): string => `${like(call)} = ${mode}`

/** Jobs, and what a Set makes, are named after what they are for: one is like the other. */
const like = (call: string): string =>
  call.replace(/( jobs(?:\/\w+)? [^ /]+\/).*$/, '$1*').replace(/( serverbioses(?:\/\w+)? )all-\S+$/, '$1all-*')

/** `without` is what means nothing in the story of this run. */
export function cover({ possible, tried }: Coverage, run: Run, plan: readonly PlannedFault[], without: readonly Mode[]): void {
  for (const { call, kind } of run.passed) for (const mode of modesOf[kind]) if (!without.includes(mode)) possible.add(nameOf(call, mode))
  for (const { call, mode } of plan) tried.add(nameOf(call, mode))
}

/** Each call with each thing that can go wrong there, where nothing of the kind was tried. */
export const uncovered = ({ possible, tried }: Coverage): readonly string[] => [...possible].filter(name => !tried.has(name))
