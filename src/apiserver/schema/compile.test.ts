import { describe, expect, it } from 'vitest'
import type { Structural } from '../../api/structural.ts'
import type { KubeObject } from '../../core/object.ts'
import { checkValue, compileSchema } from './compile.ts'

const schema: Structural = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 9 },
        mode: { type: 'string', enum: ['Fast', 'Slow'], default: 'Slow' },
        note: { type: 'string', nullable: true },
        port: { 'x-kubernetes-int-or-string': true },
        free: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { known: { type: 'object', properties: { a: { type: 'string' } } } },
        },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        nested: { type: 'object', default: {}, properties: { depth: { type: 'integer', default: 3 } } },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        ports: {
          type: 'array',
          maxItems: 3,
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, protocol: { type: 'string', default: 'TCP' } },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'protocol'],
        },
        template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
}
const compiled = compileSchema(schema)
const thing = (spec: unknown, more: object = {}): KubeObject =>
  ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec, ...more }) as unknown as KubeObject
const complete = { size: 1, mode: 'Fast', nested: { depth: 1 } }
const causesOf = (spec: unknown) => compiled.check(thing(spec)).causes.map(cause => `${cause.field}: ${cause.message} (${cause.reason})`)

describe('compileSchema()', () => {
  it('gives back the very same object where nothing changes', () => {
    const object = thing({
      ...complete,
      free: { any: { thing: [1] } },
      labels: { a: 'b' },
      tags: ['x'],
      ports: [{ name: 'a', protocol: 'TCP' }],
    })
    const result = compiled.check(object)
    expect(result.object).toBe(object)
    expect(result).toMatchObject({ causes: [], unknown: [] })
  })

  it('copies only the way to what changes', () => {
    const object = Object.freeze(thing(Object.freeze({ ...complete, tags: Object.freeze(['x']), mode: undefined })))
    const result = compiled.check(object).object
    expect(result).not.toBe(object)
    expect(result.metadata).toBe(object.metadata)
    expect((result['spec'] as typeof complete & { tags: unknown }).tags).toBe((object['spec'] as { tags: unknown }).tags)
  })

  it('fills in defaults, nested ones too', () => {
    expect(compiled.check(thing({ size: 1 })).object['spec']).toEqual({ size: 1, mode: 'Slow', nested: { depth: 3 } })
    expect(compiled.check(thing({ size: 1, nested: {} })).object['spec']).toEqual({ size: 1, mode: 'Slow', nested: { depth: 3 } })
  })

  it('does not hand out the same default twice', () => {
    const [a, b] = [compiled.check(thing({ size: 1 })), compiled.check(thing({ size: 1 }))].map(
      r => (r.object['spec'] as { nested: object }).nested,
    )
    expect(a).not.toBe(b)
  })

  it('drops nulls that may not be there, or puts the default in their place', () => {
    expect(
      compiled.check(thing({ size: 1, mode: null, note: null, port: null, labels: { a: null }, nested: null })).object['spec'],
    ).toEqual({
      size: 1,
      mode: 'Slow',
      note: null,
      labels: {},
      nested: { depth: 3 },
    })
  })

  it('prunes unknown fields and names them', () => {
    const result = compiled.check(
      thing(
        { ...complete, extra: 1, ports: [{ name: 'a', protocol: 'TCP', x: 1 }], free: { other: 1, known: { a: 'b', c: 'd' } } },
        { data: 1, metadata: { name: 'a', odd: 1 } },
      ),
    )
    expect(result.unknown).toEqual(['data', 'metadata.odd', 'spec.extra', 'spec.free.known.c', 'spec.ports[0].x'])
    expect(result.object).toEqual(thing({ ...complete, ports: [{ name: 'a', protocol: 'TCP' }], free: { other: 1, known: { a: 'b' } } }))
  })

  it('refresh() prunes and fills in without judging', () => {
    expect(compiled.refresh(thing({ size: 'many', extra: 1 }))['spec']).toEqual({ size: 'many', mode: 'Slow', nested: { depth: 3 } })
  })

  it.each([
    [
      { ...complete, size: 'x' },
      ['spec.size: Invalid value: "string": spec.size in body must be of type integer: "string" (FieldValueTypeInvalid)'],
    ],
    [
      { ...complete, size: 1.5 },
      ['spec.size: Invalid value: "number": spec.size in body must be of type integer: "number" (FieldValueTypeInvalid)'],
    ],
    [{ ...complete, size: 0 }, ['spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1 (FieldValueInvalid)']],
    [{ ...complete, size: 10 }, ['spec.size: Invalid value: 10: spec.size in body should be less than or equal to 9 (FieldValueInvalid)']],
    [{}, ['spec.size: Required value (FieldValueRequired)']],
    [{ ...complete, mode: 'Odd' }, ['spec.mode: Unsupported value: "Odd": supported values: "Fast", "Slow" (FieldValueNotSupported)']],
    [
      { ...complete, port: true },
      ['spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean" (FieldValueTypeInvalid)'],
    ],
    [{ ...complete, tags: ['a', 'b', 'a'] }, ['spec.tags[2]: Duplicate value: "a" (FieldValueDuplicate)']],
    [
      { ...complete, tags: [null] },
      ['spec.tags[0]: Invalid value: "null": spec.tags[0] in body must be of type string: "null" (FieldValueTypeInvalid)'],
    ],
    [
      { ...complete, ports: [{ name: 'a' }, { protocol: 'TCP', name: 'a' }] },
      ['spec.ports[1]: Duplicate value: {"name":"a","protocol":"TCP"} (FieldValueDuplicate)'],
    ],
    [
      { ...complete, ports: 'abcd'.split('').map(name => ({ name })) },
      ['spec.ports: Too many: 4: must have at most 3 items (FieldValueTooMany)'],
    ],
    [
      { ...complete, labels: { a: 1 } },
      ['spec.labels.a: Invalid value: "integer": spec.labels.a in body must be of type string: "integer" (FieldValueTypeInvalid)'],
    ],
    [{ ...complete, template: { kind: 'Pod' } }, ['spec.template.apiVersion: Required value (FieldValueRequired)']],
    ['text', ['spec: Invalid value: "string": spec in body must be of type object: "string" (FieldValueTypeInvalid)']],
  ])('says what is wrong with %j', (spec, expected) => expect(causesOf(spec)).toEqual(expected))

  it('keeps the metadata of embedded resources to what metadata may hold', () => {
    const template = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', odd: 1 }, anything: true }
    const result = compiled.check(thing({ ...complete, template }))
    expect(result.unknown).toEqual(['spec.template.metadata.odd'])
    expect(result.object['spec']).toMatchObject({ template: { metadata: { name: 'x' }, anything: true } })
  })

  it('tolerates twins in lists of kinds that do', () => {
    expect(compileSchema(schema, { toleratesTwins: true }).check(thing({ ...complete, tags: ['a', 'a'] })).causes).toEqual([])
  })

  it('stops collecting causes long before the answer gets large', () => {
    expect(compiled.check(thing({ ...complete, tags: Array.from({ length: 10_000 }, () => 1) })).causes).toHaveLength(100)
  })

  it('treats __proto__ and constructor as plain data', () => {
    const sent = JSON.parse(
      '{"size":1,"mode":"Fast","nested":{"depth":1},"__proto__":{"size":2},"constructor":1,"labels":{"__proto__":"x","constructor":"y"}}',
    )
    const result = compiled.check(thing(sent))
    expect(result.unknown).toEqual(['spec.__proto__', 'spec.constructor'])
    expect(JSON.stringify((result.object['spec'] as { labels: unknown }).labels)).toBe('{"__proto__":"x","constructor":"y"}')
    const nulled = compileSchema({
      type: 'object',
      properties: {
        data: { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'string', default: 'b' } } } },
      },
    })
    const data = nulled.check(thing(undefined, { data: JSON.parse('{"__proto__":{}}') })).object['data']
    expect(JSON.stringify(data)).toBe('{"__proto__":{"a":"b"}}')
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  })
})

