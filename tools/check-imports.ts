// Checks what docs/architecture.md promises about src/: imports point one way, nothing is mutable at module level, decisions are pure.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Source {
  /** From the root of the repository, with slashes. */
  readonly path: string
  readonly text: string
}

/** Each folder may import itself and every folder of an earlier row; folders of one row do not know each other. */
const rows = [
  ['core'],
  ['policy'],
  ['api'],
  ['ports'],
  ['net'],
  ['controllers', 'runtime', 'redfish', 'provisioner', 'oci', 'boot', 'jobs', 'agent', 'kube', 'apiserver'],
  ['sim'],
  ['cli'],
  ['main'],
]
const exceptions: Readonly<Record<string, readonly string[]>> = {
  controllers: ['core', 'policy', 'api', 'ports'],
  dashboard: ['api'],
}

const imported = /^(?:import|export)\b[^'"`;]*?from\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm
const impure = [
  { what: 'a node: import', found: /'node:/ },
  { what: 'async', found: /\basync\b/ },
  { what: 'Date', found: /\bDate\b/ },
  { what: 'Math.random', found: /\bMath\.random\b/ },
]
const mutable = [/^(?:export\s+)?let\s/m, /^(?:export\s+)?const\s(?:(?!=>).)*=(?!>)(?:(?!=>).)*\bnew (?:Weak)?(?:Map|Set)\b/m]

const folderOf = (path: string): string => path.split('/')[1]!.replace(/\.ts$/, '')
const isPure = (path: string): boolean => /^src\/(core|policy)\//.test(path) || path.endsWith('/decide.ts')
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

function mayImport(from: string, to: string): boolean {
  if (from === to) return true
  if (exceptions[from]) return exceptions[from].includes(to)
  const rank = (folder: string) => rows.findIndex(row => row.includes(folder))
  return rank(to) !== -1 && rank(to) < rank(from)
}

/** Every breach as a line that names the file. Tests may import anything, so they are not looked at. */
export function breaches(sources: readonly Source[]): readonly string[] {
  return sources
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text)
      const found: string[] = []
      const from = folderOf(path)
      if (!rows.flat().includes(from) && !exceptions[from]) found.push(`${path}: the folder "${from}" has no place in the order of imports`)
      for (const match of code.matchAll(imported)) {
        const target = match[1] ?? match[2] ?? match[3]!
        const to = target.startsWith('.') ? folderOf(join(path, '..', target).replaceAll('\\', '/')) : from
        if (!mayImport(from, to)) found.push(`${path}: "${from}" may not import "${to}" (${target})`)
      }
      if (mutable.some(pattern => pattern.test(code))) found.push(`${path}: state at module level (top-level let, new Map, new Set)`)
      if (isPure(path)) for (const { what, found: pattern } of impure) if (pattern.test(code)) found.push(`${path}: ${what} in a pure file`)
      return found
    })
}

if (import.meta.main) {
  const sources = globSync('src/**/*.{ts,tsx}').map(path => ({ path: path.replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }))
  const found = breaches(sources)
  for (const line of found) console.log(line)
  process.exitCode = found.length > 0 ? 1 : 0
}
