import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { parsePlan, printPlan } from '../../src/sim/faults/fault.ts'
import { openGuard } from '../../src/sim/guard.ts'
import { prepare, runStory } from '../../src/sim/run.ts'
import { singles } from './engine/choices.ts'
import { stories } from './engine/stories.ts'
import { textOf } from './programs/log-of.ts'

const plan = 'a: motor.turn#1 = crash after & a: watch valves#6 = gone'
const story = stories[0]!

it('the same seed is the same log, byte for byte, twice in one process', async () => {
  for (const { name } of stories) expect(await textOf(name, 'seed-1', 'none')).toBe(await textOf(name, 'seed-1', 'none'))
  expect(await textOf(story.name, 'seed-1', plan)).toBe(await textOf(story.name, 'seed-1', plan))
  expect(await textOf(story.name, 'seed-1', plan)).not.toBe(await textOf(story.name, 'seed-2', plan))
})
it('the same seed is the same log, byte for byte, in another process', async () => {
  const program = new URL('programs/log-of.ts', import.meta.url).pathname
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
  for (const { name } of [story, stories.at(-1)!]) {
    const child = spawnSync(process.execPath, [program, name, 'seed-1', 'none'], { encoding: 'utf8', maxBuffer: 1 << 28 })
    expect(child.stderr).toBe('')
    expect(digest(child.stdout), name).toBe(digest(await textOf(name, 'seed-1', 'none')))
  }
  const child = spawnSync(process.execPath, [program, story.name, 'seed-1', plan], { encoding: 'utf8', maxBuffer: 1 << 28 })
  expect(digest(child.stdout)).toBe(digest(await textOf(story.name, 'seed-1', plan)))
})
it('a plan survives being printed and read', async () => {
  const guard = openGuard()
  const base = await runStory(story, { seed: 's', guard, disk: await prepare(story, guard) })
  guard.close()
  for (const fault of singles(base, { besides: ['stopped'], without: [], series: false }))
    expect(parsePlan(printPlan([fault, fault]))).toEqual([fault, fault])
  expect(parsePlan('none')).toEqual([])
  expect(parsePlan('a: motor.turn#1 = explodes')).toBeUndefined()
})
