import type { Cause } from '../../api/status.ts'
import type { Structural } from '../../api/structural.ts'
import { isObject, sameJson } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import { notSupported, required, wrongType } from './cause.ts'
import { collectionChecks } from './collection.ts'
import { junctorChecks } from './junctors.ts'
import { objectMetaSchema } from './object-meta.ts'
import { complain, type Run, type Step, startRun } from './run.ts'
import { type Check, scalarChecks } from './scalar.ts'
import { listShape, objectShape, typeName } from './shape.ts'

export interface CompiledSchema {
  /** Prunes, fills in defaults and checks. `object` is a new value only where something changed. */
  check(object: KubeObject): Checked
  /** Prunes and fills in defaults without judging: for objects stored under an older schema. */
  refresh(object: KubeObject): KubeObject
}

export interface Checked {
  readonly object: KubeObject
  readonly causes: readonly Cause[]
  readonly unknown: readonly string[]
}

export interface SchemaOptions {
  /** Kubernetes' own kinds tolerate twins in lists that are declared sets or maps (two variables of one name in a container). */
  readonly toleratesTwins?: boolean
}

/** Turns the schema of a whole kind into closures, once. apiVersion, kind and metadata are known without being listed. */
export function compileSchema(schema: Structural, options: SchemaOptions = {}): CompiledSchema {
  const whole: Structural = { ...schema, type: 'object', 'x-kubernetes-embedded-resource': true }
  const step = compile(whole, { inner: false, twins: options.toleratesTwins === true, begun: new Map() })
  return {
    check(object) {
      const run = startRun(true)
      const result = step(object, run)
      return { object: result as KubeObject, causes: run.causes, unknown: run.unknown.sort() }
    },
    refresh: object => step(object, startRun(false)) as KubeObject,
  }
}

/** Judges one value against a schema of its own: defaults in CRDs, and tests. */
export function checkValue(
  schema: Structural,
  value: unknown,
  at: string,
): { readonly value: unknown; readonly causes: readonly Cause[]; readonly unknown: readonly string[] } {
  const run = startRun(true)
  if (at !== '') run.path.push(at)
  const result = compile(schema, outer())(value, run)
  return { value: result, causes: run.causes, unknown: run.unknown }
}

interface Mode {
  /** Inside anyOf and its like a schema only looks: nothing is pruned or filled in. */
  readonly inner: boolean
  readonly twins: boolean
  /** Schemas under way: one that contains itself (that of schemas) refers back instead of going round for ever. */
  readonly begun: Map<Structural, { step?: Step }>
}
const outer = (): Mode => ({ inner: false, twins: false, begun: new Map() })

const judging = (mode: Mode): Mode => ({ ...mode, inner: true, begun: mode.inner ? mode.begun : new Map() })

function compile(schema: Structural, mode: Mode): Step {
  const begun = mode.begun.get(schema)
  if (begun) return begun.step ?? ((value, run) => begun.step!(value, run))
  const entry: { step?: Step } = {}
  mode.begun.set(schema, entry)
  entry.step = compileNode(schema, mode)
  return entry.step
}

function compileNode(schema: Structural, mode: Mode): Step {
  const { inner } = mode
  const embedded = schema['x-kubernetes-embedded-resource'] === true && !inner
  const whole = embedded ? withResourceFields(schema) : schema
  const fits = typeCheck(schema)
  const expected = schema['x-kubernetes-int-or-string'] ? 'integer,string' : (schema.type ?? '')
  const shapeObject = objectShape(whole, (property, name) => compileField(property, name, embedded, schema, mode), inner)
  const shapeList = listShape(schema, item => compile(item, mode))
  const checks = valueChecks(schema, embedded, mode)

  return (value, run) => {
    if (value === null && schema.nullable) return value
    if (!fits(value)) {
      if (run.judging) complain(run, field => wrongType(field, expected, typeName(value)))
      return value
    }
    const result = isObject(value) ? shapeObject(value, run) : Array.isArray(value) ? shapeList(value, run) : value
    if (run.judging) for (const check of checks) check(result, run)
    return result
  }
}

/** Metadata has Kubernetes' own schema; what a CRD says about it (a pattern for names) is judged on top. */
function compileField(property: Structural, name: string | undefined, embedded: boolean, parent: Structural, mode: Mode): Step {
  if (!embedded || name !== 'metadata') return compile(property, mode)
  const own = parent.properties?.['metadata']
  const step = compile(objectMetaSchema, outer())
  if (!own) return step
  const judge = compile(own, judging(mode))
  return (value, run) => {
    const result = step(value, run)
    if (run.judging) judge(result, run)
    return result
  }
}

const withResourceFields = (schema: Structural): Structural => ({
  ...schema,
  properties: {
    ...schema.properties,
    apiVersion: { ...schema.properties?.['apiVersion'], type: 'string' },
    kind: { ...schema.properties?.['kind'], type: 'string' },
    metadata: objectMetaSchema,
  },
})

function typeCheck(schema: Structural): (value: unknown) => boolean {
  if (schema['x-kubernetes-int-or-string']) return value => typeof value === 'string' || Number.isInteger(value)
  switch (schema.type) {
    case undefined:
      return () => true
    case 'object':
      return isObject
    case 'array':
      return Array.isArray
    case 'integer':
      return Number.isInteger
    case 'number':
      return value => typeof value === 'number' && Number.isFinite(value)
    case 'string':
      return value => typeof value === 'string'
    case 'boolean':
      return value => typeof value === 'boolean'
    default:
      schema.type satisfies never
      return () => false
  }
}

function valueChecks(schema: Structural, embedded: boolean, mode: Mode): readonly Check[] {
  const checks: Check[] = []
  if (schema.enum) checks.push(enumCheck(schema.enum))
  checks.push(
    ...scalarChecks(schema),
    ...collectionChecks(schema, mode.twins),
    ...junctorChecks(schema, junctor => compile(junctor, judging(mode))),
  )
  if (embedded) checks.push(resourceCheck)
  return checks
}

function enumCheck(allowed: readonly unknown[]): Check {
  return (value: unknown, run: Run) => {
    if (allowed.includes(value) || allowed.some(one => sameJson(one, value))) return
    complain(run, field => notSupported(field, value, allowed))
  }
}

const resourceCheck: Check = (value, run) => {
  if (!isObject(value)) return
  for (const name of ['apiVersion', 'kind']) {
    if (!Object.hasOwn(value, name)) complain(run, field => required(field), name)
    else if (value[name] === '') complain(run, field => required(field, 'must not be empty'), name)
  }
}
