import { describe, expect, it } from 'vitest'
import { parsePlan } from '../../../src/sim/faults/fault.ts'
import { embeddedOverHttps } from '../../../src/sim/paced/embedded.ts'
import { runPaced } from '../../../src/sim/paced/run.ts'
import type { Run } from '../../../src/sim/run.ts'
import { inVirtualTime } from '../virtual.ts'
import { pacedValves } from './paced.ts'
import { opens, valveStories } from './stories.ts'

describe('in virtual time', () => {
  for (const story of valveStories) it(story.name, async () => expect((await inVirtualTime(story)).violations).toEqual([]))
})

const overHttps = (story: (typeof valveStories)[number], plan: string): Promise<Run> =>
  runPaced(story, {
    seed: 'one',
    plan: parsePlan(plan)!,
    ...pacedValves,
    api: embeddedOverHttps,
  })

describe('over HTTPS, with time that waits', () => {
  for (const story of valveStories)
    it(`${story.name}, and ends as in virtual time`, async () => {
      const run = await overHttps(story, 'none')
      expect(run.violations).toEqual([])
      expect(run.end).toBe((await inVirtualTime(story)).end)
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
    expect(run.end).toBe((await inVirtualTime(opens)).end)
  })
})
