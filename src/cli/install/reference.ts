import type { KubeObject } from '../../core/object.ts'
import type { ObjectKey, ResourceRef } from '../../ports/index.ts'

/** Where an object of ours is in the API. Kinds whose plural is irregular are not among them. */
export function referenceOf({ apiVersion, kind, metadata }: KubeObject): { readonly of: ResourceRef; readonly key: ObjectKey } {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const word = kind.toLowerCase()
  const plural = word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`
  const { name, namespace } = metadata
  return {
    of: { group, version, plural, namespaced: namespace !== undefined },
    key: { name, ...(namespace === undefined ? {} : { namespace }) },
  }
}
