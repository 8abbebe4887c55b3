import { expect, it } from 'vitest'
import { openGuard } from '../../../src/sim/guard.ts'
import { prepare, runStory } from '../../../src/sim/run.ts'
import { follows, oneKeeps } from './stories.ts'

for (const story of [follows, oneKeeps])
  it(`BI-058 BI-062 ${story.name}, in virtual time`, async () => {
    const guard = openGuard()
    try {
      const run = await runStory(story, { seed: 'one', guard, disk: await prepare(story as never, guard) })
      expect(run.violations).toEqual([])
      expect(run.end).toContain('projects/rhcos-cloud/global/images/third')
      expect(run.end, 'the clone in between is collected').not.toContain('images/second')
    } finally {
      guard.close()
    }
  })
