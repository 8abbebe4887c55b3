import { type Scalar, scalars, type WireField, type WireType, wireType } from '../../api/builtin/wire.ts'
import { type GroupVersionKind, gvkOf, refWith } from './names.ts'

export type Components = Record<string, object>

/** Adds a built-in type and everything it refers to, each under its own name. Merge keys are shown: kubectl computes patches from them. */
export function addWireType(name: string, components: Components, gvks: readonly GroupVersionKind[] = []): void {
  if (Object.hasOwn(components, name)) return
  const type = wireType(name)
  if (!type) throw new Error(`Cannot describe ${name}: there is no such built-in type`)
  const required: string[] = []
  const properties: Record<string, object> = gvks.length > 0 ? { apiVersion: { type: 'string' }, kind: { type: 'string' } } : {}
  components[name] = {
    type: 'object',
    properties,
    ...(type.atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    ...(gvks.length > 0 ? { 'x-kubernetes-group-version-kind': gvks.map(gvkOf) } : {}),
  }
  addFields(type, properties, required, components)
  if (required.length > 0) Object.assign(components[name], { required })
}

function addFields(type: WireType, properties: Record<string, object>, required: string[], components: Components): void {
  for (const field of type.fields) {
    if (field.name === undefined || field.inline) {
      const inlined = wireType(field.type)
      if (inlined) addFields(inlined, properties, required, components)
      continue
    }
    properties[field.name] = fieldSchema(field, components)
    if (!field.optional) required.push(field.name)
  }
}

function fieldSchema(field: WireField, components: Components): object {
  const strategy = field.patchStrategy === undefined ? {} : { 'x-kubernetes-patch-strategy': field.patchStrategy }
  const key = field.patchMergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': field.patchMergeKey }
  const more = {
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.mapType ? { 'x-kubernetes-map-type': field.mapType } : {}),
  }
  const element = valueSchema(field, components, field.list || field.map ? {} : { ...more, ...strategy })
  if (field.map)
    return { type: 'object', additionalProperties: field.list ? { type: 'array', items: element } : element, ...more, ...strategy }
  if (!field.list) return element
  return {
    type: 'array',
    items: element,
    ...(field.listType ? { 'x-kubernetes-list-type': field.listType } : {}),
    ...(field.listKeys ? { 'x-kubernetes-list-map-keys': field.listKeys } : {}),
    ...more,
    ...strategy,
    ...key,
  }
}

/** As OpenAPI documents say it, where that differs from a CRD's dialect. */
const shown: Readonly<Record<Scalar, object>> = {
  ...scalars,
  intOrString: { oneOf: [{ type: 'integer' }, { type: 'string' }], format: 'int-or-string', 'x-kubernetes-int-or-string': true },
  raw: { type: 'object' },
}

function valueSchema(field: WireField, components: Components, more: object): object {
  if (Object.hasOwn(shown, field.type)) return { ...shown[field.type as Scalar], ...more }
  addWireType(field.type, components)
  return refWith(field.type, more)
}
