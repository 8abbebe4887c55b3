import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/object.ts'
import { compileSchema } from './compile.ts'
import { crdSchema, validateCrd } from './crd.ts'

const compiled = compileSchema(crdSchema)
const version = (more: object = {}) => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
})
const crd = (spec: object = {}, more: object = {}): KubeObject =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions: [version()], ...spec },
    ...more,
  }) as KubeObject
const causesOf = (object: KubeObject, old?: KubeObject) => {
  const result = compiled.check(object)
  const causes = result.causes.length > 0 ? result.causes : validateCrd(result.object, old)
  return causes.map(cause => `${cause.field}: ${cause.message}`)
}
const schemaCauses = (schema: object) =>
  causesOf(crd({ versions: [version({ schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } } })] })).map(text =>
    text.replace('spec.versions[0].schema.openAPIV3Schema.properties[spec]', '~'),
  )

describe('validateCrd()', () => {
  it('accepts a plain definition as it is', () => {
    const object = crd({
      versions: [version({ subresources: { status: {} }, additionalPrinterColumns: [{ name: 'A', type: 'date', jsonPath: '.a.b' }] })],
    })
    expect(compiled.check(object).object).toBe(object)
    expect(causesOf(object)).toEqual([])
  })

  it('prunes what schemas do not know, at any depth, and names it', () => {
    const deep = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string', patern: 'x', 'x-kubernetes-odd': 1 }, anyOf: [{ minItem: 1 }] } },
    }
    expect(compiled.check(crd({ versions: [version({ schema: { openAPIV3Schema: deep } })] })).unknown).toEqual([
      'spec.versions[0].schema.openAPIV3Schema.properties.a.anyOf[0].minItem',
      'spec.versions[0].schema.openAPIV3Schema.properties.a.items.patern',
      'spec.versions[0].schema.openAPIV3Schema.properties.a.items.x-kubernetes-odd',
    ])
  })

  it('keeps nulls and any value in defaults and enums', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', nullable: true, default: null, enum: ['x', null] } } }
    expect(compiled.check(crd({ versions: [version({ schema: { openAPIV3Schema: schema } })] })).object).toMatchObject({
      spec: { versions: [{ schema: { openAPIV3Schema: schema } }] },
    })
  })

  it.each<[object, RegExp]>([
    [{ group: 'example' }, /^spec.group: .*at least one dot/],
    [{ scope: 'Galaxy' }, /^spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"/],
    [{ names: { plural: 'Things', kind: 'Thing' } }, /^spec.names.plural: Invalid value: "Things"/],
    [{ names: { plural: 'things', kind: 'Thing', shortNames: ['T!'] } }, /^spec.names.shortNames\[0\]/],
    [{ names: { plural: 'things', kind: 'Thing', listKind: 'Thing' } }, /^spec.names.listKind: .*may not be the same/],
    [{ names: { plural: 'things' } }, /^spec.names.kind: Required value/],
    [{ versions: [] }, /^spec.versions: Required value/],
    [{ versions: [version({ storage: false })] }, /^spec.versions: .*exactly one version marked as storage/],
    [{ versions: [version(), version({ storage: false })] }, /^spec.versions\[1\].name: .*must be unique/],
    [{ versions: [version({ schema: undefined })] }, /schema.openAPIV3Schema: Required value: schemas are required/],
    [
      { versions: [version({ additionalPrinterColumns: [{ name: 'A', type: 'date', jsonPath: '.a[' }] })] },
      /jsonPath: Invalid value: "\.a\["/,
    ],
    [{ versions: [version({ additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: '.a' }] })] }, /type: Unsupported value/],
    [
      { versions: [version({ subresources: { scale: { specReplicasPath: '.x', statusReplicasPath: '.status.n' } } })] },
      /specReplicasPath: .*under .spec/,
    ],
    [{ versions: [version({ selectableFields: [{ jsonPath: '.spec.a' }] })] }, /selectableFields\[0\].jsonPath: .*must point to/],
    [{ conversion: { strategy: 'Webhook' } }, /^spec.conversion.strategy: Unsupported value: "Webhook"/],
    [{ preserveUnknownFields: true }, /^spec.preserveUnknownFields/],
    [
      {
        versions: [
          version({
            schema: {
              openAPIV3Schema: { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
            },
          }),
        ],
      },
      /properties\[labels\]: Forbidden/,
    ],
  ])('refuses %j', (spec, expected) =>
    expect(causesOf(crd(spec)).filter(text => !text.startsWith('metadata.name'))).toEqual([expect.stringMatching(expected)]),
  )

  it('keeps what objects are stored under', () => {
    const old = crd({}, { status: { storedVersions: ['v1'] } })
    expect(causesOf(crd({ scope: 'Cluster', versions: [version({ name: 'v2' })] }), old)).toEqual([
      expect.stringMatching(/^spec.scope: .*immutable/),
      expect.stringMatching(/^status.storedVersions\[0\]: .*missing from spec.versions/),
    ])
  })
})

