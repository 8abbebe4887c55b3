import { isObject } from '../../core/json.ts'

/** A value somewhere inside foreign JSON; undefined where the way ends early. */
export const reach = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((at, step) => (Array.isArray(at) ? at[Number(step)] : isObject(at) ? own(at, String(step)) : undefined), value)

const own = (object: Record<string, unknown>, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)

export const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** A copy with one value changed; what lay around it is the same. */
export function put(value: unknown, path: readonly string[], to: unknown): Record<string, unknown> {
  const [first = '', ...rest] = path
  const base = isObject(value) ? value : {}
  return { ...base, [first]: rest.length === 0 ? to : put(base[first], rest, to) }
}
