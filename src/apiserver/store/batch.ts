import { Fault } from '../../core/fault.ts'
import type { Row } from '../../ports/index.ts'

/** Refuses what no store may keep: revisions that jump, and keys that SQLite would cut (NUL) or change (lone surrogates). */
export function checkBatch(batch: readonly Row[], after: number): void {
  batch.forEach((row, i) => {
    const expected = after + 1 + i
    if (row.revision !== expected)
      throw new Fault('store/revision-gap', `Cannot append revision ${row.revision}: ${expected} comes next`, 'never')
    if (row.key === '' || row.key.includes('\0') || !row.key.isWellFormed())
      throw new Fault('store/bad-key', `Cannot store ${JSON.stringify(row.key)}: a key is text without NUL or lone surrogates`, 'never')
  })
}
