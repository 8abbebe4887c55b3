import type { Json } from '../core/json.ts'
import type { Structural } from './structural.ts'

/** A structural schema that remembers the TypeScript type it stands for. One source for CRD, validation, docs and types. */
export interface Schema<T> {
  readonly structural: Structural
  /** Only a type: nothing is ever stored here. */
  readonly of?: T
}

export interface Optional<T> extends Schema<T> {
  readonly optional: true
}

export type TypeOf<S> = S extends Schema<infer T> ? T : never

export type Fields = Readonly<Record<string, Schema<unknown>>>

type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F]

export type ObjectOf<F extends Fields> = { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: TypeOf<F[K]> } & {
  readonly [K in OptionalKeys<F>]?: TypeOf<F[K]>
}

/** Keywords that narrow a value without changing its type. */
type Narrowing = Pick<
  Structural,
  | 'format'
  | 'pattern'
  | 'minLength'
  | 'maxLength'
  | 'minimum'
  | 'maximum'
  | 'minItems'
  | 'maxItems'
  | 'minProperties'
  | 'maxProperties'
  | 'nullable'
  | 'x-kubernetes-preserve-unknown-fields'
  | 'x-kubernetes-map-type'
>

const value = <T>(structural: Structural): Schema<T> => ({ structural })

export const string = (description: string, narrow: Narrowing = {}): Schema<string> => value({ type: 'string', description, ...narrow })
export const boolean = (description: string): Schema<boolean> => value({ type: 'boolean', description })
export const number = (description: string, narrow: Narrowing = {}): Schema<number> => value({ type: 'number', description, ...narrow })
export const integer = (description: string, narrow: Narrowing = {}): Schema<number> =>
  value({ type: 'integer', format: 'int32', description, ...narrow })
export const int64 = (description: string, narrow: Narrowing = {}): Schema<number> => integer(description, { format: 'int64', ...narrow })

/** One of a few words, spelled exactly so. */
export const oneOf = <const V extends string>(values: readonly V[], description: string): Schema<V> =>
  value({ type: 'string', enum: values, description })

export function object<const F extends Fields>(fields: F, description: string, narrow: Narrowing = {}): Schema<ObjectOf<F>> {
  const required = Object.keys(fields).filter(name => !isOptional(fields[name]!) && fields[name]!.structural.default === undefined)
  return value({
    type: 'object',
    description,
    ...narrow,
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.structural])),
  })
}

export const isOptional = (schema: Schema<unknown>): boolean => 'optional' in schema

/** The field may be missing. */
export const optional = <T>(schema: Schema<T>): Optional<T> => ({ ...schema, optional: true })

/** The field may be left out by whoever writes, and is there for whoever reads. */
export const defaulted = <T extends Json>(schema: Schema<T>, byDefault: T): Schema<T> => ({
  ...schema,
  structural: { ...schema.structural, default: byDefault },
})

/** A list that is replaced as a whole. */
export const array = <T>(items: Schema<T>, description: string, narrow: Narrowing = {}): Schema<readonly T[]> =>
  value({ type: 'array', description, ...narrow, items: items.structural, 'x-kubernetes-list-type': 'atomic' })

/** A list of different values; several writers may add theirs. */
export const set = <T extends string | number>(items: Schema<T>, description: string, narrow: Narrowing = {}): Schema<readonly T[]> =>
  value({ type: 'array', description, ...narrow, items: items.structural, 'x-kubernetes-list-type': 'set' })

/** A list of objects, each named by the values of `keys`; several writers may keep theirs. */
export const listMap = <T>(
  keys: readonly (keyof T & string)[],
  items: Schema<T>,
  description: string,
  narrow: Narrowing = {},
): Schema<readonly T[]> =>
  value({
    type: 'array',
    description,
    ...narrow,
    items: items.structural,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
  })

/** Any keys, values of one kind. */
export const map = <T>(values: Schema<T>, description: string, narrow: Narrowing = {}): Schema<Readonly<Record<string, T>>> =>
  value({ type: 'object', description, ...narrow, additionalProperties: values.structural })

/** Any JSON object; nothing in it is pruned or checked. */
export const anything = (description: string): Schema<Readonly<Record<string, unknown>>> =>
  value({ type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true })

/** A rule in CEL about a value and its fields, with what to say where it is broken. */
export const rule = <T>(schema: Schema<T>, cel: string, message: string): Schema<T> => ({
  ...schema,
  structural: {
    ...schema.structural,
    'x-kubernetes-validations': [...(schema.structural['x-kubernetes-validations'] ?? []), { rule: cel, message }],
  },
})

/** Once set, the value stays. Put `optional` around it, not inside. */
export const immutable = <T>(schema: Schema<T>, what: string): Schema<T> => rule(schema, 'self == oldSelf', `${what} cannot be changed`)
