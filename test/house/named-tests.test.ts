import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Pages whose rows name the tests that hold them, and how many rows they have at least. */
const pages = [
  ['docs/acceptance.md', 80],
  ['docs/security.md', 42],
] as const

for (const [page, least] of pages) {
  const lines = readFileSync(join(root, page), 'utf8').split('\n')
  const rows = lines.filter((line, n) => line.startsWith('| ') && !lines[n + 1]?.startsWith('|---'))
  /** Each test that a row names: its file, and words of its name. */
  const named = rows.flatMap(row =>
    [...row.matchAll(/`((?:test|src)\/[^`]+)` ([^·|]+?)(?:\. [^·|]*)?\s*(?=[·|])/g)].map(([, file = '', words = '']) => ({
      row,
      file,
      words,
    })),
  )
  describe(page, () => {
    it('names a test in every row', () => {
      expect(rows.length).toBeGreaterThanOrEqual(least)
      expect(rows.filter(row => !named.some(one => one.row === row))).toEqual([])
    })
    it('names tests that are there', () => {
      const missing = named.filter(({ file, words }) => {
        const path = join(root, file)
        return !existsSync(path) || !readFileSync(path, 'utf8').includes(words)
      })
      expect(missing.map(({ file, words }) => `${file}: ${words}`)).toEqual([])
    })
  })
}
