import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Structural } from '../../api/structural.ts'
import { freezeJson, sameJson } from '../../core/json.ts'
import { checkValue } from './compile.ts'

/** Any structural schema over a few field names, with defaults that fit. */
const schemas = fc.letrec<{ schema: Structural }>(tie => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Structural>(
      { type: 'string' },
      { type: 'string', nullable: true },
      { type: 'string', default: 'x' },
      { type: 'integer', minimum: 0 },
      { type: 'boolean', default: false },
      { 'x-kubernetes-int-or-string': true },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    ),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema')).map((properties): Structural => ({ type: 'object', properties })),
    fc
      .dictionary(fc.constantFrom('a', 'b'), tie('schema'))
      .map((properties): Structural => ({ type: 'object', properties, default: {}, required: Object.keys(properties) })),
    tie('schema').map((items): Structural => ({ type: 'array', items })),
    tie('schema').map((additionalProperties): Structural => ({ type: 'object', additionalProperties })),
  ),
})).schema

const values = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 1, -1, 1.5, 'x', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), tie('value')),
  ),
})).value

it('a value that went through a schema goes through again as it is', () => {
  fc.assert(
    fc.property(schemas, values, (schema, value) => {
      const before = JSON.stringify(value)
      const once = checkValue(schema, freezeJson(JSON.parse(before)), 'x')
      const twice = checkValue(schema, once.value, 'x')
      expect(twice.value).toBe(once.value)
      expect(twice.unknown).toEqual([])
      expect(twice.causes).toEqual(once.causes)
      expect(once.unknown.length === 0 || !sameJson(once.value, JSON.parse(before))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

it('what a schema accepts has no null where none may be, and no field that it does not know', () => {
  const fits = (schema: Structural, value: unknown): boolean => {
    if (value === null) return schema.nullable === true
    if (Array.isArray(value)) return value.every(item => fits(schema.items ?? {}, item))
    if (typeof value !== 'object' || schema['x-kubernetes-preserve-unknown-fields']) return true
    return Object.entries(value).every(([key, one]) => {
      const known = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : schema.additionalProperties
      return typeof known === 'object' && fits(known, one)
    })
  }
  fc.assert(
    fc.property(schemas, values, (schema, value) => {
      const { value: result, causes } = checkValue(schema, value, 'x')
      expect(causes.length > 0 || fits(schema, result)).toBe(true)
    }),
    { numRuns: 500 },
  )
})
