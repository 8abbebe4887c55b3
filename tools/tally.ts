import { readFileSync } from 'node:fs'

/** How many checks passed, failed and were skipped; what every test command ends with. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly string[]
  /** What failed, by name, as far as it has one. */
  readonly broken: readonly string[]
}

/** The part of the test runner's JSON report that we read. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

export const readReport = (file: string): Report => JSON.parse(readFileSync(file, 'utf8')) as Report

/** A file that did not load has no tests to count, and is a failure; so is a runner that fails although each test passed. */
export function tally(report: Report | undefined, runnerFailed: boolean): Tally {
  const files = report?.testResults ?? []
  const tests = files.flatMap(file => file.assertionResults)
  const unloaded = files.filter(file => file.status === 'failed' && !file.assertionResults.some(test => test.status === 'failed'))
  const failed = tests.filter(test => test.status === 'failed').length + unloaded.length
  return {
    passed: tests.filter(test => test.status === 'passed').length,
    failed: failed === 0 && runnerFailed ? 1 : failed,
    skipped: tests.filter(test => test.status !== 'passed' && test.status !== 'failed').map(test => test.fullName),
    broken: failed === 0 && runnerFailed ? [runnerItself] : files.flatMap(file => brokenOf(file, unloaded.includes(file))),
  }
}

const runnerItself = 'the test runner itself: its words are above'

const brokenOf = (file: Report['testResults'][number], isUnloaded: boolean): readonly string[] =>
  isUnloaded
    ? [`${file.name} did not load`]
    : file.assertionResults.filter(test => test.status === 'failed').map(test => `${file.name}: ${test.fullName}`)

/** The files in which something failed. */
export const brokenFiles = (report: Report | undefined): readonly string[] =>
  (report?.testResults ?? []).filter(file => file.status === 'failed').map(({ name }) => name)

/** The first report with what a second run of some of its files found instead. */
export const amended = (first: Report, second: Report): Report => ({
  testResults: first.testResults.map(file => second.testResults.find(({ name }) => name === file.name) ?? file),
})

export const lastLine = ({ passed, failed, skipped }: Tally): string => `${passed} passed, ${failed} failed, ${skipped.length} skipped`
