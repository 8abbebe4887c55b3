import type { Json } from '../../core/json.ts'
import type { Structural } from '../structural.ts'
import table from './generated/types.json' with { type: 'json' }

/** What a field holds besides other types. `strings` is a list that is a message of its own on the wire; `raw` is JSON as it is. */
export type Scalar =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'quantity'
  | 'intOrString'
  | 'raw'
  | 'strings'

/** One field of a built-in type, as Kubernetes' Go sources tag it. */
export interface WireField {
  /** JSON name; missing where `inline`: then the fields of its type stand among those around it, in JSON only. */
  readonly name?: string
  /** Protobuf field number. */
  readonly number: number
  /** A Scalar, or the name of another wire type. */
  readonly type: string
  readonly list?: boolean
  readonly map?: boolean
  readonly inline?: boolean
  readonly pointer?: boolean
  readonly omitEmpty?: boolean
  readonly omitZero?: boolean
  readonly optional?: boolean
  readonly default?: Json
  readonly patchStrategy?: string
  readonly patchMergeKey?: string
  readonly listType?: 'atomic' | 'set' | 'map'
  readonly listKeys?: readonly string[]
  readonly mapType?: 'atomic' | 'granular'
}

export interface WireType {
  /** Applied and merged as one value (LabelSelector, references). */
  readonly atomic?: boolean
  readonly fields: readonly WireField[]
}

const types = table.types as unknown as Readonly<Record<string, WireType>>
const kinds = table.kinds as Readonly<Record<string, string>>

/** The type called `io.k8s.api.core.v1.Secret`, or undefined. */
export const wireType = (name: string): WireType | undefined => (Object.hasOwn(types, name) ? types[name] : undefined)

export const wireTypeNames = (): readonly string[] => Object.keys(types)

/** The wire type of a kind: `typeOfKind('v1', 'Secret')`. Options and Status belong to every group version. */
export function typeOfKind(apiVersion: string, kind: string): string | undefined {
  const key = kind === 'DeleteOptions' || kind === 'Status' ? `v1/${kind}` : `${apiVersion}/${kind}`
  return Object.hasOwn(kinds, key) ? kinds[key] : undefined
}

/** The schema of each scalar. */
export const scalars: Readonly<Record<Scalar, Structural>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  duration: { type: 'string' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intOrString: { 'x-kubernetes-int-or-string': true },
  raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  strings: { type: 'array', items: { type: 'string' } },
}

/**
 * The structural schema of a built-in type, for field validation, pruning and OpenAPI. Kinds get apiVersion and kind.
 * Made anew at each call (a Job's takes about a millisecond): keep it. No type of ours contains itself, a test says so.
 */
export function structuralOf(name: string): Structural {
  const type = wireType(name)
  if (!type) throw new Error(`Cannot make a schema of ${name}: there is no such built-in type`)
  const schema = objectSchema(type)
  if (!Object.values(kinds).includes(name)) return schema
  return { ...schema, properties: { apiVersion: scalars.string, kind: scalars.string, ...schema.properties } }
}

function objectSchema(type: WireType): Structural {
  const properties: Record<string, Structural> = {}
  const required: string[] = []
  for (const field of type.fields) {
    if (field.name === undefined || field.inline) {
      const inner = valueSchema(field)
      Object.assign(properties, inner.properties)
      required.push(...(inner.required ?? []))
      continue
    }
    properties[field.name] = fieldSchema(field)
    if (!field.optional) required.push(field.name)
  }
  return {
    type: 'object',
    ...(type.fields.length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(type.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
  }
}

function fieldSchema(field: WireField): Structural {
  const value = valueSchema(field)
  const mapType = field.mapType ? { 'x-kubernetes-map-type': field.mapType } : {}
  // Go leaves out an empty value without a pointer again, so a default that is empty would only show here.
  const says = field.default !== undefined && (field.pointer || Boolean(field.default))
  const byDefault = says ? { default: field.default as Json } : {}
  if (field.map) {
    const element = field.list ? { type: 'array' as const, items: value } : value
    return { type: 'object', additionalProperties: element, ...mapType, ...byDefault }
  }
  if (!field.list) return { ...value, ...mapType, ...byDefault }
  return {
    type: 'array',
    items: value,
    ...(field.listType ? { 'x-kubernetes-list-type': field.listType } : {}),
    ...(field.listKeys ? { 'x-kubernetes-list-map-keys': field.listKeys } : {}),
    ...byDefault,
  }
}

function valueSchema(field: WireField): Structural {
  if (Object.hasOwn(scalars, field.type)) return scalars[field.type as Scalar]
  const type = wireType(field.type)
  if (!type) throw new Error(`Cannot make a schema of field ${field.name}: there is no type ${field.type}`)
  return objectSchema(type)
}
