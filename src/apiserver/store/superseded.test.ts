import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Row } from '../../ports/index.ts'
import { Superseded } from './superseded.ts'

const live = (rows: readonly Row[]) => {
  const now = new Map<string, number>()
  for (const { revision, type, key } of rows) {
    if (type === 'delete') now.delete(key)
    else now.set(key, revision)
  }
  return [...now].toSorted()
}

it('a compaction that is cut short anywhere neither loses nor revives an object, and a finished one leaves only what a reader needs', () => {
  const events = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), remove: fc.boolean() }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(events, fc.nat(30), fc.integer({ min: 1, max: 5 }), fc.nat(14), (drawn, to, chunk, chunks) => {
      const there = new Set<string>()
      const rows = drawn.map(({ key, remove }, i): Row => {
        const type = remove && there.delete(key) ? 'delete' : 'update'
        if (type === 'update') there.add(key)
        return { revision: i + 1, type, key, value: new Uint8Array() }
      })
      const superseded = new Superseded()
      for (const row of rows) superseded.note(row)
      let kept = rows
      for (let n = 0; n < chunks; n++) {
        const dead = superseded.next(to, chunk)
        superseded.forget(dead.length)
        kept = kept.filter(row => !dead.includes(row.revision))
        expect(live(kept)).toEqual(live(rows))
        expect(live(kept.filter(row => row.revision <= to))).toEqual(live(rows.filter(row => row.revision <= to)))
      }
      if (chunks * chunk < 60) return
      const base = live(rows.filter(row => row.revision <= to)).map(([, revision]) => revision)
      expect(kept.filter(row => row.revision <= to).map(row => row.revision)).toEqual(base.toSorted((a, b) => a - b))
    }),
  )
})
