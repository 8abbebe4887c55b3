import type { Structural } from '../../api/structural.ts'
import { canonical } from '../../core/canonical.ts'
import { isObject } from '../../core/json.ts'
import { duplicate, invalid, required, tooMany } from './cause.ts'
import { complain, type Run } from './run.ts'
import type { Check } from './scalar.ts'

/** Checks on lists and objects as a whole: how many, which, and that none is there twice. */
export const collectionChecks = (schema: Structural, toleratesTwins: boolean): readonly Check[] => [
  ...listChecks(schema, toleratesTwins),
  ...objectChecks(schema),
]

function listChecks(schema: Structural, toleratesTwins: boolean): readonly Check[] {
  const checks: ((list: readonly unknown[], run: Run) => void)[] = []
  const { minItems, maxItems, uniqueItems } = schema
  const listType = toleratesTwins ? 'atomic' : schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys'] ?? []

  if (minItems !== undefined) {
    checks.push((list, run) => {
      if (list.length < minItems)
        complain(run, field => invalid(field, list.length, `${field} in body should have at least ${minItems} items`))
    })
  }
  if (maxItems !== undefined) {
    checks.push((list, run) => {
      if (list.length > maxItems) complain(run, field => tooMany(field, list.length, maxItems))
    })
  }
  if (uniqueItems) {
    checks.push((list, run) => {
      if (firstTwin(list.map(canonical)) >= 0) complain(run, field => invalid(field, '', `${field} in body shouldn't contain duplicates`))
    })
  }
  if (listType === 'set') checks.push((list, run) => refuseTwins(list, list, run))
  if (listType === 'map')
    checks.push((list, run) =>
      refuseTwins(
        list.map(item => keyOf(item, keys)),
        list,
        run,
      ),
    )
  return checks.map(check => (value, run) => {
    if (Array.isArray(value)) check(value, run)
  })
}

/** Two items are twins when their identities are equal; lists of scalars identify by themselves. */
function refuseTwins(identities: readonly unknown[], list: readonly unknown[], run: Run): void {
  const seen = new Set<string>()
  for (let at = 0; at < list.length; at++) {
    const identity = canonical(identities[at])
    if (seen.has(identity)) complain(run, field => duplicate(field, identities[at]), at)
    seen.add(identity)
  }
}

function keyOf(item: unknown, keys: readonly string[]): unknown {
  if (!isObject(item)) return item
  const key: Record<string, unknown> = {}
  for (const name of keys) if (Object.hasOwn(item, name)) key[name] = item[name]
  return key
}

function firstTwin(identities: readonly string[]): number {
  const seen = new Set<string>()
  for (let at = 0; at < identities.length; at++) {
    const identity = identities[at]!
    if (seen.has(identity)) return at
    seen.add(identity)
  }
  return -1
}

function objectChecks(schema: Structural): readonly Check[] {
  const checks: ((object: Record<string, unknown>, run: Run) => void)[] = []
  const { minProperties, maxProperties } = schema
  const must = schema.required ?? []

  if (must.length > 0) {
    checks.push((object, run) => {
      for (const name of must) {
        if (!Object.hasOwn(object, name) || object[name] === undefined) complain(run, field => required(field), name)
      }
    })
  }
  if (minProperties !== undefined) {
    checks.push((object, run) => {
      const count = Object.keys(object).length
      if (count < minProperties)
        complain(run, field => invalid(field, count, `${field} in body should have at least ${minProperties} properties`))
    })
  }
  if (maxProperties !== undefined) {
    checks.push((object, run) => {
      const count = Object.keys(object).length
      if (count > maxProperties) complain(run, field => tooMany(field, count, maxProperties))
    })
  }
  return checks.map(check => (value, run) => {
    if (isObject(value)) check(value, run)
  })
}
