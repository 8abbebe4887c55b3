import type { Structural } from '../../api/structural.ts'
import { copyJson, isObject, putJson } from '../../core/json.ts'
import { noteUnknown, type Run, type Step } from './run.ts'

interface Field {
  readonly step: Step
  readonly nullable: boolean
  readonly byDefault: unknown
}

/** How a schema of a field is compiled: `field` names it, since an embedded resource treats some fields in its own way. */
export type CompileField = (schema: Structural, field: string | undefined) => Step

/**
 * Walks the fields of an object: prunes what is not known, fills in what is missing, drops nulls that may not be there.
 * `inner` schemas (those inside anyOf and its like) only look.
 */
export function objectShape(
  schema: Structural,
  compile: CompileField,
  inner: boolean,
): (object: Record<string, unknown>, run: Run) => unknown {
  const fields = new Map<string, Field>()
  for (const [name, property] of Object.entries(schema.properties ?? {})) fields.set(name, fieldOf(property, compile(property, name)))
  const { additionalProperties } = schema
  const others =
    typeof additionalProperties === 'object' ? fieldOf(additionalProperties, compile(additionalProperties, undefined)) : undefined
  const keepsOthers = inner || additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'] === true
  const defaults = inner ? [] : [...fields].filter(([, field]) => field.byDefault !== undefined)

  return (object, run) => {
    let result = object
    const change = (): Record<string, unknown> => {
      if (result === object) result = { ...object }
      return result
    }
    for (const key of Object.keys(object)) {
      const value = object[key]
      const field = fields.get(key) ?? others
      if (field === undefined) {
        if (keepsOthers) continue
        noteUnknown(run, key)
        delete change()[key]
        continue
      }
      if (value === undefined) continue
      if (value === null && !field.nullable && !inner) {
        if (field.byDefault === undefined) delete change()[key]
        else putJson(change(), key, filled(field, key, run))
        continue
      }
      run.path.push(key)
      const next = field.step(value, run)
      run.path.pop()
      if (next !== value) putJson(change(), key, next)
    }
    for (const [key, field] of defaults) {
      if (!Object.hasOwn(result, key) || result[key] === undefined) putJson(change(), key, filled(field, key, run))
    }
    return result
  }
}

const fieldOf = (schema: Structural, step: Step): Field => {
  const nullable = schema.nullable === true
  return { step, nullable, byDefault: schema.default === null && !nullable ? undefined : schema.default }
}

/** A default goes through its own schema too: it may leave nested defaults to be filled in. */
function filled(field: Field, key: string, run: Run): unknown {
  const value = copyJson(field.byDefault)
  run.path.push(key)
  const result = field.step(value, run)
  run.path.pop()
  return result
}

export function listShape(schema: Structural, compile: CompileField): (list: readonly unknown[], run: Run) => unknown {
  if (!schema.items) return list => list
  const item = fieldOf(schema.items, compile(schema.items, undefined))
  return (list, run) => {
    let result: unknown[] | undefined
    for (let at = 0; at < list.length; at++) {
      const value = list[at] === null && !item.nullable && item.byDefault !== undefined ? copyJson(item.byDefault) : list[at]
      run.path.push(at)
      const next = item.step(value, run)
      run.path.pop()
      if (next !== list[at]) {
        result ??= [...list]
        result[at] = next
      }
    }
    return result ?? list
  }
}

/** What JSON calls a value, in the words of type errors. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isObject(value)) return 'object'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}
