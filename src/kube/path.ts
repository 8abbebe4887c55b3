import { Fault } from '../core/fault.ts'
import type { ObjectKey, ResourceRef } from '../ports/index.ts'

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** `/apis/<group>/<version>/namespaces/<namespace>/<plural>`, the core group under `/api`. */
export function collectionPath(of: ResourceRef, namespace: string | undefined, query: Query = {}): string {
  const base = of.group === '' ? `/api/${of.version}` : `/apis/${of.group}/${of.version}`
  const within = of.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${base}${within}/${of.plural}${search(query)}`
}

export function objectPath(of: ResourceRef, key: ObjectKey, subresource?: string, query: Query = {}): string {
  // An empty name would turn the request for one object into one for all of them.
  if (key.name === '') throw new Fault('kube/no-name', `Cannot ask for one of ${of.plural}: its name is empty`, 'never')
  if (of.namespaced && !key.namespace) {
    throw new Fault('kube/no-namespace', `Cannot ask for "${key.name}" of ${of.plural}: it needs a namespace`, 'never')
  }
  const name = encodeURIComponent(key.name)
  return `${collectionPath(of, key.namespace)}/${name}${subresource === undefined ? '' : `/${subresource}`}${search(query)}`
}

function search(query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== false && value !== '') params.set(name, String(value))
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
