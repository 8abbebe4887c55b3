import { type Mode, type PlannedFault, type Point, type PointKind, printPoint } from './fault.ts'

/** A point that a run came to. */
export interface Passed extends Point {
  readonly kind: PointKind
  /** What the plan did there. */
  readonly mode: Mode | undefined
  /** How long the action log was then. */
  readonly entry: number
}

/** Counts the points of a run and says which of them are to go wrong. */
export interface Injector {
  readonly passed: readonly Passed[]
  /** Faults of the plan whose point was never reached. */
  readonly unused: readonly PlannedFault[]
  /** The next point of this name: how many there have been, and what goes wrong. */
  pass(by: string, call: string, kind: PointKind): Passed
}

export function openInjector(plan: readonly PlannedFault[], logged: () => number): Injector {
  const wanted = new Map(plan.map(fault => [printPoint(fault), fault]))
  const counts = new Map<string, number>()
  const passed: Passed[] = []
  return {
    passed,
    get unused() {
      return [...wanted.values()]
    },
    pass(by, call, kind) {
      const name = `${by}: ${call}`
      const nth = (counts.get(name) ?? 0) + 1
      counts.set(name, nth)
      const at = `${name}#${nth}`
      const mode = wanted.get(at)?.mode
      wanted.delete(at)
      const point: Passed = { by, call, nth, kind, mode, entry: logged() }
      passed.push(point)
      return point
    },
  }
}
