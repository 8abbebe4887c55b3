import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parsePlan } from '../../../src/sim/faults/fault.ts'
import { mutants, storiesWith } from '../mutants/index.ts'
import { caught } from './catch.ts'
import { cover, noCoverage, uncovered } from './coverage.ts'
import { openJudge } from './judge.ts'
import { stories } from './stories.ts'
import { lastLine, total } from './total.ts'

const tool = join(import.meta.dirname, '../../../tools/faults.ts')
const faults = (...args: readonly string[]) => spawnSync(process.execPath, [tool, ...args], { encoding: 'utf8', maxBuffer: 1 << 26 })

it('a call that no plan covered is named, with everything that was not tried there', async () => {
  const judge = await openJudge(stories[0]!, { seed: 's' })
  const coverage = noCoverage()
  cover(coverage, judge.base, parsePlan('a: motor.turn#1 = twice')!, [])
  expect(uncovered(coverage)).toContain('motor.turn = crash before')
  expect(uncovered(coverage)).not.toContain('motor.turn = twice')
  expect(uncovered(coverage)).toContain('patch valves/status default/garden = overtaken')
  // What means nothing in one story is still asked for where another one has the same call.
  const other = noCoverage()
  cover(other, judge.base, [], ['twice'])
  expect(uncovered(other)).not.toContain('motor.turn = twice')
  cover(other, judge.base, [], [])
  expect(uncovered(other)).toContain('motor.turn = twice')
})
it('a plan that fails fails again when it is replayed, in the same words', async () => {
  const mutant = mutants.find(({ name }) => name === 'a note that is not waited for')!
  const finding = (await caught(mutant, 's'))!
  const { wrong } = storiesWith(mutant).find(({ wrong }) => wrong.name === finding.story)!
  const again = await openJudge(wrong, { seed: 's' })
  expect((await again.run(parsePlan(finding.plan)!)).violations).toEqual(finding.violations)
})
it('npm run faults -- --plan tells one run in full', () => {
  const { stdout, status } = faults('--scenario', stories[0]!.name, '--plan', 'a: motor.turn#1 = crash after')
  expect(stdout).toMatch(/fault {2}motor\.turn#1 "crash after"\n.*a\.2 +life +starts/s)
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('plans=1 violations=0 uncovered=0 mutants=0/0')
  expect(status).toBe(0)
})
it('npm run faults -- --plan says what it cannot read', () => {
  const { stderr, status } = faults('--scenario', stories[0]!.name, '--plan', 'motor explodes')
  expect(stderr).toContain('"motor explodes" is no plan')
  expect(status).toBe(1)
})
it('the parts of the work add up; what goes wrong in both counts once', () => {
  const finding = { story: 'x', plan: 'p', violations: ['v'] }
  const story = { name: 'x', singles: 10, pairs: 5, alike: 3, left: 0, findings: [finding] }
  const part = {
    stories: [story],
    mutants: [],
    possible: ['c = fails', 'c = crash before', 'c = outage'],
    tried: ['c = fails'],
    processor: 1,
  }
  const sum = total([part, { ...part, mutants: [{ name: 'm', bad: 'b', by: finding }] }])
  expect(lastLine(sum, 1)).toBe('plans=30 violations=2 uncovered=2 mutants=1/1')
})
