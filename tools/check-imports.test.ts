import { expect, it } from 'vitest'
import { breaches } from './check-imports.ts'

const check = (path: string, text: string) => breaches([{ path, text }])

it.each([
  { reason: 'a later folder', path: 'src/core/a.ts', text: "import type { Clock } from '../ports/clock.ts'" },
  { reason: 'a neighbour of the same row', path: 'src/kube/a.ts', text: "import { b } from '../apiserver/b.ts'" },
  { reason: 'net in a controller', path: 'src/controllers/metal/a.ts', text: "import { b } from '../../net/b.ts'" },
  { reason: 'a re-export', path: 'src/api/a.ts', text: "export { b } from '../net/b.ts'" },
  { reason: 'an import over several lines', path: 'src/api/a.ts', text: "import {\n  b,\n} from '../net/b.ts'" },
  { reason: 'a lazy import', path: 'src/net/a.ts', text: "const b = () => import('../sim/b.ts')" },
  { reason: 'an import for its effect', path: 'src/net/a.ts', text: "import '../sim/b.ts'" },
  { reason: 'a folder that is in no row', path: 'src/utils/a.ts', text: '' },
])('refuses $reason', ({ path, text }) => {
  expect(check(path, text)).toHaveLength(1)
})

it.each([
  'let count = 0',
  'export let count = 0',
  'const seen = new Map<string, number>()',
  'export const seen: Set<string> = new Set()',
  'const seen = new WeakMap()',
])('refuses module-level state: %s', text => {
  expect(check('src/net/a.ts', text)).toEqual(['src/net/a.ts: state at module level (top-level let, new Map, new Set)'])
})

it.each([
  "import { join } from 'node:path'",
  'export async function f() {}',
  'const now = () => new Date()',
  'const r = () => Math.random()',
])('refuses in a pure file: %s', text => {
  expect(check('src/core/a.ts', text)).toHaveLength(1)
  expect(check('src/policy/a.ts', text)).toHaveLength(1)
  expect(check('src/controllers/metal/server/decide.ts', text)).toHaveLength(1)
})

it('lets through what the order allows', () => {
  expect(
    check('src/kube/client.ts', "import { a } from '../net/a.ts'\nimport { b } from './b.ts'\nimport { join } from 'node:path'"),
  ).toEqual([])
  expect(check('src/main.ts', "import { a } from './apiserver/a.ts'\nimport { up } from './cli/up.ts'")).toEqual([])
  expect(check('src/net/a.ts', 'export const empty = () => new Map()\nfunction f() {\n  let n = 0\n}')).toEqual([])
})

it('reads no comments and no tests', () => {
  expect(check('src/core/a.ts', '/** A Date, async. */\nexport const a = 1 // Math.random')).toEqual([])
  expect(check('src/core/a.test.ts', "import { b } from '../sim/b.ts'\nlet count = 0")).toEqual([])
})
