import { Fault } from '../core/fault.ts'
import type { KubeObject } from '../core/object.ts'
import type { Index } from '../ports/index.ts'

/** The objects of one resource, by key and by what indexes file them under. */
export interface Cache {
  readonly size: number
  get(key: string): KubeObject | undefined
  keys(): Iterable<string>
  /** Sorted by key, so that the same objects are the same list however they arrived. The list is shared. */
  list(namespace: string | undefined): readonly KubeObject[]
  by(index: string, value: string): readonly KubeObject[]
  put(key: string, object: KubeObject): void
  remove(key: string): void
}

export function openCache(of: string, indexes: readonly Index[]): Cache {
  const objects = new Map<string, KubeObject>()
  const shelves = new Map(indexes.map(index => [index.name, openShelf(index)]))
  const lists = new Map<string | undefined, readonly KubeObject[]>()

  const replace = (key: string, object: KubeObject | undefined): void => {
    const before = objects.get(key)
    for (const shelf of shelves.values()) shelf.refile(key, before, object)
    lists.clear()
    if (object) objects.set(key, object)
    else objects.delete(key)
  }
  const inOrder = (keys: Iterable<string>): readonly KubeObject[] => [...keys].sort().map(key => objects.get(key)!)

  return {
    get size() {
      return objects.size
    },
    get: key => objects.get(key),
    keys: () => objects.keys(),
    list(namespace) {
      const known = lists.get(namespace)
      if (known) return known
      const keys = namespace === undefined ? objects.keys() : objects.keys().filter(key => key.startsWith(`${namespace}/`))
      const made = inOrder(keys)
      lists.set(namespace, made)
      return made
    },
    by(index, value) {
      const shelf = shelves.get(index)
      if (!shelf) throw new Fault('runtime/no-index', `Cannot look up ${of} by "${index}": there is no such index`, 'never')
      return inOrder(shelf.under(value))
    },
    put: replace,
    remove: key => replace(key, undefined),
  }
}

interface Shelf {
  under(value: string): Iterable<string>
  refile(key: string, before: KubeObject | undefined, after: KubeObject | undefined): void
}

function openShelf(index: Index): Shelf {
  const filed = new Map<string, Set<string>>()
  return {
    under: value => filed.get(value) ?? [],
    refile(key, before, after) {
      if (before)
        for (const value of index.values(before)) {
          const keys = filed.get(value)
          keys?.delete(key)
          if (keys?.size === 0) filed.delete(value)
        }
      if (after)
        for (const value of index.values(after)) {
          const keys = filed.get(value)
          if (keys) keys.add(key)
          else filed.set(value, new Set([key]))
        }
    },
  }
}
