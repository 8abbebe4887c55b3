import type { Cause } from '../../api/status.ts'
import { pathText } from './cause.ts'

/** One value on its way through a compiled schema. */
export interface Run {
  /** Where the walk stands; pushed and popped on the way, so that good values cost no text. */
  readonly path: (string | number)[]
  readonly causes: Cause[]
  /** Paths of fields that the schema does not know, and that are gone from the result. */
  readonly unknown: string[]
  /** False where only pruning and defaults are wanted. */
  readonly judging: boolean
  /** How many complaints there were, also those beyond what `causes` holds. */
  complaints: number
  /** True where complaints are only counted: an alternative is tried. */
  readonly quiet: boolean
}

/** Takes a value, gives back what becomes of it: itself where nothing changed. */
export type Step = (value: unknown, run: Run) => unknown

/** A hundred wrong fields teach as much as fifty thousand. */
const most = 100

export const startRun = (judging: boolean): Run => ({ path: [], causes: [], unknown: [], judging, complaints: 0, quiet: false })

export function complain(run: Run, make: (field: string) => Cause, child?: string | number): void {
  run.complaints++
  if (run.quiet || run.causes.length >= most) return
  run.causes.push(make(pathText(child === undefined ? run.path : [...run.path, child])))
}

export function noteUnknown(run: Run, key: string): void {
  if (run.unknown.length < most) run.unknown.push(pathText([...run.path, key]))
}
