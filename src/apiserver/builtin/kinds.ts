import { structuralOf, typeOfKind } from '../../api/builtin/wire.ts'
import { apiVersionOf, type Resource, type Subresource } from '../resource.ts'

export const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const

type Given = Pick<Resource, 'group' | 'version' | 'kind' | 'plural' | 'namespaced'> & Partial<Resource>

/** A built-in kind: named by hand, its schema and wire type taken from the generated table. */
export function builtin(given: Given): Resource {
  const wireType = typeOfKind(apiVersionOf(given), given.kind)
  if (wireType === undefined) throw new Error(`Cannot serve ${given.kind}: the table of built-in types lacks it`)
  return {
    singular: given.kind.toLowerCase(),
    listKind: `${given.kind}List`,
    shortNames: [],
    categories: [],
    verbs: allVerbs,
    subresources: [],
    columns: [],
    hasStatus: given.subresources?.some(s => s.name === 'status') ?? false,
    hasGeneration: false,
    wireType,
    schema: structuralOf(wireType),
    ...given,
  }
}

export const statusOf = (kind: string): Subresource => ({ name: 'status', kind, verbs: ['get', 'patch', 'update'] })
