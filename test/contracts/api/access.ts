import { beforeAll, expect, it } from 'vitest'
import type { Bench } from './contract.ts'
import { type Body, type Client, client, eventually, refused } from './host.ts'
import { cms, configMap } from './objects.ts'

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const authorization = '/apis/authorization.k8s.io/v1'

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
  readonly resourceNames?: readonly string[]
}
const rule = (verbs: string, resources = 'configmaps', more: Partial<Rule> = {}): Rule => ({
  apiGroups: [''],
  resources: resources.split(','),
  verbs: verbs.split(','),
  ...more,
})

/** Who may do what: RBAC's rules, the reviews that answer for them, and the tokens that carry a name. */
export function accessCases(bench: Bench): void {
  const roles = (): string => `${rbac}/namespaces/${bench.ns}/roles`
  const bindings = (): string => `${rbac}/namespaces/${bench.ns}/rolebindings`
  const as = (name: string, groups: readonly string[] = []): Client => client(bench.host.as(name, groups))
  const person = (): string => bench.fresh('person')
  const user = (name: string) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name })

  /** Gives `rules` to a subject within the contract's namespace. */
  async function grant(subject: object, rules: readonly Rule[]): Promise<void> {
    const name = bench.fresh('role')
    const role = await bench.api.post(roles(), { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name }, rules })
    expect(role.code).toBe(201)
    await bind(name, subject)
  }
  async function bind(name: string, subject: object, kind = 'Role'): Promise<void> {
    const made = await bench.api.post(bindings(), {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: bench.fresh('binding') },
      subjects: [subject],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    })
    expect(made.code).toBe(201)
  }
  /** What is granted takes effect soon after it is stored, not in the same instant. */
  const soon = (look: () => Promise<{ code: number }>, code = 200) => eventually(async () => (await look()).code === code, bench.pause)

  beforeAll(async () => {
    await bench.api.post(cms(bench.ns), configMap('guarded', { data: { a: '1' } }))
  })

  for (const [verb, ask] of [
    ['get', (api: Client) => api.get(`${cms(bench.ns)}/guarded`)],
    ['list', (api: Client) => api.get(cms(bench.ns))],
    ['watch', (api: Client) => api.get(`${cms(bench.ns)}?watch=true`)],
    ['create', (api: Client) => api.post(cms(bench.ns), configMap('x'))],
    ['update', (api: Client) => api.put(`${cms(bench.ns)}/guarded`, configMap('guarded'))],
    ['patch', (api: Client) => api.patch(`${cms(bench.ns)}/guarded`, {})],
    ['delete', (api: Client) => api.delete(`${cms(bench.ns)}/guarded`)],
    ['deletecollection', (api: Client) => api.delete(cms(bench.ns))],
  ] as const)
    it(`nobody in particular may not ${verb}, and is told in words`, async () => {
      const answer = await ask(as('eve'))
      refused(answer, 403, 'Forbidden')
      expect(answer.body.message).toContain(
        `User "eve" cannot ${verb} resource "configmaps" in API group "" in the namespace "${bench.ns}"`,
      )
    })
  it('a refusal at the cluster scope says so', async () => {
    const { body } = await as('eve').get('/api/v1/configmaps')
    expect(body.message).toContain(
      'configmaps is forbidden: User "eve" cannot list resource "configmaps" in API group "" at the cluster scope',
    )
  })
  it('a Role gives its verbs in its namespace, and no others', async () => {
    const name = person()
    await grant(user(name), [rule('get')])
    await soon(() => as(name).get(`${cms(bench.ns)}/guarded`))
    refused(await as(name).get(cms(bench.ns)), 403, 'Forbidden')
    refused(await as(name).get(`${cms('default')}/guarded`), 403, 'Forbidden')
  })
  it('S4 resourceNames give those names alone', async () => {
    const name = person()
    await grant(user(name), [rule('get', 'configmaps', { resourceNames: ['guarded'] })])
    await soon(() => as(name).get(`${cms(bench.ns)}/guarded`))
    refused(await as(name).get(`${cms(bench.ns)}/other`), 403, 'Forbidden')
  })
  it('a group gives to its members', async () => {
    const [name, group] = [person(), bench.fresh('crew')]
    await grant({ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: group }, [rule('list')])
    await soon(() => as(name, [group]).get(cms(bench.ns)))
    refused(await as(name).get(cms(bench.ns)), 403, 'Forbidden')
  })
  it('a ServiceAccount is a subject by its namespace and name', async () => {
    const name = bench.fresh('robot')
    await grant({ kind: 'ServiceAccount', name, namespace: bench.ns }, [rule('list')])
    const robot = `system:serviceaccount:${bench.ns}:${name}`
    await soon(() => as(robot, ['system:serviceaccounts', `system:serviceaccounts:${bench.ns}`]).get(cms(bench.ns)))
    refused(await as(`system:serviceaccount:default:${name}`).get(cms(bench.ns)), 403, 'Forbidden')
  })
  it('S4 a subresource is a right of its own', async () => {
    const name = person()
    const widgets = `/apis/${bench.group}/v1/namespaces/${bench.ns}/widgets`
    const widget = bench.fresh('sub')
    await bench.api.post(widgets, { apiVersion: `${bench.group}/v1`, kind: 'Widget', metadata: { name: widget }, spec: { size: 1 } })
    await grant(user(name), [rule('patch', 'widgets/status', { apiGroups: [bench.group] })])
    await soon(() => as(name).patch(`${widgets}/${widget}/status`, { status: { phase: 'Seen' } }))
    refused(await as(name).patch(`${widgets}/${widget}`, { spec: { size: 2 } }), 403, 'Forbidden')
  })
  it('a ClusterRole bound in a namespace counts there alone', async () => {
    const [name, role] = [person(), bench.fresh('reader')]
    await bench.api.post(`${rbac}/clusterroles`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: role },
      rules: [rule('get,list')],
    })
    await bind(role, user(name), 'ClusterRole')
    await soon(() => as(name).get(`${cms(bench.ns)}/guarded`))
    refused(await as(name).get('/api/v1/configmaps'), 403, 'Forbidden')
    refused(await as(name).get(`/api/v1/namespaces/${bench.ns}/secrets`), 403, 'Forbidden')
  })
  it('what is taken back is gone', async () => {
    const name = person()
    await grant(user(name), [rule('get')])
    await soon(() => as(name).get(`${cms(bench.ns)}/guarded`))
    const { body } = await bench.api.get(bindings())
    for (const binding of body.items.filter((b: Body) => b.subjects?.[0]?.name === name))
      await bench.api.delete(`${bindings()}/${binding.metadata.name}`)
    await soon(() => as(name).get(`${cms(bench.ns)}/guarded`), 403)
  })
  it('S4 nobody gives what they do not have', async () => {
    const name = person()
    await grant(user(name), [rule('create', 'roles', { apiGroups: ['rbac.authorization.k8s.io'] }), rule('get')])
    const role = (verb: string) => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: bench.fresh('gift') },
      rules: [rule(verb)],
    })
    await soon(() => as(name).post(roles(), role('get')), 201)
    refused(await as(name).post(roles(), role('delete')), 403, 'Forbidden')
  })
  it('a binding keeps its role', async () => {
    const name = bench.fresh('fixed')
    const binding = (role: string) => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name },
      subjects: [user('a')],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    })
    await bench.api.post(bindings(), binding('view'))
    refused(await bench.api.put(`${bindings()}/${name}`, binding('edit')), 422, 'Invalid')
  })
  it('a SelfSubjectAccessReview answers for the one who asks', async () => {
    const ask = (api: Client) =>
      api.post(`${authorization}/selfsubjectaccessreviews`, {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { verb: 'get', resource: 'secrets', namespace: bench.ns } },
      })
    expect((await ask(bench.api)).body.status.allowed).toBe(true)
    expect((await ask(as('eve'))).body.status.allowed).toBe(false)
  })
  it('a SubjectAccessReview answers for anybody', async () => {
    const name = person()
    await grant(user(name), [rule('get')])
    const ask = async (verb: string): Promise<boolean> =>
      (
        await bench.api.post(`${authorization}/subjectaccessreviews`, {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: { user: name, resourceAttributes: { verb, resource: 'configmaps', namespace: bench.ns } },
        })
      ).body.status.allowed
    await eventually(() => ask('get'), bench.pause)
    expect(await ask('delete')).toBe(false)
  })
  it('a LocalSubjectAccessReview is about its own namespace', async () => {
    const spec = { user: 'eve', resourceAttributes: { verb: 'get', resource: 'secrets', namespace: 'default' } }
    const answer = await bench.api.post(`${authorization}/namespaces/${bench.ns}/localsubjectaccessreviews`, {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'LocalSubjectAccessReview',
      metadata: { namespace: bench.ns },
      spec,
    })
    expect(answer.code).toBe(422)
  })
  it('a SelfSubjectRulesReview lists what one may do', async () => {
    const name = person()
    await grant(user(name), [rule('get,list')])
    const rules = async (): Promise<readonly Body[]> =>
      (
        await as(name).post(`${authorization}/selfsubjectrulesreviews`, {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectRulesReview',
          spec: { namespace: bench.ns },
        })
      ).body.status.resourceRules
    await eventually(async () => (await rules()).some(r => r.resources.includes('configmaps')), bench.pause)
    expect((await rules()).find(r => r.resources.includes('configmaps'))).toMatchObject({ verbs: ['get', 'list'] })
  })
  it('a SelfSubjectReview says who one is', async () => {
    const { body } = await as('ann', ['crew']).post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
    })
    expect(body.status.userInfo).toMatchObject({ username: 'ann', groups: expect.arrayContaining(['crew', 'system:authenticated']) })
  })
  it('a token that is none is not authenticated', async () => {
    const { body } = await bench.api.post('/apis/authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token: 'rubbish' },
    })
    expect(body.status.authenticated ?? false).toBe(false)
  })
  it('a ServiceAccount that is not there gets no token', async () =>
    refused(
      await bench.api.post(`/api/v1/namespaces/${bench.ns}/serviceaccounts/absent/token`, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {},
      }),
      404,
      'NotFound',
    ))
}
