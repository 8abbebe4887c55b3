import type { KubeObject } from '../../core/object.ts'

/** One object at one revision. `bytes` is its JSON as stored and served; `object` is the shared, frozen parse, made on first use. */
export interface Entry {
  /** `<group>/<plural>`; the core group is empty: `/secrets`. */
  readonly resource: string
  /** `<namespace>/<name>`, or `<name>` for cluster-scoped kinds. */
  readonly key: string
  readonly revision: number
  readonly bytes: Uint8Array
  readonly object: KubeObject
}

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly revision: number
  /** For DELETED: the last state, stamped with the revision of the deletion. */
  readonly entry: Entry
  readonly previous?: Entry
}

/** What a write decided to do with the current state of its key. `metadata.resourceVersion` is stamped by the world. */
export type Draft = { readonly put: KubeObject } | { readonly remove: KubeObject } | { readonly keep: Entry }

/**
 * Everything the API server knows, in memory, behind one durable log.
 * Readers never see a write before it is on disk; one write per key is under way at a time.
 */
export interface World {
  /** The newest revision that readers can see. */
  readonly revision: number
  /** Snapshots and watches from before this revision answer Expired; from it on, everything is there. */
  readonly compacted: number
  get(resource: string, key: string): Entry | undefined
  /** Sorted by key. `namespace` narrows; `at` reads the past (ApiError Expired if it is gone, or lies in the future). */
  list(resource: string, options?: { readonly namespace?: string; readonly at?: number }): readonly Entry[]
  count(resource: string): number
  /**
   * Reads, decides and writes as one step. `decide` is synchronous, may throw (nothing is written) and may run again.
   * Resolves when the result is durable and visible; `keep` resolves at once.
   */
  write(resource: string, key: string, decide: (current: Entry | undefined) => Draft): Promise<Entry>
  /**
   * Every change after revision `from`, in order, none twice, none skipped: past ones at once, later ones batch by batch.
   * Throws ApiError Expired where the history does not reach back that far. The returned function ends it.
   */
  subscribe(resource: string, from: number, listener: (changes: readonly Change[]) => void): () => void
  /** Called after each durable batch that touched any resource, with all its changes (garbage collection, RBAC index, CRDs). */
  observe(listener: (changes: readonly Change[]) => void): () => void
  close(): Promise<void>
}
