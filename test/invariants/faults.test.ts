import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seeded } from '../../src/sim/seed.ts'
import { caught } from './engine/catch.ts'
import { choiceOf, singles } from './engine/choices.ts'
import { noCoverage } from './engine/coverage.ts'
import { explore } from './engine/explore.ts'
import { openJudge } from './engine/judge.ts'
import { stories } from './engine/stories.ts'
import { mutants } from './mutants/index.ts'

// A part of what `npm run faults` does, for every day: all single faults of the shortest story, and some pairs that change with nothing but the seed.
const seed = 'every day'

describe('with faults', () => {
  const limit = Error.stackTraceLimit
  beforeAll(() => {
    Error.stackTraceLimit = 0
  })
  afterAll(() => {
    Error.stackTraceLimit = limit
  })

  for (const story of stories)
    it(`${story.name}, whatever goes wrong once (a sample)`, async () => {
      const judge = await openJudge(story, { seed })
      // Of a long story as many as of a short one; `npm run faults` tries every single fault of each, every day.
      const one = Math.ceil(singles(judge.base, choiceOf(story)).length / 20)
      const explored = await explore(judge, noCoverage(), { pairs: 'none', sample: { one, random: seeded(`${seed}/${story.name}`) } })
      expect(explored.findings).toEqual([])
      expect(explored.singles).toBeGreaterThan(8)
    })

  it(`${stories[0]!.name}, whatever goes wrong twice (a sample)`, async () => {
    const judge = await openJudge(stories[0]!, { seed })
    const random = seeded(`${seed}/pairs`)
    const explored = await explore(judge, noCoverage(), { pairs: { most: 2, random }, sample: { one: 3, random } })
    expect(explored.findings).toEqual([])
    expect(explored.pairs).toBeGreaterThan(80)
  })
})

describe('the engine can fail: it catches', () => {
  // Those that need two faults to show take a minute each; `npm run faults` has the time.
  for (const mutant of mutants.filter(({ looks }) => looks === undefined))
    it(mutant.name, async () => expect(await caught(mutant, seed), mutant.bad).toBeDefined())
})
