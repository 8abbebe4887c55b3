import { expect, it } from 'vitest'
import { lastLine, type Report, tally } from './tally.ts'

const report = (...files: Report['testResults'][number][]): Report => ({ testResults: files })
const test = (status: string, fullName = 'a test') => ({ status, fullName })

it('tally() counts tests by how they ended and names the skipped ones', () => {
  const counted = tally(
    report({
      name: 'a.test.ts',
      status: 'failed',
      assertionResults: [test('passed'), test('failed'), test('skipped', 'needs strace'), test('todo', 'later')],
    }),
    true,
  )
  expect(counted).toEqual({ passed: 1, failed: 1, skipped: ['needs strace', 'later'] })
  expect(lastLine(counted)).toBe('1 passed, 1 failed, 2 skipped')
})

it('tally() counts a file that did not load as a failure', () => {
  expect(tally(report({ name: 'a.test.ts', status: 'failed', assertionResults: [] }), true).failed).toBe(1)
})

it('tally() never reports success when the runner failed or left no report', () => {
  expect(tally(report({ name: 'a.test.ts', status: 'passed', assertionResults: [test('passed')] }), true).failed).toBe(1)
  expect(tally(undefined, true)).toEqual({ passed: 0, failed: 1, skipped: [] })
})
