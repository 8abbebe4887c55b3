import type { Attributes, User, Verdict } from '../../ports/index.ts'
import type { World } from '../world/world.ts'
import { allows, everything, type PolicyRule } from './policy-rule.ts'
import { buildIndex, type Grant, type RbacIndex, type RoleRef, rbacGroup } from './rbac-index.ts'

/** Members may do everything; no role or binding can take that away. */
export const mastersGroup = 'system:masters'

export interface Rbac {
  authorize(user: User, asked: Attributes): Verdict
  /** Every rule that holds for the user in a namespace; without one, those that hold everywhere. */
  rulesOf(user: User, namespace: string | undefined): readonly PolicyRule[]
  /** What a role grants, or undefined where there is none of that name. */
  roleRules(role: RoleRef, namespace: string | undefined): readonly PolicyRule[] | undefined
  close(): void
}

/** Decides by the roles and bindings in the world. The index is made anew at the first question after one of them changed. */
export function openRbac(world: Pick<World, 'list' | 'observe'>): Rbac {
  let index: RbacIndex | undefined
  const close = world.observe(changes => {
    if (changes.some(change => change.entry.resource.startsWith(`${rbacGroup}/`))) index = undefined
  })
  const now = (): RbacIndex => {
    index ??= buildIndex(world)
    return index
  }
  return {
    close,
    authorize: (user, asked) => (user.groups.includes(mastersGroup) ? master : decide(now().grantsOf(user), user, asked)),
    rulesOf: (user, namespace) =>
      user.groups.includes(mastersGroup)
        ? everything
        : now()
            .grantsOf(user)
            .filter(grant => grant.namespace === undefined || grant.namespace === namespace)
            .flatMap(grant => (grant.namespace === undefined ? grant.rules : grant.rules.filter(rule => rule.apiGroups))),
    roleRules: (role, namespace) => now().rulesOf(role, namespace),
  }
}

const master: Verdict = { allowed: true, because: `members of ${mastersGroup} may do everything` }

function decide(grants: readonly Grant[], user: User, asked: Attributes): Verdict {
  const namespace = 'path' in asked ? undefined : asked.namespace
  for (const grant of grants) {
    if (grant.namespace !== undefined && (grant.namespace !== namespace || 'path' in asked)) continue
    if (grant.rules.some(rule => allows(rule, asked))) return { allowed: true, because: printGrant(grant) }
  }
  return { allowed: false, because: `no role that is bound to user "${user.name}" or its groups allows it` }
}

function printGrant({ binding, namespace, role, subject }: Grant): string {
  const what = namespace === undefined ? `ClusterRoleBinding "${binding}"` : `RoleBinding "${namespace}/${binding}"`
  const [kind, ...name] = subject.split(' ')
  return `${what} gives ${role.kind} "${role.name}" to ${kind} "${name.join(' ')}"`
}
