import { describe, expect, it } from 'vitest'
import { firstOf, type Waiting } from './queue.ts'

const one: Waiting = { namespace: 'default', name: 'a', enforced: false, priority: 0, created: '2026-01-01T00:00:00Z' }

describe('firstOf()', () => {
  const rows: readonly (readonly [reason: string, first: Partial<Waiting>, second: Partial<Waiting>])[] = [
    ['X-012 the higher priority first', { priority: 5 }, { enforced: true, created: '2025-01-01T00:00:00Z' }],
    ['X-012 of equal priority the enforced one', { enforced: true }, { created: '2025-01-01T00:00:00Z' }],
    ['X-012 then the older one', { created: '2025-12-31T00:00:00Z' }, {}],
    ['then by name, so that every process says the same', { name: 'a' }, { name: 'b' }],
  ]
  for (const [reason, first, second] of rows)
    it(reason, () => {
      const [x, y] = [
        { ...one, ...first },
        { ...one, name: 'z', ...second },
      ]
      expect(firstOf([x, y])).toBe(x)
      expect(firstOf([y, x])).toBe(x)
    })
  it('nobody waits: nobody is first', () => expect(firstOf([])).toBeUndefined())
})
