import { describe, expect, it } from 'vitest'
import type { User } from '../../ports/index.ts'
import { silent } from '../../ports/index.ts'
import { memoryStore } from '../store/memory.ts'
import { openWorld } from '../world/index.ts'
import { writeBootstrap } from './bootstrap-write.ts'
import { openRbac } from './rbac.ts'
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectReview,
  selfSubjectRulesReview,
  subjectAccessReview,
} from './reviews.ts'

const clock = { now: () => 0 }
const ids = { uid: () => 'u' }
const roles = 'rbac.authorization.k8s.io/clusterroles'

async function start() {
  const world = await openWorld({ store: memoryStore(), log: silent })
  await writeBootstrap(world, clock, ids)
  const bind = (role: string, user: string, namespace: string) =>
    world.write('rbac.authorization.k8s.io/rolebindings', `${namespace}/${role}`, () => ({
      put: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: role, namespace },
        roleRef: { kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'User', name: user }],
      },
    }))
  return { world, rbac: openRbac(world), bind }
}
const user = (name: string): User => ({ name, groups: ['system:authenticated'] })
const asking = (verb: string, resource: string, more: object = {}) => ({ resourceAttributes: { verb, resource, namespace: 'a', ...more } })

describe('the first roles', () => {
  it('let viewers view, editors edit and administrators hand out roles, each including the one before', async () => {
    const { rbac, bind } = await start()
    for (const role of ['view', 'edit', 'admin']) await bind(role, role, 'a')
    const may = (name: string, verb: string, resource: string, group = '') =>
      selfSubjectAccessReview(rbac, user(name), asking(verb, resource, { group }))['allowed']
    const table = [
      ['get', 'configmaps', ''],
      ['get', 'secrets', ''],
      ['create', 'jobs', 'batch'],
      ['create', 'rolebindings', 'rbac.authorization.k8s.io'],
      ['delete', 'namespaces', ''],
    ] as const
    expect(table.map(([verb, resource, group]) => ['view', 'edit', 'admin'].map(name => may(name, verb, resource, group)))).toEqual([
      [true, true, true],
      [false, true, true],
      [false, true, true],
      [false, false, true],
      [false, false, false],
    ])
  })

  it('let everybody who is known look around and ask about themselves', async () => {
    const { rbac } = await start()
    const paths = ['/api', '/apis/batch/v1', '/openapi/v3', '/version', '/metrics']
    expect(paths.map(path => rbac.authorize(user('eve'), { verb: 'get', path }).allowed)).toEqual([true, true, true, true, false])
    expect(
      rbac.authorize(user('eve'), { verb: 'create', group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' }).allowed,
    ).toBe(true)
  })

  it('get back what they lost, keep what was added, and leave alone what opted out', async () => {
    const { world } = await start()
    const change = (more: object) => world.write(roles, 'system:discovery', current => ({ put: { ...current!.object, ...more } }))
    const rules = () => world.get(roles, 'system:discovery')?.object['rules'] as { nonResourceURLs?: string[] }[]
    const before = world.revision
    await writeBootstrap(world, clock, ids)
    expect(world.revision).toBe(before)
    await change({ rules: [{ verbs: ['get'], nonResourceURLs: ['/mine'] }] })
    await writeBootstrap(world, clock, ids)
    expect(rules().flatMap(rule => rule.nonResourceURLs)).toEqual(expect.arrayContaining(['/mine', '/api', '/version']))
    const metadata = { name: 'system:discovery', annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } }
    await change({ metadata, rules: [] })
    await writeBootstrap(world, clock, ids)
    expect(rules()).toEqual([])
  })
})

describe('reviews', () => {
  it('tell the asker who they are', () =>
    expect(selfSubjectReview(user('eve'))).toEqual({ userInfo: { username: 'eve', groups: ['system:authenticated'] } }))

  it('answer for somebody else, with the reason', async () => {
    const { rbac, bind } = await start()
    await bind('view', 'eve', 'a')
    expect(subjectAccessReview(rbac, { user: 'eve', ...asking('list', 'configmaps') })).toEqual({
      allowed: true,
      reason: 'RoleBinding "a/view" gives ClusterRole "view" to User "eve"',
    })
    expect(localSubjectAccessReview(rbac, { user: 'eve', ...asking('list', 'configmaps') }, 'a')).toMatchObject({ allowed: true })
    expect(
      subjectAccessReview(rbac, { groups: ['system:masters'], nonResourceAttributes: { verb: 'get', path: '/metrics' } }),
    ).toMatchObject({ allowed: true })
  })

  it('list the rules of the asker in a namespace', async () => {
    const { rbac, bind } = await start()
    await bind('view', 'eve', 'a')
    const status = selfSubjectRulesReview(rbac, user('eve'), { namespace: 'a' }) as {
      resourceRules: { resources: string[] }[]
      nonResourceRules: unknown[]
      incomplete: boolean
    }
    expect(status.resourceRules.flatMap(rule => rule.resources)).toEqual(expect.arrayContaining(['configmaps', 'selfsubjectreviews']))
    expect(status.nonResourceRules.length).toBeGreaterThan(0)
    expect(status.incomplete).toBe(false)
    const elsewhere = selfSubjectRulesReview(rbac, user('eve'), { namespace: 'b' }) as typeof status
    expect(elsewhere.resourceRules.flatMap(rule => rule.resources)).not.toContain('configmaps')
  })

  it('refuse questions that are none', async () => {
    const { rbac } = await start()
    const path = { nonResourceAttributes: { verb: 'get', path: '/' } }
    const bad = [
      () => subjectAccessReview(rbac, asking('get', 'pods')),
      () => subjectAccessReview(rbac, { user: 'eve' }),
      () => subjectAccessReview(rbac, { user: 'eve', ...asking('get', 'pods'), ...path }),
      () => localSubjectAccessReview(rbac, { user: 'eve', ...asking('get', 'pods') }, 'b'),
      () => localSubjectAccessReview(rbac, { user: 'eve', ...path }, 'a'),
      () => selfSubjectRulesReview(rbac, user('eve'), {}),
    ]
    for (const ask of bad) expect(ask).toThrow(expect.objectContaining({ code: 422 }))
  })
})
