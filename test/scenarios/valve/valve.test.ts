import { describe, expect, it } from 'vitest'
import { valves } from '../../../examples/controller/valve.ts'
import { wallClock } from '../../../src/net/wall-clock.ts'
import { openGuard } from '../../../src/sim/guard.ts'
import { embeddedOverHttps } from '../../../src/sim/paced/embedded.ts'
import { runPaced } from '../../../src/sim/paced/run.ts'
import { prepare, type Run, runStory } from '../../../src/sim/run.ts'
import { closesBeforeItGoes, opens, valveStories } from './stories.ts'

async function virtual(story: (typeof valveStories)[number], seed: string): Promise<Run> {
  const guard = openGuard()
  try {
    return await runStory(story, { seed, guard, disk: await prepare(story as never, guard) })
  } finally {
    guard.close()
  }
}

describe('in virtual time', () => {
  for (const story of valveStories) it(story.name, async () => expect((await virtual(story, 'one')).violations).toEqual([]))
})

describe('over HTTPS, with time that waits', () => {
  for (const story of [opens, closesBeforeItGoes])
    it(`${story.name}, and ends as in virtual time`, async () => {
      const run = await runPaced(story, {
        seed: 'one',
        kinds: [valves],
        ours: finalizer => finalizer.startsWith('example.rackwright.dev/'),
        wall: wallClock.now,
        api: embeddedOverHttps,
      })
      expect(run.violations).toEqual([])
      expect(run.end).toBe((await virtual(story, 'one')).end)
    })
})
