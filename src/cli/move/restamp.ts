import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'

/** An object as it was, and as it is where it was moved to. */
export interface Moved {
  readonly from: KubeObject
  readonly to: KubeObject
}

/** Old identity → the pair. */
export type Stamps = ReadonlyMap<string, Moved>

/** The same value with every identity of a moved object as it is now; a generation that stands beside one goes with it. */
export function restamp(value: unknown, stamps: Stamps): unknown {
  if (typeof value === 'string') return stamps.get(value)?.to.metadata.uid ?? value
  if (Array.isArray(value)) return value.map(item => restamp(item, stamps))
  if (!isObject(value)) return value
  const beside = typeof value['uid'] === 'string' ? stamps.get(value['uid']) : undefined
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => [
      key,
      key === 'generation' && beside && inside === beside.from.metadata.generation
        ? beside.to.metadata.generation
        : restamp(inside, stamps),
    ]),
  )
}

/** A status in which what was seen of the old generation is seen of the new one: nothing is looked at as if it had changed. */
export function restampStatus({ from, to }: Moved, stamps: Stamps): unknown {
  const [before, after] = [from.metadata.generation, to.metadata.generation]
  const seen = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(seen)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inside]) => {
        const own = key === 'observedGeneration' || (key === 'generation' && typeof value['uid'] !== 'string')
        return [key, own && inside === before ? after : seen(inside)]
      }),
    )
  }
  return restamp(seen(from['status']), stamps)
}
