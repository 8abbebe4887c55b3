import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import { type LabelSelector, type Selector, selectorOf, selects } from '../../core/selector.ts'
import type { User } from '../../ports/index.ts'
import type { World } from '../world/world.ts'
import { type PolicyRule, rulesIn } from './policy-rule.ts'

export const rbacGroup = 'rbac.authorization.k8s.io'

export interface RoleRef {
  readonly kind: string
  readonly name: string
}

/** One binding that reaches a subject. `namespace` is missing for ClusterRoleBindings. */
export interface Grant {
  readonly binding: string
  readonly namespace?: string
  readonly role: RoleRef
  readonly subject: string
  readonly rules: readonly PolicyRule[]
}

/** All roles and bindings, turned around: from who asks to what is granted. */
export interface RbacIndex {
  grantsOf(user: User): readonly Grant[]
  /** Undefined where there is no such role. */
  rulesOf(role: RoleRef, namespace: string | undefined): readonly PolicyRule[] | undefined
}

export function buildIndex(world: Pick<World, 'list'>): RbacIndex {
  const objects = (plural: string) => world.list(`${rbacGroup}/${plural}`).map(entry => entry.object)
  const clusterRoles = new Map(objects('clusterroles').map(role => [role.metadata.name, role]))
  const roles = new Map(objects('roles').map(role => [`${role.metadata.namespace}/${role.metadata.name}`, rulesIn(role['rules'])]))
  const resolved = new Map<string, readonly PolicyRule[]>()

  const clusterRules = (role: KubeObject): readonly PolicyRule[] => {
    const name = role.metadata.name
    const known = resolved.get(name)
    if (known) return known
    const rules = aggregated(role, [...clusterRoles.values()])
    resolved.set(name, rules)
    return rules
  }
  const rulesOf = (ref: RoleRef, namespace: string | undefined): readonly PolicyRule[] | undefined => {
    if (ref.kind === 'Role') return namespace === undefined ? undefined : roles.get(`${namespace}/${ref.name}`)
    const role = ref.kind === 'ClusterRole' ? clusterRoles.get(ref.name) : undefined
    return role && clusterRules(role)
  }

  const bySubject = new Map<string, Grant[]>()
  for (const binding of [...objects('clusterrolebindings'), ...objects('rolebindings')]) {
    const namespace = binding.metadata.namespace
    const role = roleRefOf(binding)
    const rules = rulesOf(role, namespace)
    if (!rules) continue
    for (const subject of subjectsOf(binding)) {
      const grant = { binding: binding.metadata.name, role, subject, rules, ...(namespace === undefined ? {} : { namespace }) }
      const known = bySubject.get(subject)
      if (known) known.push(grant)
      else bySubject.set(subject, [grant])
    }
  }
  return {
    rulesOf,
    grantsOf: user => [`User ${user.name}`, ...new Set(user.groups.map(group => `Group ${group}`))].flatMap(s => bySubject.get(s) ?? []),
  }
}

export function roleRefOf(binding: KubeObject): RoleRef {
  const ref = isObject(binding['roleRef']) ? binding['roleRef'] : {}
  return { kind: String(ref['kind'] ?? ''), name: String(ref['name'] ?? '') }
}

function subjectsOf(binding: KubeObject): readonly string[] {
  const subjects = Array.isArray(binding['subjects']) ? binding['subjects'].filter(isObject) : []
  return subjects.flatMap(({ kind, name, namespace }) => {
    if (typeof name !== 'string' || name === '') return []
    if (kind === 'User' || kind === 'Group') return [`${kind} ${name}`]
    const home = typeof namespace === 'string' && namespace !== '' ? namespace : binding.metadata.namespace
    return kind === 'ServiceAccount' && home !== undefined ? [`User system:serviceaccount:${home}:${name}`] : []
  })
}

/**
 * The rules of a ClusterRole. One with an aggregationRule has those of all roles that it selects, and of the ones they select,
 * instead of its own; Kubernetes keeps such roles filled by a controller, here they are filled when they are looked at.
 */
export function aggregated(role: KubeObject, all: readonly KubeObject[], above: readonly KubeObject[] = []): readonly PolicyRule[] {
  const selectors = selectorsOf(role)
  if (!selectors) return rulesIn(role['rules'])
  return all
    .filter(other => other !== role && !above.includes(other) && selectors.some(s => selects(s, other.metadata.labels)))
    .flatMap(other => aggregated(other, all, [...above, role]))
}

/** Undefined where nothing is aggregated. A selector that cannot be read selects nothing: one bad role must not stop all decisions. */
function selectorsOf(role: KubeObject): readonly Selector[] | undefined {
  const rule = role['aggregationRule']
  const selectors = isObject(rule) ? rule['clusterRoleSelectors'] : undefined
  if (!Array.isArray(selectors) || selectors.length === 0) return undefined
  return selectors.filter(isObject).flatMap(selector => {
    try {
      return [selectorOf(selector as LabelSelector)]
    } catch {
      return []
    }
  })
}
