import type { Cause } from '../../api/status.ts'
import type { Structural } from '../../api/structural.ts'
import { isObject } from '../../core/json.ts'
import { forbidden, invalid } from './cause.ts'
import { patternFault } from './pattern.ts'

/** What shapes a value has no place where schemas only judge it. */
const shaping = [
  'description',
  'default',
  'title',
  'nullable',
  'additionalProperties',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const

/** Schemas inside allOf, anyOf, oneOf and not judge, and shape nothing themselves. */
export function checkJunctors(schema: Structural, field: string, causes: Cause[]): void {
  for (const [inner, at] of junctorsOf(schema, field)) checkInner(inner, schema, at, causes)
}

function junctorsOf(schema: Structural, field: string): readonly (readonly [Structural, string])[] {
  const found: [Structural, string][] = []
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const)
    for (const [index, inner] of (schema[name] ?? []).entries()) found.push([inner, `${field}.${name}[${index}]`])
  if (schema.not) found.push([schema.not, `${field}.not`])
  return found
}

function checkInner(inner: Structural, outer: Structural, field: string, causes: Cause[]): void {
  for (const name of shaping) if (Object.hasOwn(inner, name)) causes.push(forbidden(`${field}.${name}`, 'must be empty to be structural'))
  // The one exception that Kubernetes knows: an int-or-string spelled out as anyOf integer and string.
  if (inner.type !== undefined && !outer['x-kubernetes-int-or-string'])
    causes.push(forbidden(`${field}.type`, 'must be empty to be structural'))
  const wrong = inner.pattern === undefined ? undefined : patternFault(inner.pattern)
  if (wrong) causes.push(invalid(`${field}.pattern`, inner.pattern, `must be a valid regular expression, but isn't: ${wrong}`))
  for (const [nested, at] of junctorsOf(inner, field)) checkInner(nested, outer, at, causes)

  for (const [name, property] of Object.entries(inner.properties ?? {})) {
    const shaped = outer.properties && Object.hasOwn(outer.properties, name) ? outer.properties[name] : undefined
    checkInner(property, shaped ?? {}, `${field}.properties[${name}]`, causes)
  }
  if (isObject(inner.items)) checkInner(inner.items, isObject(outer.items) ? outer.items : {}, `${field}.items`, causes)
}
