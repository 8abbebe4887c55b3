/** Finds objects by values that they have; several may have the same one. */
export interface IndexOf<T> {
  put(id: string, object: T, values: readonly string[]): void
  remove(id: string): void
  find(value: string): readonly T[]
}

export function indexOf<T>(): IndexOf<T> {
  const byValue = new Map<string, Map<string, T>>()
  const valuesOf = new Map<string, readonly string[]>()
  const remove = (id: string): void => {
    for (const value of valuesOf.get(id) ?? []) {
      const there = byValue.get(value)
      there?.delete(id)
      if (there?.size === 0) byValue.delete(value)
    }
    valuesOf.delete(id)
  }
  return {
    put(id, object, values) {
      remove(id)
      valuesOf.set(id, values)
      for (const value of values) {
        const there = byValue.get(value)
        if (there) there.set(id, object)
        else byValue.set(value, new Map([[id, object]]))
      }
    },
    remove,
    find: value => [...(byValue.get(value)?.values() ?? [])],
  }
}
