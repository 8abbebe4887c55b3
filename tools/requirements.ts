// `npm run requirements`: which lines of docs/requirements.md have a passing test that carries their ID in its name.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Report, readReport } from './tally.ts'

export interface Requirement {
  readonly id: string
  readonly text: string
}

const line = /^- \*\*([A-Z]+-\d+)\*\* (.+)$/gm

export const readRequirements = (page: string): readonly Requirement[] =>
  [...page.matchAll(line)].map(match => ({ id: match[1]!, text: match[2]! }))

/** IDs in the full names of tests that passed. `BP-034…036` and the like are not expanded: a test names what it proves. */
export function provenIds(reports: readonly Report[]): ReadonlySet<string> {
  const passed = reports
    .flatMap(report => report.testResults.flatMap(file => file.assertionResults))
    .filter(test => test.status === 'passed')
  return new Set(passed.flatMap(test => test.fullName.match(/\b(?:BP|FW|BI|ZT|DI|X)-\d{3}\b/g) ?? []))
}

/** `BP 70/75 FW 60/65 …`, then the missing ones. */
export function coverage(requirements: readonly Requirement[], proven: ReadonlySet<string>): readonly string[] {
  const prefixes = [...new Set(requirements.map(({ id }) => id.split('-')[0]!))]
  const counts = prefixes.map(prefix => {
    const all = requirements.filter(({ id }) => id.startsWith(`${prefix}-`))
    return `${prefix} ${all.filter(({ id }) => proven.has(id)).length}/${all.length}`
  })
  const missing = requirements.filter(({ id }) => !proven.has(id)).map(({ id, text }) => `${id}  ${text}`)
  const unknown = [...proven]
    .filter(id => !requirements.some(known => known.id === id))
    .map(id => `${id}  is in a test's name, but not in docs/requirements.md`)
  return [counts.join(' '), ...missing, ...unknown]
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..')
  const reports = globSync(join(root, '.test-results/*.json'))
  if (reports.length === 0) console.error('No test has been run here yet: `npm test` leaves its results in .test-results/')
  const lines = coverage(readRequirements(readFileSync(join(root, 'docs/requirements.md'), 'utf8')), provenIds(reports.map(readReport)))
  console.log(lines.join('\n'))
}
