import { openGuard } from '../../src/sim/guard.ts'
import { prepare, type Run, runStory } from '../../src/sim/run.ts'
import type { Story } from '../../src/sim/story.ts'

/** One run in virtual time, as it always goes. */
export async function inVirtualTime<D, M extends object>(story: Story<D, M>, seed = 'one'): Promise<Run> {
  const guard = openGuard()
  try {
    return await runStory(story, { seed, guard, disk: await prepare(story as never, guard) })
  } finally {
    guard.close()
  }
}
