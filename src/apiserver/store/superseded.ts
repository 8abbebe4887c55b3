import type { Row } from '../../ports/index.ts'

/** Knows which rows a compaction may delete, so that the disk needs neither an index on keys nor a scan. */
export class Superseded {
  readonly #live = new Map<string, number>()
  /** Rows in the order in which they died: an object's older rows always leave before its tombstone, so a half-done compaction revives nothing. */
  readonly #dead: { readonly revision: number; readonly since: number }[] = []

  note(row: Pick<Row, 'revision' | 'type' | 'key'>): void {
    const older = this.#live.get(row.key)
    if (older !== undefined) this.#dead.push({ revision: older, since: row.revision })
    if (row.type === 'delete') {
      this.#live.delete(row.key)
      this.#dead.push({ revision: row.revision, since: row.revision })
    } else this.#live.set(row.key, row.revision)
  }

  /** The first rows, `most` of them, that no reader at or after revision `to` needs. */
  next(to: number, most: number): number[] {
    const found: number[] = []
    for (const { revision, since } of this.#dead) {
      if (since > to || found.length === most) break
      found.push(revision)
    }
    return found
  }

  forget(count: number): void {
    this.#dead.splice(0, count)
  }
}
