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

export interface JudgeOptions {
  readonly seed: string
  readonly guard?: Guard
  /** How it must end, where that is known from elsewhere. */
  readonly end?: string
}

export async function openJudge(story: AnyStory, { seed, guard = openGuard(), end }: JudgeOptions): Promise<Judge> {
  const disk: MemoryDisk = await prepare(story, guard)
  const play = (plan: readonly PlannedFault[]): Promise<Run> => runStory(story, { seed, disk, guard, plan })
  const judged = (run: Run, wanted: string): Run =>
    run.violations.length > 0 || run.end === wanted
      ? run
      : { ...run, violations: [`the end differs from that of the run without faults:\n  ${run.end}\n  ${wanted}`] }
  const first = await play([])
  const base = judged(first, end ?? first.end)
  return { story, base, run: async plan => judged(await play(plan), base.end) }
}
