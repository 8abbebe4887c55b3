// Prints the longest source files: a hint where a second idea hides, never a failure.
import { globSync, readFileSync } from 'node:fs'

const lines = globSync('src/**/*.ts')
  .filter(path => !path.endsWith('.test.ts') && !path.includes('/generated/'))
  .map(path => ({ path, count: readFileSync(path, 'utf8').split('\n').length - 1 }))
  .toSorted((a, b) => b.count - a.count)
const at = (share: number) => lines[Math.min(lines.length - 1, Math.floor(lines.length * (1 - share)))]?.count ?? 0

console.log(`${lines.length} files, median ${at(0.5)} lines, 95 % up to ${at(0.95)}; the longest:`)
for (const { path, count } of lines.slice(0, 5)) console.log(`${String(count).padStart(5)}  ${path}`)
