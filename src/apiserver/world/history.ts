import { ApiError } from '../../api/status.ts'
import type { Log, Row, Store } from '../../ports/index.ts'
import { fromRowKey, StoredChange, StoredEntry } from './entry.ts'
import { Table } from './table.ts'
import type { Change, Entry } from './world.ts'

const types = { create: 'ADDED', update: 'MODIFIED', delete: 'DELETED' } as const
export const rowType = (type: Change['type']): Row['type'] => (type === 'ADDED' ? 'create' : type === 'MODIFIED' ? 'update' : 'delete')

interface Subscription {
  last: number
  readonly listener: (changes: readonly Change[]) => void
}

/** What readers see: every resource as it is, what happened since the last compaction, and who wants to hear of it. */
export class History {
  revision = 0
  compacted = 0
  readonly #tables = new Map<string, Table>()
  readonly #subscriptions = new Map<string, Set<Subscription>>()
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /** Takes in what a store holds, from the beginning. */
  async fill(store: Store): Promise<void> {
    const { compacted, revision } = store.state()
    const base = new Map<string, Map<string, Entry>>()
    const later: Row[] = []
    for await (const row of store.load()) {
      if (row.revision > compacted) later.push(row)
      else {
        const { resource, key } = fromRowKey(row.key)
        const entries = base.get(resource) ?? new Map<string, Entry>()
        base.set(resource, entries)
        // Rows that a compaction did not get to before the process ended still stand there.
        if (row.type === 'delete') entries.delete(key)
        else entries.set(key, new StoredEntry(resource, key, row.revision, row.value))
      }
    }
    for (const [resource, entries] of base) this.table(resource).fill(entries.values())
    for (const row of later) this.apply(this.changeOf(row))
    this.compacted = compacted
    this.revision = revision
  }

  changeOf(row: Row): Change {
    const { resource, key } = fromRowKey(row.key)
    return new StoredChange(types[row.type], new StoredEntry(resource, key, row.revision, row.value), this.get(resource, key))
  }

  apply(change: Change): void {
    this.table(change.entry.resource).apply(change)
    this.revision = change.revision
  }

  table(resource: string): Table {
    const table = this.#tables.get(resource) ?? new Table()
    this.#tables.set(resource, table)
    return table
  }

  get(resource: string, key: string): Entry | undefined {
    return this.#tables.get(resource)?.get(key)
  }

  count(resource: string): number {
    return this.#tables.get(resource)?.size ?? 0
  }

  list(resource: string, options: { readonly namespace?: string; readonly at?: number } = {}): readonly Entry[] {
    const { at, namespace } = options
    if (at !== undefined) this.#reach(at)
    if (at !== undefined && at > this.revision)
      throw new ApiError('Expired', `Cannot read revision ${at}: the newest one is ${this.revision}`)
    const table = this.#tables.get(resource)
    if (!table) return []
    return at === undefined || at === this.revision ? table.list(namespace) : table.listAt(at, namespace)
  }

  subscribe(resource: string, from: number, listener: Subscription['listener']): () => void {
    this.#reach(from)
    const past = this.#tables.get(resource)?.changesAfter(from) ?? []
    const subscription: Subscription = { last: Math.max(from, this.revision), listener }
    const all = this.#subscriptions.get(resource) ?? new Set()
    this.#subscriptions.set(resource, all.add(subscription))
    if (past.length > 0) this.deliver(listener, past)
    return () => {
      all.delete(subscription)
      if (all.size === 0 && this.#subscriptions.get(resource) === all) this.#subscriptions.delete(resource)
    }
  }

  /** Tells the subscribers of each resource. One that joined meanwhile has had its past already: nobody hears a change twice. */
  publish(changes: readonly Change[]): void {
    const byResource = new Map<string, Change[]>()
    for (const change of changes) {
      const same = byResource.get(change.entry.resource)
      if (same) same.push(change)
      else byResource.set(change.entry.resource, [change])
    }
    for (const [resource, news] of byResource) {
      const newest = news.at(-1)!.revision
      for (const subscription of this.#subscriptions.get(resource) ?? []) {
        const unheard = news[0]!.revision > subscription.last ? news : news.filter(change => change.revision > subscription.last)
        if (unheard.length === 0) continue
        subscription.last = newest
        this.deliver(subscription.listener, unheard)
      }
    }
  }

  /** A listener that throws is its own trouble, never the writer's or its neighbour's. */
  deliver(listener: (changes: readonly Change[]) => void, changes: readonly Change[]): void {
    try {
      listener(changes)
    } catch (error) {
      this.#log.error('a listener of the world threw', { error: String(error), revision: changes.at(-1)?.revision })
    }
  }

  forgetUpTo(revision: number): void {
    this.compacted = Math.max(this.compacted, revision)
    for (const [resource, table] of this.#tables) {
      table.forgetUpTo(this.compacted)
      if (table.idle) this.#tables.delete(resource)
    }
  }

  #reach(revision: number): void {
    if (revision < this.compacted)
      throw new ApiError('Expired', `Cannot go back to revision ${revision}: history before ${this.compacted} was compacted; list again`)
  }
}
