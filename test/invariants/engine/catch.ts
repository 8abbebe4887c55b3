import { openGuard } from '../../../src/sim/guard.ts'
import { storiesWith } from '../mutants/index.ts'
import type { Mutant } from '../mutants/mutant.ts'
import { noCoverage } from './coverage.ts'
import { explore, type Finding } from './explore.ts'
import { openJudge } from './judge.ts'

/** The first run that shows that something is wrong; undefined where the mutant gets away with it. */
export async function caught(mutant: Mutant, seed: string): Promise<Finding | undefined> {
  const shows = ({ violations }: Finding): boolean => mutant.by === undefined || violations.some(one => one.includes(mutant.by!))
  // Single faults show most of them; what needs two is looked for after that.
  for (const pairs of ['none', 'distinct'] as const) {
    for (const { right, wrong } of storiesWith(mutant)) {
      const guard = openGuard()
      try {
        const { base } = await openJudge(right, { seed, guard })
        const judge = await openJudge(wrong, { seed, guard, end: base.end })
        const { findings } = await explore(judge, noCoverage(), { pairs, first: shows, only: mutant.looks })
        const shown = findings.find(shows)
        if (shown) return shown
      } finally {
        guard.close()
      }
    }
  }
  return undefined
}
