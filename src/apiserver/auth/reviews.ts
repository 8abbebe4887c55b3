import { ApiError } from '../../api/status.ts'
import { isObject } from '../../core/json.ts'
import type { Attributes, User } from '../../ports/index.ts'
import type { Rbac } from './rbac.ts'
import type { Tokens } from './tokens.ts'

type Spec = Readonly<Record<string, unknown>>
type Status = Readonly<Record<string, unknown>>

/** SelfSubjectReview: who am I. */
export const selfSubjectReview = (user: User): Status => ({ userInfo: userInfo(user) })

/** TokenReview: whose token is this. */
export async function tokenReview(tokens: Tokens, spec: Spec): Promise<Status> {
  const { token } = spec
  if (typeof token !== 'string' || token === '') throw new ApiError('BadRequest', 'Cannot review a token: spec.token is empty')
  const found = await tokens.verify(token, spec['audiences'] === undefined ? undefined : strings(spec['audiences']))
  if (!found)
    return { authenticated: false, user: {}, error: 'the token is malformed, expired, for other audiences, or what it is bound to is gone' }
  return { authenticated: true, user: userInfo(found.user), audiences: found.audiences }
}

/** SubjectAccessReview: may somebody do this. */
export function subjectAccessReview(rbac: Rbac, spec: Spec): Status {
  const name = text(spec['user'])
  const groups = strings(spec['groups'])
  if (name === '' && groups.length === 0) throw refuse('spec.user', 'at least one of user or groups must be given')
  return verdictOf(rbac, { name, groups, ...(spec['uid'] === undefined ? {} : { uid: text(spec['uid']) }) }, spec)
}

/** LocalSubjectAccessReview: the same inside the namespace that the request was made in. */
export function localSubjectAccessReview(rbac: Rbac, spec: Spec, namespace: string): Status {
  const asked = isObject(spec['resourceAttributes']) ? spec['resourceAttributes'] : undefined
  if (!asked || spec['nonResourceAttributes'] !== undefined)
    throw refuse('spec.resourceAttributes', 'a review in a namespace is about a resource')
  if (text(asked['namespace']) !== namespace)
    throw refuse('spec.resourceAttributes.namespace', `must be "${namespace}", the namespace of the review`)
  return subjectAccessReview(rbac, spec)
}

/** SelfSubjectAccessReview: may I do this. */
export const selfSubjectAccessReview = (rbac: Rbac, user: User, spec: Spec): Status => verdictOf(rbac, user, spec)

/** SelfSubjectRulesReview: all that I may do in a namespace. */
export function selfSubjectRulesReview(rbac: Rbac, user: User, spec: Spec): Status {
  const namespace = text(spec['namespace'])
  if (namespace === '') throw refuse('spec.namespace', 'a namespace must be given')
  const rules = rbac.rulesOf(user, namespace)
  return {
    resourceRules: rules
      .filter(rule => rule.apiGroups)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames ? { resourceNames } : {}),
      })),
    nonResourceRules: rules.filter(rule => rule.nonResourceURLs).map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
  }
}

function verdictOf(rbac: Rbac, user: User, spec: Spec): Status {
  const { allowed, because } = rbac.authorize(user, attributesIn(spec))
  // Kubernetes gives no reason for a plain no, and kubectl would print one behind it.
  return allowed ? { allowed, reason: because } : { allowed }
}

function attributesIn(spec: Spec): Attributes {
  const resource = isObject(spec['resourceAttributes']) ? spec['resourceAttributes'] : undefined
  const path = isObject(spec['nonResourceAttributes']) ? spec['nonResourceAttributes'] : undefined
  if (resource && !path) {
    const part = (name: string) => (text(resource[name]) === '' ? {} : { [name]: text(resource[name]) })
    return {
      verb: text(resource['verb']),
      group: text(resource['group']),
      resource: text(resource['resource']),
      ...part('version'),
      ...part('subresource'),
      ...part('namespace'),
      ...part('name'),
    }
  }
  if (path && !resource) return { verb: text(path['verb']), path: text(path['path']) }
  throw refuse('spec', 'exactly one of resourceAttributes and nonResourceAttributes must be given')
}

const userInfo = ({ name, uid, groups, extra }: User): Status => ({
  username: name,
  ...(uid === undefined ? {} : { uid }),
  groups,
  ...(extra === undefined ? {} : { extra }),
})

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter(item => typeof item === 'string') : [])

const refuse = (field: string, message: string): ApiError =>
  new ApiError('Invalid', `Cannot review this: ${field}: ${message}`, { causes: [{ reason: 'FieldValueInvalid', message, field }] })
