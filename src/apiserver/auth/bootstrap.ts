import type { KubeObject } from '../../core/object.ts'
import { everything, type PolicyRule } from './policy-rule.ts'
import { rbacGroup } from './rbac-index.ts'

/** The roles and bindings that every server begins with. Names, labels and reach are Kubernetes' own, for the kinds served here. */
export const bootstrapObjects = (): readonly KubeObject[] => [...roles(), ...bindings()]

const roles = (): readonly KubeObject[] => [
  clusterRole('cluster-admin', everything),
  aggregate('admin'),
  aggregate('edit', 'admin'),
  aggregate('view', 'edit'),
  clusterRole('system:aggregate-to-admin', adminRules, 'admin'),
  clusterRole('system:aggregate-to-edit', editRules, 'edit'),
  clusterRole('system:aggregate-to-view', viewRules, 'view'),
  clusterRole('system:basic-user', [
    rule(['create'], 'authorization.k8s.io', ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']),
    rule(['create'], 'authentication.k8s.io', ['selfsubjectreviews']),
  ]),
  clusterRole('system:discovery', [
    paths('/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez', '/openapi', '/openapi/*', '/readyz', '/version', '/version/'),
  ]),
  clusterRole('system:public-info-viewer', [paths('/healthz', '/livez', '/readyz', '/version', '/version/')]),
  clusterRole('system:service-account-issuer-discovery', [
    paths('/.well-known/openid-configuration', '/.well-known/openid-configuration/', '/openid/v1/jwks', '/openid/v1/jwks/'),
  ]),
]

const bindings = (): readonly KubeObject[] => [
  binding('cluster-admin', 'system:masters'),
  binding('system:basic-user', 'system:authenticated'),
  binding('system:discovery', 'system:authenticated'),
  binding('system:public-info-viewer', 'system:authenticated', 'system:unauthenticated'),
  binding('system:service-account-issuer-discovery', 'system:serviceaccounts'),
]

const read = ['get', 'list', 'watch']
const change = ['create', 'delete', 'deletecollection', 'patch', 'update']

const rule = (verbs: readonly string[], group: string, resources: readonly string[]): PolicyRule => ({
  verbs,
  apiGroups: [group],
  resources,
})
const paths = (...nonResourceURLs: readonly string[]): PolicyRule => ({ verbs: ['get'], nonResourceURLs })

/** Secrets are not here: reading them would show tokens, and so lead beyond reading. */
const viewRules = [
  rule(read, '', ['configmaps', 'serviceaccounts', 'events', 'namespaces']),
  rule(read, 'events.k8s.io', ['events']),
  rule(read, 'batch', ['jobs', 'jobs/status']),
]

const editRules = [
  rule([...read, ...change], '', ['secrets']),
  rule(change, '', ['configmaps', 'events', 'serviceaccounts']),
  rule(['impersonate'], '', ['serviceaccounts']),
  rule(['create'], '', ['serviceaccounts/token']),
  rule(change, 'events.k8s.io', ['events']),
  rule(change, 'batch', ['jobs']),
  rule([...read, ...change], 'coordination.k8s.io', ['leases']),
]

const adminRules = [
  rule([...read, ...change], rbacGroup, ['roles', 'rolebindings']),
  rule(['create'], 'authorization.k8s.io', ['localsubjectaccessreviews']),
]

/** Kubernetes' label by which a role becomes part of `admin`, `edit` or `view`. */
const aggregateTo = (role: string): Readonly<Record<string, string>> => ({
  [`rbac.authorization.k8s.io/aggregate-to-${role}`]: 'true',
})

const meta = (name: string, labels: Readonly<Record<string, string>> = {}) => ({
  name,
  labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
})

const clusterRole = (name: string, rules: readonly PolicyRule[], into?: string): KubeObject => ({
  apiVersion: `${rbacGroup}/v1`,
  kind: 'ClusterRole',
  metadata: meta(name, into === undefined ? {} : aggregateTo(into)),
  rules,
})

const aggregate = (name: string, into?: string): KubeObject => ({
  ...clusterRole(name, [], into),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregateTo(name) }] },
})

const binding = (role: string, ...groups: readonly string[]): KubeObject => ({
  apiVersion: `${rbacGroup}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: meta(role),
  roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: role },
  subjects: groups.map(name => ({ apiGroup: rbacGroup, kind: 'Group', name })),
})
