import type { PlannedFault } from '../faults/fault.ts'
import { type Run, tell } from '../run.ts'
import type { Story } from '../story.ts'
import { openPacedWorld, type PacedOptions } from './world.ts'

export interface PacedRun extends PacedOptions {
  readonly seed: string
  readonly plan?: readonly PlannedFault[]
}

/** The same story as in virtual time, over real sockets. The order of things is not ours to choose here, so logs differ; the end must not. */
export async function runPaced<D, M extends object>(story: Story<D, M>, options: PacedRun): Promise<Run> {
  const world = await openPacedWorld(options)
  const { clock, host, follow } = world
  await world.begin(story.setting.crds)
  const close = async (): Promise<readonly string[]> => {
    await world.close()
    return []
  }
  // Over sockets the API server does not die with the processes.
  const apart = { ...story, setting: { ...story.setting, together: false } }
  return tell(apart, { seed: options.seed, plan: options.plan ?? [], clock, host, follow, close })
}
