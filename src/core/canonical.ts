import { isObject } from './json.ts'

/** The same text for equal JSON values, whatever the order of their keys: a name for a value in a Map, or the input of a hash. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const fields = Object.keys(value)
    .filter(key => value[key] !== undefined)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonical(value[key])}`)
  return `{${fields.join(',')}}`
}
