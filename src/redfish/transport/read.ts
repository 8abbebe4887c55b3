import { isObject } from '../../core/json.ts'

/** A Redfish resource as it came: every field may be missing or of another type than the schema says. */
export type Resource = Readonly<Record<string, unknown>>

/** Only what the resource itself says counts: `constructor` and its like are inherited by every object. */
export const field = (from: unknown, name: string): unknown => (isObject(from) && Object.hasOwn(from, name) ? from[name] : undefined)

export function text(from: unknown, name: string): string | undefined {
  const value = field(from, name)
  return typeof value === 'string' && value !== '' ? value.trim() : undefined
}

export function amount(from: unknown, name: string): number | undefined {
  const value = field(from, name)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function flag(from: unknown, name: string): boolean | undefined {
  const value = field(from, name)
  return typeof value === 'boolean' ? value : undefined
}

export function list(from: unknown, name: string): readonly unknown[] {
  const value = field(from, name)
  return Array.isArray(value) ? value : []
}

export const texts = (from: unknown, name: string): readonly string[] =>
  list(from, name).filter((item): item is string => typeof item === 'string')

export function part(from: unknown, ...path: readonly string[]): Resource | undefined {
  let at = from
  for (const name of path) at = field(at, name)
  return isObject(at) ? at : undefined
}

/** Leaves out what is undefined, so that a plain record stays comparable. */
export function known<T extends object>(fields: { readonly [K in keyof T]: T[K] | undefined }): T {
  const out: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) out[name] = value
  return out as T
}