describe('junctors', () => {
  const causes = (schema: Structural, value: unknown) => checkValue(schema, value, 'x').causes.map(cause => cause.message)
  const pair: Structural = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } }

  it.each<[Structural, unknown, string[]]>([
    [{ ...pair, oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 'x' }, []],
    [
      { ...pair, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { a: 'x', b: 'y' },
      ['Invalid value: "": "x" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [
      { ...pair, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      ['Invalid value: "": "x" must validate one and only one schema (oneOf). Found none valid', 'Required value'],
    ],
    [{ ...pair, anyOf: [{ required: ['a'] }, { properties: { b: { minLength: 3 } } }] }, { b: 'abc' }, []],
    [{ ...pair, anyOf: [{ required: ['a'] }] }, {}, ['Invalid value: "": "x" must validate at least one schema (anyOf)', 'Required value']],
    [{ ...pair, not: { required: ['a', 'b'] } }, { a: '', b: '' }, ['Invalid value: "": "x" must not validate the schema (not)']],
    [{ type: 'integer', allOf: [{ minimum: 3 }, { maximum: 5 }] }, 4, []],
    [
      { type: 'integer', allOf: [{ minimum: 3 }] },
      2,
      ['Invalid value: 2: x in body should be greater than or equal to 3', 'Invalid value: "": "x" must validate all the schemas (allOf)'],
    ],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, 2.5, []],
  ])('%j takes %j with %j', (schema, value, expected) => expect(causes(schema, value)).toEqual(expected))

  it('never prune or default', () => {
    const schema: Structural = { ...pair, anyOf: [{ properties: { a: { type: 'string', default: 'no' } } }] }
    expect(checkValue(schema, { b: 'y' }, 'x').value).toEqual({ b: 'y' })
  })
})

