import type { Row, Store, StoreState } from '../../ports/index.ts'
import { checkBatch, Superseded } from './superseded.ts'

/** What survives when the process that used a memory store is simulated to die: hand it to the next `memoryStore`. */
export interface MemoryDisk {
  readonly rows: Map<number, Row>
  readonly backups: Map<string, MemoryDisk>
  state: StoreState
}

export const memoryDisk = (): MemoryDisk => ({ rows: new Map(), backups: new Map(), state: { revision: 0, compacted: 0 } })

/** A store that never leaves the microtask queue, for tests and the simulation. */
export function memoryStore(disk: MemoryDisk = memoryDisk()): Store {
  const superseded = new Superseded()
  return {
    state: () => disk.state,
    async *load() {
      for (const row of disk.rows.values()) {
        superseded.note(row)
        yield row
      }
    },
    async append(batch) {
      checkBatch(batch, disk.state.revision)
      for (const row of batch) {
        disk.rows.set(row.revision, row)
        superseded.note(row)
      }
      disk.state = { ...disk.state, revision: disk.state.revision + batch.length }
    },
    async compact(to) {
      const upTo = Math.min(to, disk.state.revision)
      disk.state = { ...disk.state, compacted: Math.max(disk.state.compacted, upTo) }
      const dead = superseded.next(upTo, Number.POSITIVE_INFINITY)
      for (const revision of dead) disk.rows.delete(revision)
      superseded.forget(dead.length)
    },
    async backup(path) {
      disk.backups.set(path, { rows: new Map(disk.rows), backups: new Map(), state: disk.state })
      return disk.state.revision
    },
    async close() {},
  }
}
