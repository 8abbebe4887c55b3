import { type Mode, type PlannedFault, printPlan } from '../../../src/sim/faults/fault.ts'
import type { Random } from '../../../src/sim/seed.ts'
import { seconds, singles } from './choices.ts'
import { type Coverage, cover } from './coverage.ts'
import type { Judge } from './judge.ts'

export interface Finding {
  readonly story: string
  readonly plan: string
  readonly violations: readonly string[]
}

export interface Explored {
  readonly plans: number
  readonly findings: readonly Finding[]
}

export interface Reach {
  /** Of the single faults, which ones this part of the work takes: index → yes or no. */
  mine?(index: number): boolean
  /** How many pairs to try of each first fault: all, none, or some that chance picks. */
  readonly pairs: 'all' | { readonly most: number; readonly random: Random }
  /** Modes for calls besides the usual ones. */
  readonly besides?: readonly Mode[]
  /** Ends early with the first finding: a mutant is caught once. */
  readonly first?: boolean
  /** Ends early when it returns true. */
  enough?(): boolean
}

/** Every single fault of a story, and the pairs that begin with it. A pair's second fault is chosen from the run to which the first one led, so that it is sure to happen. */
export async function explore(judge: Judge, coverage: Coverage, reach: Reach): Promise<Explored> {
  const findings: Finding[] = []
  let plans = 0
  const attempt = async (plan: readonly PlannedFault[]) => {
    const run = await judge.run(plan)
    plans++
    cover(coverage, run, plan)
    if (run.violations.length > 0) findings.push({ story: judge.story.name, plan: printPlan(plan), violations: run.violations })
    return run
  }
  const over = (): boolean => (reach.first === true && findings.length > 0) || reach.enough?.() === true
  cover(coverage, judge.base, [])
  if (judge.base.violations.length > 0) {
    findings.push({ story: judge.story.name, plan: 'none', violations: judge.base.violations })
    return { plans: 1, findings }
  }
  for (const [index, first] of singles(judge.base, reach.besides ?? []).entries()) {
    if (reach.mine?.(index) === false) continue
    const run = await attempt([first])
    if (over()) break
    if (run.violations.length > 0) continue
    for (const second of picked(seconds(run, first), reach.pairs)) {
      await attempt([first, second])
      if (over()) break
    }
    if (over()) break
  }
  return { plans, findings }
}

function picked<T>(all: readonly T[], pairs: Reach['pairs']): readonly T[] {
  if (pairs === 'all') return all
  const left = [...all]
  return Array.from({ length: Math.min(pairs.most, left.length) }, () => left.splice(pairs.random.int(left.length), 1)[0]!)
}
