import { ApiError } from '../../api/status.ts'
import { isObject, sameJson } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { User } from '../../ports/index.ts'
import { everything, type PolicyRule, rulesIn } from './policy-rule.ts'
import type { Rbac } from './rbac.ts'
import { rbacGroup, roleRefOf } from './rbac-index.ts'
import { missingRules, printRule } from './rule-cover.ts'

type Target = { readonly group: string; readonly plural: string }

/**
 * Nobody grants what they do not have. A write to a role or binding passes where its author holds every rule that it would grant,
 * or may `escalate` (roles) or `bind` (bindings) that role. Throws Forbidden.
 */
export function guardEscalation(rbac: Rbac): (user: User, target: Target, object: KubeObject, old: KubeObject | undefined) => void {
  return (user, target, object, old) => {
    if (target.group !== rbacGroup) return
    if (target.plural === 'roles' || target.plural === 'clusterroles') guardRole(rbac, user, target, object, old)
    else if (target.plural === 'rolebindings' || target.plural === 'clusterrolebindings') guardBinding(rbac, user, target, object, old)
  }
}

function guardRole(rbac: Rbac, user: User, target: Target, role: KubeObject, old: KubeObject | undefined): void {
  const unchanged = old && sameJson(old['rules'], role['rules']) && sameJson(old['aggregationRule'], role['aggregationRule'])
  if (unchanged || may(rbac, user, 'escalate', target.plural, role.metadata.namespace, role.metadata.name)) return
  // Whoever aggregates grants what others will write later, so only those who have everything may.
  const selects = isObject(role['aggregationRule']) && !sameJson(old?.['aggregationRule'], role['aggregationRule'])
  refuseMissing(rbac, user, target, role, selects ? everything : rulesIn(role['rules']))
}

function guardBinding(rbac: Rbac, user: User, target: Target, binding: KubeObject, old: KubeObject | undefined): void {
  const unchanged = old && sameJson(old['roleRef'], binding['roleRef']) && sameJson(old['subjects'], binding['subjects'])
  const role = roleRefOf(binding)
  const namespace = binding.metadata.namespace
  const plural = role.kind === 'Role' ? 'roles' : 'clusterroles'
  if (unchanged || may(rbac, user, 'bind', plural, namespace, role.name)) return
  const rules = rbac.roleRules(role, namespace)
  if (!rules) {
    const group = rbacGroup
    throw new ApiError('NotFound', `${plural}.${group} "${role.name}" not found`, { name: role.name, group, kind: plural })
  }
  refuseMissing(rbac, user, target, binding, rules)
}

function may(rbac: Rbac, user: User, verb: string, resource: string, namespace: string | undefined, name: string): boolean {
  return rbac.authorize(user, { verb, group: rbacGroup, resource, name, ...(namespace === undefined ? {} : { namespace }) }).allowed
}

const shown = 10

function refuseMissing(rbac: Rbac, user: User, target: Target, object: KubeObject, wanted: readonly PolicyRule[]): void {
  const missing = missingRules(rbac.rulesOf(user, object.metadata.namespace), wanted)
  if (missing.length === 0) return
  const list = missing.slice(0, shown).map(printRule).join('; ')
  const more = missing.length > shown ? `; and ${missing.length - shown} more` : ''
  const { name } = object.metadata
  throw new ApiError(
    'Forbidden',
    `${target.plural}.${target.group} "${name}" is forbidden: it would grant what user "${user.name}" does not have: ${list}${more}`,
    { name, group: target.group, kind: target.plural },
  )
}
