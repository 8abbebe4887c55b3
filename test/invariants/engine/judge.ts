import type { MemoryDisk } from '../../../src/apiserver/store/memory.ts'
import type { PlannedFault } from '../../../src/sim/faults/fault.ts'
import { type Guard, openGuard } from '../../../src/sim/guard.ts'
import { prepare, type Run, runStory } from '../../../src/sim/run.ts'
import type { AnyStory } from './stories.ts'

/** Runs one story with any plan, and holds each run against the one in which nothing went wrong. */
export interface Judge {
  readonly story: AnyStory
  readonly base: Run
  run(plan: readonly PlannedFault[]): Promise<Run>
}

export async function openJudge(story: AnyStory, seed: string, guard: Guard = openGuard()): Promise<Judge> {
  const disk: MemoryDisk = await prepare(story, guard)
  const play = (plan: readonly PlannedFault[]): Promise<Run> => runStory(story, { seed, disk, guard, plan })
  const base = await play([])
  return {
    story,
    base,
    async run(plan) {
      const run = await play(plan)
      if (run.violations.length > 0 || run.end === base.end) return run
      return { ...run, violations: [`the end differs from that of the run without faults:\n  ${run.end}\n  ${base.end}`] }
    },
  }
}
