/** One durable event: what became of `key` at revision `revision`. `value` is the object's JSON; for `delete` its last state. */
export interface Row {
  readonly revision: number
  readonly type: 'create' | 'update' | 'delete'
  readonly key: string
  readonly value: Uint8Array
}

/** What a store holds when it is opened, before any row is read. */
export interface StoreState {
  /** The last revision that was ever acknowledged; 0 for a new store. */
  readonly revision: number
  /** History at or below this revision is gone: superseded rows were deleted. */
  readonly compacted: number
}

/**
 * Durability, and nothing else: the cache in apiserver/world owns revisions, reads and watches.
 * Rows come in with revisions already assigned, contiguous and rising.
 */
export interface Store {
  state(): StoreState
  /** Every row that is kept, in revision order, once, before the first append. */
  load(): AsyncIterable<Row>
  /** Resolves when every row of the batch is on disk. One batch at a time. Rejects with Fault `store/outcome-unknown` when nobody can tell. */
  append(batch: readonly Row[]): Promise<void>
  /** Deletes superseded rows at or below `to`, in small steps between batches. Live objects stay. */
  compact(to: number): Promise<void>
  /** A consistent copy of everything acknowledged so far, written to `path`, fsynced, renamed into place. Resolves with its revision. */
  backup(path: string): Promise<number>
  close(): Promise<void>
}
