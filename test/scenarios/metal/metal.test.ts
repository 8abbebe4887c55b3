import { describe, expect, it } from 'vitest'
import { openGuard } from '../../../src/sim/guard.ts'
import { prepare, runStory } from '../../../src/sim/run.ts'
import { metalStories } from './stories.ts'

describe('in virtual time, with every invariant held', () => {
  for (const story of metalStories)
    it(story.name, async () => {
      const guard = openGuard()
      try {
        expect((await runStory(story, { seed: 'one', guard, disk: await prepare(story as never, guard) })).violations).toEqual([])
      } finally {
        guard.close()
      }
    })
})
