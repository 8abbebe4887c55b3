import { expect, it } from 'vitest'
import { amended, brokenFiles, lastLine, type Report, tally } from './tally.ts'

const report = (...files: Report['testResults'][number][]): Report => ({ testResults: files })
const test = (status: string, fullName = 'a test') => ({ status, fullName })

it('tally() counts tests by how they ended and names the skipped ones', () => {
  const counted = tally(
    report({
      name: 'a.test.ts',
      status: 'failed',
      assertionResults: [test('passed'), test('failed', 'it opens'), test('skipped', 'needs strace'), test('todo', 'later')],
    }),
    true,
  )
  expect(counted).toEqual({ passed: 1, failed: 1, skipped: ['needs strace', 'later'], broken: ['a.test.ts: it opens'] })
  expect(lastLine(counted)).toBe('1 passed, 1 failed, 2 skipped')
})

it('tally() counts a file that did not load as a failure', () => {
  const counted = tally(report({ name: 'a.test.ts', status: 'failed', assertionResults: [] }), true)
  expect(counted).toEqual({ passed: 0, failed: 1, skipped: [], broken: ['a.test.ts did not load'] })
})

it('tally() never reports success when the runner failed or left no report', () => {
  expect(tally(report({ name: 'a.test.ts', status: 'passed', assertionResults: [test('passed')] }), true).failed).toBe(1)
  expect(tally(undefined, true)).toMatchObject({ passed: 0, failed: 1, broken: [expect.stringContaining('the test runner itself')] })
})

it('amended() believes a second run of the files that were run again, and the first one of all others', () => {
  const first = report(
    { name: 'a.test.ts', status: 'failed', assertionResults: [test('passed'), test('failed', 'it opens')] },
    { name: 'b.test.ts', status: 'failed', assertionResults: [test('failed', 'it closes')] },
    { name: 'c.test.ts', status: 'passed', assertionResults: [test('passed')] },
  )
  expect(brokenFiles(first)).toEqual(['a.test.ts', 'b.test.ts'])
  const second = report(
    { name: 'a.test.ts', status: 'passed', assertionResults: [test('passed'), test('passed', 'it opens')] },
    { name: 'b.test.ts', status: 'failed', assertionResults: [test('failed', 'it closes')] },
  )
  expect(tally(amended(first, second), true)).toEqual({ passed: 3, failed: 1, skipped: [], broken: ['b.test.ts: it closes'] })
})
