import { Fault } from '../../core/fault.ts'
import type { Row } from '../../ports/index.ts'

/** Refuses what no store may keep: revisions that jump, and keys that SQLite would cut (NUL) or change (lone surrogates). */
export function checkBatch(batch: readonly Row[], after: number): void {
  batch.forEach(({ revision, key }, i) => {
    if (revision !== after + 1 + i)
      throw new Fault('store/revision-gap', `Cannot append revision ${revision}: ${after + 1 + i} comes next`, 'never')
    if (key === '' || key.includes('\0') || !key.isWellFormed())
      throw new Fault('store/bad-key', `Cannot store ${JSON.stringify(key)}: a key is text without NUL or lone surrogates`, 'never')
  })
}

/** Knows which rows a compaction may delete, so that the disk needs neither an index on keys nor a scan. */
export class Superseded {
  readonly #live = new Map<string, number>()
  /** In the order in which rows died: an object's older rows leave before its tombstone, so a half-done compaction revives nothing. */
  readonly #dead: { readonly revision: number; readonly since: number }[] = []

  note({ revision, type, key }: Row): void {
    const older = this.#live.get(key)
    if (older !== undefined) this.#dead.push({ revision: older, since: revision })
    if (type !== 'delete') this.#live.set(key, revision)
    else if (this.#dead.push({ revision, since: revision })) this.#live.delete(key)
  }

  /** The first rows, `most` of them, that no reader at or after revision `to` needs. */
  next(to: number, most: number): number[] {
    const end = this.#dead.slice(0, most).findIndex(({ since }) => since > to)
    return this.#dead.slice(0, end < 0 ? most : end).map(({ revision }) => revision)
  }

  forget(count: number): void {
    this.#dead.splice(0, count)
  }
}
