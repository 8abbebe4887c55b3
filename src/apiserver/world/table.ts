import type { Change, Entry } from './world.ts'

/** First index whose key is not below `key`, in a list sorted by key. */
function position(entries: readonly Entry[], key: string): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (entries[middle]!.key < key) low = middle + 1
    else high = middle
  }
  return low
}

/** One resource: what is there now, in order, and what happened to it since the last compaction. */
export class Table {
  readonly #byKey = new Map<string, Entry>()
  #sorted: Entry[] = []
  /** A list that was handed out is never changed again: the next write makes its own copy (one block move). */
  #shared = false
  #changes: Change[] = []
  #past: { readonly at: number; readonly entries: readonly Entry[] } | undefined

  get size(): number {
    return this.#byKey.size
  }

  get idle(): boolean {
    return this.#byKey.size === 0 && this.#changes.length === 0
  }

  get(key: string): Entry | undefined {
    return this.#byKey.get(key)
  }

  /** Fills an empty table without history; the entries come in any order. */
  fill(entries: Iterable<Entry>): void {
    for (const entry of entries) this.#byKey.set(entry.key, entry)
    this.#sorted = [...this.#byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  apply(change: Change): void {
    const { entry } = change
    if (this.#shared) this.#sorted = this.#sorted.slice()
    this.#shared = false
    const at = position(this.#sorted, entry.key)
    if (change.type === 'DELETED') {
      this.#byKey.delete(entry.key)
      this.#sorted.splice(at, 1)
    } else if (this.#byKey.has(entry.key)) {
      this.#byKey.set(entry.key, entry)
      this.#sorted[at] = entry
    } else {
      this.#byKey.set(entry.key, entry)
      this.#sorted.splice(at, 0, entry)
    }
    this.#changes.push(change)
  }

  list(namespace?: string): readonly Entry[] {
    if (namespace !== undefined) return within(this.#sorted, namespace)
    this.#shared = true
    return this.#sorted
  }

  /** The list as it was at revision `at`: today's with every later change taken back. The last one is kept for the next page. */
  listAt(at: number, namespace?: string): readonly Entry[] {
    const later = this.changesAfter(at)
    if (later.length === 0) return this.list(namespace)
    if (this.#past?.at !== at) {
      const then = new Map(this.#byKey)
      for (const { entry, previous } of later.toReversed()) {
        if (previous) then.set(entry.key, previous)
        else then.delete(entry.key)
      }
      this.#past = { at, entries: [...then.values()].sort((a, b) => (a.key < b.key ? -1 : 1)) }
    }
    return namespace === undefined ? this.#past.entries : within(this.#past.entries, namespace)
  }

  changesAfter(revision: number): readonly Change[] {
    return this.#changes.slice(this.#firstAfter(revision))
  }

  forgetUpTo(revision: number): void {
    this.#changes = this.#changes.slice(this.#firstAfter(revision))
    this.#past = undefined
  }

  #firstAfter(revision: number): number {
    let low = 0
    let high = this.#changes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#changes[middle]!.revision <= revision) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** `0` follows `/`, so every key of the namespace, and no other, lies between the two. */
const within = (entries: readonly Entry[], namespace: string): readonly Entry[] =>
  entries.slice(position(entries, `${namespace}/`), position(entries, `${namespace}0`))
