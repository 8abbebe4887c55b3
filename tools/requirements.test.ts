import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { coverage, provenIds, readRequirements } from './requirements.ts'

const page = '# Requirements\n\n- **BP-001** Boots by HTTP.\n- **BP-002** Boots from disk.\n- **X-001** More. *(should)*\n'
const ran = (...tests: [status: string, fullName: string][]) => ({
  testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults: tests.map(([status, fullName]) => ({ status, fullName })) }],
})

it('coverage() counts by prefix and lists what no passing test names', () => {
  const proven = provenIds([ran(['passed', 'BP-002 boots from disk'], ['failed', 'BP-001 boots by HTTP'], ['skipped', 'X-001 more'])])
  expect(coverage(readRequirements(page), proven)).toEqual(['BP 1/2 X 0/1', 'BP-001  Boots by HTTP.', 'X-001  More. *(should)*'])
})

it('coverage() tells an ID that no requirement has', () => {
  const proven = provenIds([ran(['passed', 'BP-001 and BP-002 hold'], ['passed', 'X-001 X-999 hold'])])
  expect(coverage(readRequirements(page), proven)).toEqual(['BP 2/2 X 1/1', "X-999  is in a test's name, but not in docs/requirements.md"])
})

it('docs/requirements.md gives each ID one line', () => {
  const ids = readRequirements(readFileSync(new URL('../docs/requirements.md', import.meta.url), 'utf8')).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(
    Object.fromEntries(['BP', 'FW', 'BI', 'ZT', 'DI', 'X'].map(prefix => [prefix, ids.filter(id => id.startsWith(`${prefix}-`)).length])),
  ).toEqual({
    BP: 75,
    FW: 65,
    BI: 110,
    ZT: 61,
    DI: 40,
    X: 40,
  })
})
