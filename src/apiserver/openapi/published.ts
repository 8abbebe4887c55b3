import type { Structural } from '../../api/structural.ts'
import type { Resource } from '../resource.ts'
import { gvkOf, meta, ref, refWith } from './names.ts'

/** The schema of a kind that brings its own, as clients see it: with the fields that every object has. */
export function publishedKind(resource: Resource): object {
  const schema = published(resource.schema, [])
  return {
    ...schema,
    type: 'object',
    properties: {
      ...schema.properties,
      apiVersion: { type: 'string', description: 'The group and version that this object is written in.' },
      kind: { type: 'string', description: 'What this object is.' },
      metadata: refWith(`${meta}.ObjectMeta`, { description: 'Name, labels, owners and the rest that every object has.' }),
    },
    'x-kubernetes-group-version-kind': [gvkOf(resource)],
  }
}

interface Published {
  readonly properties?: Readonly<Record<string, object>>
  readonly [keyword: string]: unknown
}

/** A copy without circles: where a schema contains itself, the inner one is an object of any shape. */
function published(schema: Structural, around: readonly Structural[]): Published {
  if (around.includes(schema)) return { type: 'object', ...(schema.description ? { description: schema.description } : {}) }
  const inner = (one: Structural) => published(one, [...around, schema])
  const { properties, items, additionalProperties, allOf, anyOf, oneOf, not, ...plain } = schema
  return {
    ...plain,
    ...(properties ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])) } : {}),
    ...(items ? { items: inner(items) } : {}),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: typeof additionalProperties === 'object' ? inner(additionalProperties) : additionalProperties }),
    ...(allOf ? { allOf: allOf.map(inner) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(inner) } : {}),
    ...(oneOf ? { oneOf: oneOf.map(inner) } : {}),
    ...(not ? { not: inner(not) } : {}),
  }
}

export const publishedList = (resource: Resource, item: string): object => ({
  type: 'object',
  description: `A list of ${resource.kind}.`,
  required: ['items'],
  properties: {
    apiVersion: { type: 'string', description: 'The group and version that this list is written in.' },
    kind: { type: 'string', description: 'What this list is.' },
    metadata: refWith(`${meta}.ListMeta`, { description: 'The revision of the list, and how to go on.' }),
    items: { type: 'array', description: 'The objects.', items: ref(item) },
  },
  'x-kubernetes-group-version-kind': [{ ...gvkOf(resource), kind: resource.listKind }],
})