describe('structural rules', () => {
  it.each<[object]>([
    [{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
    [{ type: 'object', additionalProperties: false }],
    [{ type: 'string', default: null }],
    [{ type: 'object', anyOf: [{ properties: { a: { minLength: 1 } } }] }],
    [{ 'x-kubernetes-preserve-unknown-fields': true }],
    [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '^[0-9]+%?$' }],
    [
      {
        type: 'array',
        items: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
      },
    ],
    [{ type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' }],
    [
      {
        type: 'object',
        default: { a: 'x' },
        properties: { a: { type: 'string' } },
        anyOf: [{ required: ['a'] }, { properties: { a: { maxLength: 1 } } }],
      },
    ],
    [
      {
        type: 'object',
        'x-kubernetes-validations': [{ rule: 'self.a > 1', message: 'a must be larger' }],
        additionalProperties: { type: 'integer' },
      },
    ],
  ])('accept %j', schema => expect(schemaCauses(schema)).toEqual([]))

  it.each<[object, string]>([
    [{}, '~.type: Required value: must not be empty for specified object fields'],
    [{ type: 'text' }, '~.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"'],
    [{ type: 'array' }, '~.items: Required value: must be specified'],
    [{ type: 'array', items: {} }, '~.items.type: Required value: must not be empty for specified array items'],
    [{ type: 'object', $ref: '#/x' }, '~.$ref: Forbidden: $ref is not supported'],
    [{ type: 'string', pattern: '(' }, '~.pattern: Invalid value: "("'],
    [{ type: 'string', default: 1 }, '~.default: Invalid value: "integer"'],
    [
      { type: 'object', default: { b: 1 }, properties: { a: { type: 'string' } } },
      '~.default: Invalid value: {"b":1}: must not have unknown fields: ["b"]',
    ],
    [{ type: 'string', anyOf: [{ type: 'string' }] }, '~.anyOf[0].type: Forbidden: must be empty to be structural'],
    [{ type: 'string', not: { description: 'x' } }, '~.not.description: Forbidden: must be empty to be structural'],
    [{ type: 'object', 'x-kubernetes-embedded-resource': true }, '~.properties: Required value'],
    [{ type: 'string', 'x-kubernetes-list-type': 'set' }, '~.type: Invalid value: "string": must be array'],
    [
      { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' },
      '~.items.type: Invalid value: "object": items of a set',
    ],
    [
      { type: 'array', items: { type: 'object', properties: {} }, 'x-kubernetes-list-type': 'map' },
      '~.x-kubernetes-list-map-keys: Required value',
    ],
    [
      { type: 'array', items: { type: 'object', properties: {} }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'] },
      '~.x-kubernetes-list-map-keys[0]: Invalid value: "a": entries must all be names',
    ],
    [
      {
        type: 'array',
        items: { type: 'object', properties: { a: { type: 'string' } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
      },
      '~.items.properties[a].default: Required value',
    ],
    [{ type: 'object', 'x-kubernetes-validations': [{ rule: ' ' }] }, '~.x-kubernetes-validations[0].rule: Required value'],
  ])('refuse %j', (schema, expected) => {
    const causes = schemaCauses(schema)
    expect(causes).toHaveLength(1)
    expect(causes[0]).toContain(expected)
  })
})
