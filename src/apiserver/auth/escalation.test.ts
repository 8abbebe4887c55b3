import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/status.ts'
import type { KubeObject } from '../../core/object.ts'
import type { User } from '../../ports/index.ts'
import { guardEscalation } from './escalation.ts'
import { allows, everything, type PolicyRule } from './policy-rule.ts'
import type { Rbac } from './rbac.ts'
import { rbacGroup } from './rbac-index.ts'
import { missingRules } from './rule-cover.ts'

const alice: User = { name: 'alice', groups: [] }
const readSecrets: PolicyRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] }

/** Alice holds these rules everywhere; these roles exist. */
const holding = (held: readonly PolicyRule[], roles: Record<string, readonly PolicyRule[]> = {}): Rbac => ({
  authorize: (_user, asked) => ({ allowed: held.some(rule => allows(rule, asked)), because: '' }),
  rulesOf: () => held,
  roleRules: ({ name }) => roles[name],
  close: () => {},
})

const object = (kind: string, more: object): KubeObject =>
  ({
    apiVersion: `${rbacGroup}/v1`,
    kind,
    metadata: { name: 'new', ...(kind.startsWith('Cluster') ? {} : { namespace: 'a' }) },
    ...more,
  }) as KubeObject
const role = (...rules: PolicyRule[]) => object('ClusterRole', { rules })
const binding = (name: string, more = {}) =>
  object('RoleBinding', { roleRef: { kind: 'ClusterRole', name }, subjects: [{ kind: 'User', name: 'eve' }], ...more })

function refusal(rbac: Rbac, wanted: KubeObject, old?: KubeObject): ApiError | undefined {
  try {
    guardEscalation(rbac)(alice, { group: rbacGroup, plural: `${wanted.kind.toLowerCase()}s` }, wanted, old)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

describe('guardEscalation()', () => {
  it('lets through what the author holds, and names what they do not', () => {
    expect(refusal(holding([readSecrets]), role({ ...readSecrets, verbs: ['get'] }))).toBeUndefined()
    const found = refusal(holding([readSecrets]), role({ ...readSecrets, verbs: ['get', 'delete'] }))
    expect(found?.code).toBe(403)
    expect(found?.message).toBe(
      'clusterroles.rbac.authorization.k8s.io "new" is forbidden: it would grant what user "alice" does not have: delete on secrets in API group ""',
    )
  })

  it('lets through changes that grant nothing new', () => {
    const old = role({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] })
    expect(refusal(holding([]), { ...old, metadata: { ...old.metadata, labels: { a: 'b' } } }, old)).toBeUndefined()
    expect(refusal(holding([]), binding('strong'), binding('strong'))).toBeUndefined()
  })

  it('lets those escalate who may', () => {
    const may: PolicyRule = { verbs: ['escalate'], apiGroups: [rbacGroup], resources: ['clusterroles'], resourceNames: ['new'] }
    expect(refusal(holding([may]), role(readSecrets))).toBeUndefined()
  })

  it('asks for everything where a role aggregates others', () => {
    const aggregating = object('ClusterRole', { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } })
    expect(refusal(holding([readSecrets]), aggregating)?.code).toBe(403)
    expect(refusal(holding(everything), aggregating)).toBeUndefined()
  })

  it('lets a binding through where its author holds the role’s rules or may bind it', () => {
    const roles = { strong: [readSecrets] }
    const may: PolicyRule = { verbs: ['bind'], apiGroups: [rbacGroup], resources: ['clusterroles'], resourceNames: ['strong'] }
    expect(refusal(holding([], roles), binding('strong'))?.code).toBe(403)
    expect(refusal(holding([readSecrets], roles), binding('strong'))).toBeUndefined()
    expect(refusal(holding([may], roles), binding('strong'))).toBeUndefined()
    expect(refusal(holding([may], roles), binding('missing'))?.code).toBe(404)
  })

  it('checks again when subjects are added', () => {
    const more = binding('strong', { subjects: [{ kind: 'User', name: 'mallory' }] })
    expect(refusal(holding([], { strong: [readSecrets] }), more, binding('strong'))?.code).toBe(403)
  })

  it('leaves other resources alone', () => {
    expect(() => guardEscalation(holding([]))(alice, { group: '', plural: 'secrets' }, role(readSecrets), undefined)).not.toThrow()
  })
})

describe('missingRules()', () => {
  const on = (resources: string[], more: Partial<PolicyRule> = {}): PolicyRule => ({ verbs: ['get'], apiGroups: [''], resources, ...more })
  it.each<[reason: string, held: PolicyRule, wanted: PolicyRule, missing: number]>([
    ['a star contains everything', on(['*'], { verbs: ['*'], apiGroups: ['*'] }), on(['pods/log', 'secrets']), 0],
    ['nothing but a star contains a star', on(['pods', 'secrets']), on(['*']), 1],
    ['a resource does not contain its subresource', on(['pods']), on(['pods/log']), 1],
    ['a star before a subresource contains that of each resource', on(['*/log']), on(['pods/log', '*/log', 'pods/exec']), 1],
    ['names contain themselves only', on(['pods'], { resourceNames: ['x'] }), on(['pods'], { resourceNames: ['x', 'y'] }), 1],
    ['names never contain all', on(['pods'], { resourceNames: ['x'] }), on(['pods']), 1],
    [
      'paths contain what begins with them',
      { verbs: ['get'], nonResourceURLs: ['/a*'] },
      { verbs: ['get'], nonResourceURLs: ['/a', '/ab', '/a/*', '*'] },
      1,
    ],
    ['verbs are counted one by one', on(['pods']), on(['pods'], { verbs: ['get', 'list', '*'] }), 2],
  ])('%s', (_reason, held, wanted, missing) => expect(missingRules([held], [wanted])).toHaveLength(missing))
})