describe('keywords on scalars and collections', () => {
  const ok = (schema: Structural, value: unknown) => checkValue(schema, value, 'x').causes.length === 0
  it.each<[Structural, unknown, boolean]>([
    [{ type: 'string', pattern: 'b+' }, 'abc', true],
    [{ type: 'string', pattern: '^b+$' }, 'abc', false],
    [{ type: 'string', maxLength: 2 }, '😀😀', true],
    [{ type: 'string', maxLength: 2 }, 'abc', false],
    [{ type: 'string', minLength: 2 }, '😀', false],
    [{ type: 'number', exclusiveMinimum: true, minimum: 1 }, 1, false],
    [{ type: 'number', exclusiveMaximum: true, maximum: 1 }, 0.9, true],
    [{ type: 'number', multipleOf: 0.1 }, 0.3, true],
    [{ type: 'integer', multipleOf: 2 }, 3, false],
    [{ type: 'integer', format: 'int32' }, 2 ** 31, false],
    [
      { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    [{ type: 'array', minItems: 1 }, [], false],
    [{ type: 'object', minProperties: 1, additionalProperties: true }, {}, false],
    [{ type: 'object', maxProperties: 1, additionalProperties: true }, { a: 1, b: 2 }, false],
    [{ type: 'string', format: 'date' }, '2024-02-29', true],
    [{ type: 'string', format: 'date' }, '2023-02-29', false],
    [{ type: 'string', format: 'date-time' }, '2023-02-28T10:00:00Z', true],
    [{ type: 'string', format: 'date-time' }, 'now', false],
    [{ type: 'string', format: 'byte' }, 'aGVsbG8=', true],
    [{ type: 'string', format: 'byte' }, 'hello', false],
    [{ type: 'string', format: 'uri' }, 'https://example.com/a?b#c', true],
    [{ type: 'string', format: 'uri' }, 'not a uri', false],
    [{ type: 'string', format: 'uuid' }, '9f8e1c1e-3b62-4c6f-9a53-1c2d3e4f5a6b', true],
    [{ type: 'string', format: 'uuid' }, '9f8e', false],
    [{ type: 'string', format: 'ipv4' }, '10.0.0.1', true],
    [{ type: 'string', format: 'ipv4' }, '10.0.0.256', false],
    [{ type: 'string', format: 'ipv6' }, 'fe80::1', true],
    [{ type: 'string', format: 'ipv6' }, 'fe80::1%eth0', false],
    [{ type: 'string', format: 'cidr' }, '10.0.0.0/8', true],
    [{ type: 'string', format: 'cidr' }, 'fd00::/129', false],
    [{ type: 'string', format: 'mac' }, 'aa:bb:cc:dd:ee:ff', true],
    [{ type: 'string', format: 'mac' }, 'aa:bb:cc:dd:ee', false],
    [{ type: 'string', format: 'duration' }, '1h30m', true],
    [{ type: 'string', format: 'duration' }, '3 days', true],
    [{ type: 'string', format: 'duration' }, 'soon', false],
    [{ type: 'string', format: 'email' }, 'a@example.com', true],
    [{ type: 'string', format: 'email' }, 'example.com', false],
    [{ type: 'string', format: 'hostname' }, 'node-1.example.com', true],
    [{ type: 'string', format: 'hostname' }, '-node', false],
    [{ type: 'string', format: 'password' }, 'anything', true],
    [{ type: 'string', format: 'made-up' }, 'anything', true],
  ])('%j takes %j: %s', (schema, value, expected) => expect(ok(schema, value)).toBe(expected))

  it('never repeats what is not base64: it may be a secret', () => {
    expect(JSON.stringify(checkValue({ type: 'string', format: 'byte' }, 'hunter2!', 'x').causes)).not.toContain('hunter2')
  })

  it('keeps hostile patterns linear', () => {
    expect(ok({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(5_000)}!`)).toBe(false)
  })
})
