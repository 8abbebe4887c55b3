import { describe, expect, it } from 'vitest'
import { valves } from '../../../examples/controller/valve.ts'
import { wallClock } from '../../../src/net/wall-clock.ts'
import { parsePlan } from '../../../src/sim/faults/fault.ts'
import { openGuard } from '../../../src/sim/guard.ts'
import { embeddedOverHttps } from '../../../src/sim/paced/embedded.ts'
import { runPaced } from '../../../src/sim/paced/run.ts'
import { prepare, type Run, runStory } from '../../../src/sim/run.ts'
import { leases } from './invariants.ts'
import { opens, valveStories } from './stories.ts'

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

const overHttps = (story: (typeof valveStories)[number], plan: string): Promise<Run> =>
  runPaced(story, {
    seed: 'one',
    plan: parsePlan(plan)!,
    kinds: [valves, leases],
    ours: finalizer => finalizer.startsWith('example.rackwright.dev/'),
    wall: wallClock.now,
    api: embeddedOverHttps,
  })

describe('over HTTPS, with time that waits', () => {
  for (const story of valveStories)
    it(`${story.name}, and ends as in virtual time`, async () => {
      const run = await overHttps(story, 'none')
      expect(run.violations).toEqual([])
      expect(run.end).toBe((await virtual(story, 'one')).end)
    })

  it.each([
    'a: motor.turn#1 = crash before',
    'a: motor.turn#1 = crash after',
    'a: patch valves/status default/garden#4 = reply lost',
    'a: patch valves/status default/garden#4 = overtaken',
    'a: motor.turn#1 = late',
  ])(`${opens.name}, with %s`, async plan => {
    const run = await overHttps(opens, plan)
    expect(run.violations).toEqual([])
    expect(run.end).toBe((await virtual(opens, 'one')).end)
  })
})
