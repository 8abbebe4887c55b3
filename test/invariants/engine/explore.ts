import { type Mode, type PlannedFault, printPlan } from '../../../src/sim/faults/fault.ts'
import type { Run } from '../../../src/sim/run.ts'
import type { Random } from '../../../src/sim/seed.ts'
import { choiceOf, isForPairs, secondsAfter, singles } from './choices.ts'
import { type Coverage, cover } from './coverage.ts'
import { futuresOf } from './futures.ts'
import type { Judge } from './judge.ts'

export interface Finding {
  readonly story: string
  readonly plan: string
  readonly violations: readonly string[]
}

export interface Explored {
  readonly singles: number
  readonly pairs: number
  /** Pairs that are like one that was tried. */
  readonly alike: number
  /** Pairs that chance did not pick. */
  readonly left: number
  readonly findings: readonly Finding[]
}

export interface Reach {
  /** Which first faults this part of the work takes, with the pairs that begin with them, where it is divided. */
  mine?(first: string): boolean
  /** Which pairs: each there is, each that is not like another, some of those that chance picks for each first fault, or none. */
  readonly pairs: 'each' | 'distinct' | 'none' | { readonly most: number; readonly random: Random }
  /** Only one in so many of the single faults, as chance picks them. */
  readonly sample?: { readonly one: number; readonly random: Random }
  /** Of what goes wrong at a call, the first time and one in so many of the others, as chance picks them. */
  readonly thin?: { readonly one: number; readonly random: Random } | undefined
  /** Only these modes. */
  readonly only?: readonly Mode[] | undefined
  /** Ends early with the first finding of this kind: a mutant is caught once. */
  first?(finding: Finding): boolean
}

/**
 * Every single fault of a story, and the pairs that begin with it. A pair's second fault is chosen from the run to which the first one led,
 * so that it is sure to happen.
 */
export async function explore(judge: Judge, coverage: Coverage, reach: Reach): Promise<Explored> {
  const choice = choiceOf(judge.story)
  const findings: Finding[] = []
  const tried = { singles: 0, pairs: 0, alike: 0, left: 0 }
  const attempt = async (plan: readonly PlannedFault[]): Promise<Run> => {
    const run = await judge.run(plan)
    cover(coverage, run, plan, choice.without)
    if (run.violations.length > 0) findings.push({ story: judge.story.name, plan: printPlan(plan), violations: run.violations })
    return run
  }
  const over = (): boolean => reach.first !== undefined && findings.some(reach.first)
  cover(coverage, judge.base, [], choice.without)
  if (judge.base.violations.length > 0) findings.push({ story: judge.story.name, plan: 'none', violations: judge.base.violations })
  if (findings.length > 0) return { ...tried, findings }
  const wanted = ({ mode }: PlannedFault): boolean => reach.only?.includes(mode) !== false
  const firsts = singles(judge.base, choice).filter(
    fault => wanted(fault) && (!reach.sample || reach.sample.random.int(reach.sample.one) === 0),
  )
  const thinned = reach.thin ? thin(firsts, reach.thin) : firsts
  const known = futuresOf(judge.base)
  const seen = new Set(firsts.map(known.nameOf))
  tried.left += firsts.length - thinned.length
  for (const first of thinned.filter(fault => reach.mine?.(printPlan([fault])) !== false)) {
    const run = await attempt([first])
    tried.singles++
    if (over()) break
    if (run.violations.length > 0 || reach.pairs === 'none' || !(reach.pairs === 'each' || isForPairs(first))) continue
    const futures = futuresOf(run)
    const fresh = (second: PlannedFault): boolean => {
      const name = futures.nameOf(second)
      if (reach.pairs !== 'each' && seen.has(name)) return false
      seen.add(name)
      return true
    }
    const seconds = secondsAfter(run, first, choice).filter(second => wanted(second) && (reach.pairs === 'each' || isForPairs(second)))
    const distinct = seconds.filter(fresh)
    tried.alike += seconds.length - distinct.length
    const chosen = picked(distinct, reach.pairs)
    tried.left += distinct.length - chosen.length
    for (const second of chosen) {
      await attempt([first, second])
      tried.pairs++
      if (over()) break
    }
    if (over()) break
  }
  return { ...tried, findings }
}

/** No call goes without what can go wrong there. */
function thin(faults: readonly PlannedFault[], { one, random }: NonNullable<Reach['thin']>): readonly PlannedFault[] {
  const seen = new Set<string>()
  return faults.filter(({ by, call, mode }) => {
    const name = `${by}: ${call} = ${mode}`
    const isFirst = !seen.has(name)
    seen.add(name)
    return random.int(one) === 0 || isFirst
  })
}

function picked<T>(all: readonly T[], pairs: Exclude<Reach['pairs'], 'none'>): readonly T[] {
  if (typeof pairs === 'string') return all
  const left = [...all]
  return Array.from({ length: Math.min(pairs.most, left.length) }, () => left.splice(pairs.random.int(left.length), 1)[0]!)
}
