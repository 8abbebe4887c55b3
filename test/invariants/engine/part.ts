import { createHash } from 'node:crypto'
import { seeded } from '../../../src/sim/seed.ts'
import { mutants } from '../mutants/index.ts'
import { caught } from './catch.ts'
import { noCoverage } from './coverage.ts'
import { explore, type Finding, type Reach } from './explore.ts'
import { openJudge } from './judge.ts'
import { pairsOf, stories, thinOf } from './stories.ts'

/** One of several equal parts of all the work, so that each core has its own. */
export interface Part {
  readonly index: number
  readonly of: number
}

export interface PartOptions {
  readonly seed: string
  readonly part: Part
  /** Which pairs, where that is not left to the story: each there is, also those that are like another; or each that is not. */
  readonly pairs?: 'each' | 'distinct' | undefined
  /** Only stories whose name contains this. */
  readonly scenario?: string | undefined
  /** Told of each story that is done. */
  progress?(report: StoryReport): void
}

/** What one part found, as plain data. */
export interface PartReport {
  readonly stories: readonly StoryReport[]
  readonly mutants: readonly { readonly name: string; readonly bad: string; readonly by: Finding | undefined }[]
  readonly possible: readonly string[]
  readonly tried: readonly string[]
  /** Seconds of processor time. */
  readonly processor: number
}

export interface StoryReport {
  readonly name: string
  readonly singles: number
  readonly pairs: number
  readonly alike: number
  readonly left: number
  readonly findings: readonly Finding[]
}

export async function workThrough({ seed, part, pairs: asked, scenario = '', progress }: PartOptions): Promise<PartReport> {
  const coverage = noCoverage()
  const reports: StoryReport[] = []
  const mine = (name: string): boolean => createHash('sha1').update(name).digest().readUInt32BE() % part.of === part.index
  for (const story of stories.filter(({ name }) => name.includes(scenario))) {
    const judge = await openJudge(story, { seed })
    const wanted = asked ?? pairsOf(story)
    const pairs: Reach['pairs'] = typeof wanted === 'string' ? wanted : { most: wanted, random: seeded(`${seed}/${story.name}`) }
    const one = asked === undefined ? thinOf(story) : undefined
    const thin = one === undefined ? undefined : { one, random: seeded(`${seed}/${story.name}/thin`) }
    const report = { name: story.name, ...(await explore(judge, coverage, { pairs, mine, thin })) }
    progress?.(report)
    reports.push(report)
  }
  const shown: PartReport['mutants'][number][] = []
  if (scenario === '')
    for (const [index, mutant] of mutants.entries())
      if (index % part.of === part.index) shown.push({ name: mutant.name, bad: mutant.bad, by: await caught(mutant, seed) })
  const { user, system } = process.cpuUsage()
  return {
    stories: reports,
    mutants: shown,
    possible: [...coverage.possible],
    tried: [...coverage.tried],
    processor: (user + system) / 1e6,
  }
}
