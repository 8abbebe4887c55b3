import type { Grant } from '../../ports/index.ts'

export interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

/** The rules of a role: one line per resource, everything once, in an order that never changes by itself. */
export function rulesOf(grants: readonly Grant[]): readonly PolicyRule[] {
  const verbs = new Map<string, Set<string>>()
  for (const grant of grants) {
    const key = JSON.stringify([grant.group, grant.resource])
    const known = verbs.get(key) ?? new Set()
    for (const verb of grant.verbs) known.add(verb)
    verbs.set(key, known)
  }
  return [...verbs]
    .map(([key, names]) => {
      const [group = '', resource = ''] = JSON.parse(key) as string[]
      return { apiGroups: [group], resources: [resource], verbs: [...names].toSorted() }
    })
    .toSorted((a, b) => `${a.apiGroups[0]}/${a.resources[0]}`.localeCompare(`${b.apiGroups[0]}/${b.resources[0]}`))
}

/** Rights in every namespace, and rights in the manager's own. */
export const split = (grants: readonly Grant[]): { readonly everywhere: readonly Grant[]; readonly manager: readonly Grant[] } => ({
  everywhere: grants.filter(({ within }) => within === undefined),
  manager: grants.filter(({ within }) => within === 'manager'),
})
