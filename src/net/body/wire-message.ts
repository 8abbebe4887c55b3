import { type Scalar, type WireField, type WireType, wireType } from '../../api/builtin/wire.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { forbiddenKey, type Limits, malformed, refuseKey, tooDeep, tooManyKeys } from './limits.ts'
import { delimited, type WireReader } from './wire-reader.ts'
import { readScalar, wireOf, zeroOf } from './wire-scalars.ts'

type Target = Record<string, Json>

/** Reads a message of a built-in type as Go's JSON encoding would show it, without its nulls. */
export function readMessage(reader: WireReader, type: WireType, limits: Limits): JsonObject {
  const object: Target = {}
  new MessageReader(limits).read(reader, type, object, 1)
  return object
}

class MessageReader {
  readonly #limits: Limits
  /** Messages and map entries so far: two bytes on the wire may become a large object here. */
  #made = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Reads into `object`, which may hold an earlier part of the same message: protobuf merges those. */
  read(reader: WireReader, type: WireType, object: Target, depth: number): void {
    this.#count(depth)
    while (!reader.done) {
      const { number, wire } = reader.tag()
      const field = type.fields.find(f => f.number === number)
      if (field) this.#field(reader, wire, field, object, depth)
      else reader.skip(wire)
    }
    this.#complete(type, object, depth)
  }

  #field(reader: WireReader, wire: number, field: WireField, object: Target, depth: number): void {
    const name = field.name ?? ''
    if (field.inline) {
      this.read(message(reader, wire, field), typeOf(field), object, depth + 1)
    } else if (field.map) {
      const map = held(object, name, () => ({}) as Target)
      this.#entry(message(reader, wire, field), field, map, depth)
    } else if (field.list) {
      this.#element(
        reader,
        wire,
        field,
        held(object, name, () => [] as Json[]),
        depth,
      )
    } else {
      put(object, field, name, this.#value(reader, wire, field, depth, object[name]))
    }
  }

  #element(reader: WireReader, wire: number, field: WireField, list: Json[], depth: number): void {
    const packed = wire === delimited && isScalar(field) && wireOf(field.type as Scalar) !== delimited
    if (!packed) {
      list.push(this.#value(reader, wire, field, depth, undefined) ?? null)
      return
    }
    for (const inner = reader.message(); !inner.done; )
      list.push(this.#value(inner, wireOf(field.type as Scalar), field, depth, undefined) ?? null)
  }

  #entry(reader: WireReader, field: WireField, map: Target, depth: number): void {
    this.#count(depth)
    let key = ''
    let value: Json | undefined
    while (!reader.done) {
      const { number, wire } = reader.tag()
      if (number === 1 && wire === delimited) key = reader.text()
      else if (number === 2) value = this.#value(reader, wire, field, depth, undefined)
      else reader.skip(wire)
    }
    if (key === forbiddenKey) throw refuseKey('protobuf')
    if (value === undefined) value = isScalar(field) ? zeroOfElement(field) : this.#empty(field, depth)
    map[key] = value
  }

  #value(reader: WireReader, wire: number, field: WireField, depth: number, before: Json | undefined): Json | undefined {
    if (isScalar(field)) {
      if (wire !== wireOf(field.type as Scalar)) throw mismatch(field, wire)
      return readScalar(reader, field.type as Scalar)
    }
    const object = (before ?? {}) as Target
    this.read(message(reader, wire, field), typeOf(field), object, depth + 1)
    return object
  }

  #empty(field: WireField, depth: number): Target {
    const object: Target = {}
    this.#count(depth + 1)
    this.#complete(typeOf(field), object, depth + 1)
    return object
  }

  /** Adds what Go always shows: plain structs, and zero values whose tag does not say omitempty. */
  #complete(type: WireType, object: Target, depth: number): void {
    for (const field of type.fields) {
      if (field.pointer || field.list || field.map) continue
      if (field.inline) {
        this.#complete(typeOf(field), object, depth)
      } else if (field.name !== undefined && object[field.name] === undefined) {
        if (!isScalar(field)) object[field.name] = this.#empty(field, depth)
        else if (!field.omitEmpty) {
          const zero = zeroOf(field.type as Scalar)
          if (zero !== undefined) object[field.name] = zero
        }
      }
    }
  }

  #count(depth: number): void {
    if (depth > this.#limits.depth) throw tooDeep('protobuf', this.#limits)
    if (++this.#made > this.#limits.keys) throw tooManyKeys('protobuf', this.#limits)
  }
}

const scalarNames: readonly string[] = [
  'string',
  'bool',
  'int32',
  'int64',
  'double',
  'bytes',
  'time',
  'microTime',
  'duration',
  'quantity',
  'intOrString',
  'raw',
  'strings',
] satisfies Scalar[]
const isScalar = (field: WireField): boolean => scalarNames.includes(field.type)

const typeOf = (field: WireField): WireType => wireType(field.type) ?? { fields: [] }

const mismatch = (field: WireField, wire: number) => malformed('protobuf', `field ${field.name ?? field.number} has the wire type ${wire}`)

function message(reader: WireReader, wire: number, field: WireField): WireReader {
  if (wire !== delimited) throw mismatch(field, wire)
  return reader.message()
}

function held<T extends Json | Json[] | Target>(object: Target, name: string, make: () => T): T {
  if (object[name] === undefined) object[name] = make() as Json
  return object[name] as T
}

/** A value in a map that was left out on the wire is the zero value, which for bytes and times Go shows as "" and null. */
const zeroOfElement = (field: WireField): Json =>
  zeroOf(field.type as Scalar) ?? (field.type === 'strings' ? [] : field.type === 'bytes' ? '' : null)

function put(object: Target, field: WireField, name: string, value: Json | undefined): void {
  const left = value === undefined || (field.omitEmpty && !field.pointer && isZero(field, value))
  if (left) delete object[name]
  else object[name] = value
}

function isZero(field: WireField, value: Json): boolean {
  switch (field.type) {
    case 'string':
    case 'bytes':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'double':
      return !value
    case 'strings':
      return Array.isArray(value) && value.length === 0
    default:
      return false
  }
}
