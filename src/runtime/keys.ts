import type { ObjectKey, ResourceRef } from '../ports/index.ts'

/** An object's name within its resource as one text: what queues and caches hold. */
export const keyText = ({ name, namespace }: ObjectKey): string => (namespace === undefined ? name : `${namespace}/${name}`)

export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/')
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) }
}

/** Names a resource, and the part of it that is meant. */
export const resourceText = ({ group, version, plural, part }: ResourceRef): string =>
  `${group}/${version}/${plural}${part ? ` (${[part.namespace, part.labels, part.fields].filter(Boolean).join(', ')})` : ''}`
