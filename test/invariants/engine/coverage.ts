import { type Mode, modesOf, type PlannedFault, type PointKind } from '../../../src/sim/faults/fault.ts'
import type { Run } from '../../../src/sim/run.ts'

/** Which calls runs made, and what went wrong at them. Plain data, so that parts of the work can be put together. */
export interface Coverage {
  /** Call → kind. */
  readonly seen: Map<string, PointKind>
  /** `call = mode` */
  readonly tried: Set<string>
}

export const noCoverage = (): Coverage => ({ seen: new Map(), tried: new Set() })

const nameOf = (call: string, mode: Mode): string => `${call} = ${mode}`

export function cover({ seen, tried }: Coverage, run: Run, plan: readonly PlannedFault[]): void {
  for (const { call, kind } of run.passed) seen.set(call, kind)
  for (const { call, mode } of plan) tried.add(nameOf(call, mode))
}

/** Each call with each thing that can go wrong there, where nothing of the kind was tried. */
export const uncovered = ({ seen, tried }: Coverage): readonly string[] =>
  [...seen].flatMap(([call, kind]) => modesOf[kind].map(mode => nameOf(call, mode)).filter(name => !tried.has(name)))
