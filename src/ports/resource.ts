import type { Kind, Of } from '../api/kind.ts'
import type { ResourceRef } from './kube.ts'

/** Names the resource of one of our kinds; the compiler learns its objects' type with it. */
export const resourceOf = <K extends Kind>({ group, version, plural, scope }: K): ResourceRef<Of<K>> => ({
  group,
  version,
  plural,
  namespaced: scope === 'Namespaced',
})
