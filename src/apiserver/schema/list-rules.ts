import type { Cause } from '../../api/status.ts'
import type { Structural } from '../../api/structural.ts'
import { isObject } from '../../core/json.ts'
import { duplicate, forbidden, invalid, notSupported, required } from './cause.ts'

const listTypes = ['atomic', 'set', 'map']
const mapTypes = ['atomic', 'granular']
const isScalar = (schema: Structural): boolean =>
  (schema.type !== 'object' && schema.type !== 'array' && schema.type !== undefined) || schema['x-kubernetes-int-or-string'] === true

export function checkListType(schema: Structural, field: string, causes: Cause[]): void {
  const listType = schema['x-kubernetes-list-type']
  const keys = schema['x-kubernetes-list-map-keys']
  if (listType === undefined) {
    if (keys !== undefined)
      causes.push(forbidden(`${field}.x-kubernetes-list-map-keys`, 'must be empty if x-kubernetes-list-type is not map'))
    return
  }
  if (!listTypes.includes(listType)) causes.push(notSupported(`${field}.x-kubernetes-list-type`, listType, listTypes))
  if (schema.type !== 'array')
    causes.push(invalid(`${field}.type`, schema.type ?? '', 'must be array if x-kubernetes-list-type is specified'))
  const items = isObject(schema.items) ? schema.items : undefined
  if (listType === 'map') checkKeys(items, keys ?? [], field, causes)
  else if (keys !== undefined)
    causes.push(forbidden(`${field}.x-kubernetes-list-map-keys`, 'must be empty if x-kubernetes-list-type is not map'))
  if (listType === 'set' && items) checkSetItems(items, `${field}.items`, causes)
}

function checkSetItems(items: Structural, field: string, causes: Cause[]): void {
  if (items.nullable) causes.push(forbidden(`${field}.nullable`, 'cannot be nullable when x-kubernetes-list-type is set'))
  const whole =
    (items.type === 'object' && items['x-kubernetes-map-type'] === 'atomic') ||
    (items.type === 'array' && (items['x-kubernetes-list-type'] ?? 'atomic') === 'atomic')
  if (!isScalar(items) && !whole)
    causes.push(invalid(`${field}.type`, items.type ?? '', 'items of a set must be scalars, or lists and objects that are atomic'))
}

function checkKeys(items: Structural | undefined, keys: readonly string[], field: string, causes: Cause[]): void {
  const at = `${field}.x-kubernetes-list-map-keys`
  if (keys.length === 0) causes.push(required(at, 'must not be empty if x-kubernetes-list-type is map'))
  if (!items) return
  if (items.type !== 'object')
    causes.push(invalid(`${field}.items.type`, items.type ?? '', 'must be object if parent array has x-kubernetes-list-type map'))
  if (items.nullable) causes.push(forbidden(`${field}.items.nullable`, 'cannot be nullable when x-kubernetes-list-type is map'))
  const seen = new Set<string>()
  keys.forEach((key, index) => {
    if (seen.has(key)) causes.push(duplicate(`${at}[${index}]`, key))
    seen.add(key)
    const property = items.properties && Object.hasOwn(items.properties, key) ? items.properties[key] : undefined
    if (!property) {
      causes.push(invalid(`${at}[${index}]`, key, 'entries must all be names of item properties'))
      return
    }
    const propertyField = `${field}.items.properties[${key}]`
    if (!isScalar(property))
      causes.push(
        invalid(`${propertyField}.type`, property.type ?? '', 'must be a scalar type if parent array has x-kubernetes-list-type map'),
      )
    if (property.nullable) causes.push(forbidden(`${propertyField}.nullable`, 'cannot be nullable as an x-kubernetes-list-map-keys entry'))
    if (property.default === undefined && !items.required?.includes(key)) {
      causes.push(
        required(
          `${propertyField}.default`,
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        ),
      )
    }
  })
}

export function checkMapType(schema: Structural, field: string, causes: Cause[]): void {
  const mapType = schema['x-kubernetes-map-type']
  if (mapType === undefined) return
  if (!mapTypes.includes(mapType)) causes.push(notSupported(`${field}.x-kubernetes-map-type`, mapType, mapTypes))
  if (schema.type !== 'object')
    causes.push(invalid(`${field}.type`, schema.type ?? '', 'must be object if x-kubernetes-map-type is specified'))
}
