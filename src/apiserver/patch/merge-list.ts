import type { ApiError } from '../../api/status.ts'
import { canonical } from '../../core/canonical.ts'
import { isObject } from '../../core/json.ts'

type Fields = Record<string, unknown>

interface ListRules {
  /** Names an item; undefined where items are scalars, or the list is not merged at all (then `original` is empty). */
  readonly mergeKey: string | undefined
  readonly order: readonly unknown[] | undefined
  readonly mergeItem: (item: Fields, patch: Fields) => Fields
  readonly malformed: (found: string) => ApiError
}

/** Merges a patch into a list: items meet by their key, scalars by value; the patch's order wins where both have a say. */
export function mergeList(original: readonly unknown[], patch: readonly unknown[], rules: ListRules): unknown[] {
  const { mergeKey, malformed } = rules
  const { kept, changes } = directives(original, patch, rules)
  const merged = [...kept]
  const places = placesOf(merged, mergeKey)
  for (const change of changes) {
    if (!isObject(change)) {
      if (mergeKey !== undefined) throw malformed(`an item of a list merged by "${mergeKey}" is not an object`)
      if (places.has(canonical(change))) continue
      places.set(canonical(change), merged.push(change) - 1)
      continue
    }
    if (mergeKey === undefined) {
      merged.push(rules.mergeItem({}, change))
      continue
    }
    if (!Object.hasOwn(change, mergeKey)) throw malformed(`an item of a list does not contain its merge key "${mergeKey}"`)
    const name = nameOf(change, mergeKey)
    const at = places.get(name)
    const before = at === undefined ? undefined : merged[at]
    if (at !== undefined && isObject(before)) merged[at] = rules.mergeItem(before, change)
    else places.set(name, merged.push(rules.mergeItem({}, change)) - 1)
  }
  if (mergeKey === undefined && merged.some(isObject)) return merged
  if (rules.order) refuseStrays(changes, rules.order, rules)
  return ordered(merged, rules.order ?? changes, original, mergeKey)
}

/** Items that carry `$patch`: delete removes the item of that key, replace drops what was there. */
function directives(
  original: readonly unknown[],
  patch: readonly unknown[],
  { mergeKey, malformed }: ListRules,
): { readonly kept: readonly unknown[]; readonly changes: readonly unknown[] } {
  const gone = new Set<string>()
  let replaces = false
  const changes: unknown[] = []
  for (const item of patch) {
    if (!isObject(item) || !Object.hasOwn(item, '$patch')) changes.push(item)
    else if (item['$patch'] === 'replace') replaces = true
    else if (item['$patch'] === 'delete') {
      if (mergeKey === undefined || !Object.hasOwn(item, mergeKey))
        throw malformed('$patch: delete in a list needs an item with its merge key')
      gone.add(nameOf(item, mergeKey))
    } else throw malformed(`unknown patch directive $patch: ${JSON.stringify(item['$patch'])} in a list; replace and delete are known`)
  }
  if (replaces) return { kept: [], changes }
  return { kept: gone.size === 0 ? original : original.filter(item => !gone.has(nameOf(item, mergeKey))), changes }
}

function refuseStrays(changes: readonly unknown[], order: readonly unknown[], { mergeKey, malformed }: ListRules): void {
  const places = placesOf(order, mergeKey)
  if (changes.some(change => !places.has(nameOf(change, mergeKey)))) {
    throw malformed('an item of the patch is missing in its $setElementOrder list')
  }
}

/**
 * Items that `order` names come in that order. The others, which only the server knows, keep their order among themselves
 * and stand before a named item where they stood before it.
 */
export function ordered(
  list: readonly unknown[],
  order: readonly unknown[],
  original: readonly unknown[],
  mergeKey: string | undefined,
): unknown[] {
  const [wanted, before] = [placesOf(order, mergeKey), placesOf(original, mergeKey)]
  const known = list.map(item => {
    const name = nameOf(item, mergeKey)
    return { item, wanted: wanted.get(name), before: before.get(name) }
  })
  const named = known.filter(one => one.wanted !== undefined).sort((a, b) => a.wanted! - b.wanted!)
  const others = known.filter(one => one.wanted === undefined)
  const result: unknown[] = []
  let next = 0
  for (const other of others) {
    for (; next < named.length; next++) {
      const ours = named[next]!
      if (ours.before !== undefined && other.before !== undefined && other.before < ours.before) break
      result.push(ours.item)
    }
    result.push(other.item)
  }
  for (; next < named.length; next++) result.push(named[next]!.item)
  return result
}

export function removeValues(list: readonly unknown[], values: readonly unknown[]): unknown[] {
  const gone = new Set(values.map(canonical))
  return list.filter(item => !gone.has(canonical(item)))
}

/** Where each item stands, by its name; the first of twins counts. */
function placesOf(list: readonly unknown[], mergeKey: string | undefined): Map<string, number> {
  const places = new Map<string, number>()
  for (let at = 0; at < list.length; at++) {
    const name = nameOf(list[at], mergeKey)
    if (!places.has(name)) places.set(name, at)
  }
  return places
}

const nameOf = (item: unknown, mergeKey: string | undefined): string =>
  canonical(mergeKey !== undefined && isObject(item) && Object.hasOwn(item, mergeKey) ? item[mergeKey] : item)
