import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/object.ts'
import { type Attributes, silent, type User } from '../../ports/index.ts'
import { memoryStore } from '../store/memory.ts'
import { openWorld } from '../world/index.ts'
import type { World } from '../world/world.ts'
import type { PolicyRule } from './policy-rule.ts'
import { openRbac } from './rbac.ts'

interface Facts {
  readonly clusterroles?: Record<string, readonly PolicyRule[] | KubeObject>
  readonly roles?: Record<string, readonly PolicyRule[]>
  readonly clusterrolebindings?: Record<string, Bound>
  readonly rolebindings?: Record<string, Bound>
}
interface Bound {
  readonly role: readonly [kind: string, name: string]
  readonly to: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[]
}

/** A world of RBAC objects only; nothing ever changes in it. */
function worldOf(facts: Facts): Pick<World, 'list' | 'observe'> {
  const meta = (key: string) => {
    const [name = '', namespace] = key.split('/').reverse()
    return { name, ...(namespace === undefined ? {} : { namespace }) }
  }
  const list = (resource: string) => {
    const plural = resource.split('/')[1] as keyof Facts
    return Object.entries(facts[plural] ?? {}).map(([key, value]) => {
      const object =
        plural === 'roles' || plural === 'clusterroles'
          ? Array.isArray(value)
            ? { metadata: meta(key), rules: value }
            : { ...value, metadata: { ...value.metadata, ...meta(key) } }
          : { metadata: meta(key), roleRef: { kind: value.role[0], name: value.role[1] }, subjects: value.to }
      return { resource, key, revision: 1, bytes: new Uint8Array(), object: object as unknown as KubeObject }
    })
  }
  return { list, observe: () => () => {} }
}

const user = (name: string, ...groups: string[]): User => ({ name, groups })
const allowed = (facts: Facts, who: User, asked: Attributes) => openRbac(worldOf(facts)).authorize(who, asked).allowed

const verbs = ['get', 'list', 'create', 'patch']
const groups = ['', 'batch', 'metal.dev']
const resources = ['pods', 'jobs', 'secrets']
const subresources = [undefined, 'status', 'scale', 'log']
const namespaces = [undefined, 'a', 'b']
const names = [undefined, 'x', 'y']
const users = [
  user('alice', 'dev'),
  user('bob', 'ops', 'dev'),
  user('system:serviceaccount:a:sa'),
  user('root', 'system:masters'),
  user('eve'),
]

/** Every question the table asks. */
const questions: readonly Attributes[] = [
  ...verbs.flatMap(verb =>
    groups.flatMap(group =>
      resources.flatMap(resource =>
        subresources.flatMap(subresource =>
          namespaces.flatMap(namespace =>
            names.map(name => ({
              verb,
              group,
              resource,
              ...(subresource ? { subresource } : {}),
              ...(namespace ? { namespace } : {}),
              ...(name ? { name } : {}),
            })),
          ),
        ),
      ),
    ),
  ),
  ...verbs.flatMap(verb => ['/', '/api', '/apis/batch', '/metrics', '/metrics/x'].map(path => ({ verb, path }))),
]

/** The oracle: written from the documentation, knows nothing of indexes, and takes patterns for regular expressions over one text. */
function oracle(facts: Facts, who: User, asked: Attributes): boolean {
  if (who.groups.includes('system:masters')) return true
  const star = (list: readonly string[] | undefined, value: string) => (list ?? []).some(item => item === '*' || item === value)
  const matches = (rule: PolicyRule): boolean => {
    if (!star(rule.verbs, asked.verb)) return false
    if ('path' in asked)
      return (rule.nonResourceURLs ?? []).some(url =>
        new RegExp(`^${url.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*$/, '.*')}$`).test(asked.path),
      )
    const target = asked.subresource ? `${asked.resource}/${asked.subresource}` : asked.resource
    const named = !rule.resourceNames || rule.resourceNames.length === 0 || rule.resourceNames.some(name => name === asked.name)
    const any = (rule.resources ?? []).some(pattern =>
      pattern === '*' ? true : new RegExp(`^${pattern.replace(/^\*\//, '[^/]+/')}$`).test(target),
    )
    return star(rule.apiGroups, asked.group) && any && named
  }
  const isOf = (subject: Bound['to'][number], home: string | undefined) =>
    subject.kind === 'User'
      ? subject.name === who.name
      : subject.kind === 'Group'
        ? who.groups.includes(subject.name)
        : who.name === `system:serviceaccount:${subject.namespace ?? home}:${subject.name}`
  const rules = (kind: string, name: string, home?: string) =>
    ((kind === 'Role' ? facts.roles?.[`${home}/${name}`] : facts.clusterroles?.[name]) as readonly PolicyRule[] | undefined) ?? []
  const everywhere = Object.values(facts.clusterrolebindings ?? {})
  if (
    everywhere.some(
      b =>
        b.role[0] === 'ClusterRole' &&
        b.to.some(s => (s.namespace !== undefined || s.kind !== 'ServiceAccount' ? isOf(s, undefined) : false)) &&
        rules(...b.role).some(matches),
    )
  )
    return true
  if ('path' in asked || asked.namespace === undefined) return false
  return Object.entries(facts.rolebindings ?? {}).some(([key, b]) => {
    const home = key.split('/')[0]
    return home === asked.namespace && b.to.some(s => isOf(s, home)) && rules(b.role[0], b.role[1], home).some(matches)
  })
}

const some = (of: readonly string[]) => fc.subarray([...of], { minLength: 1 })
const resourceRule: fc.Arbitrary<PolicyRule> = fc
  .record({
    verbs: some([...verbs, '*']),
    apiGroups: some([...groups, '*']),
    resources: some(['pods', 'jobs', 'pods/log', 'jobs/status', '*/scale', '*']),
    resourceNames: fc.subarray(['x', 'z']),
  })
  .map(({ resourceNames, ...rule }) => (resourceNames.length === 0 ? rule : { ...rule, resourceNames }))
const pathRule: fc.Arbitrary<PolicyRule> = fc.record({ verbs: some(verbs), nonResourceURLs: some(['/api', '/apis/*', '/metrics*', '*']) })
const ruleList = fc.array(fc.oneof({ weight: 3, arbitrary: resourceRule }, { weight: 1, arbitrary: pathRule }), { maxLength: 3 })
const subject = fc.constantFrom(
  { kind: 'User', name: 'alice' },
  { kind: 'Group', name: 'dev' },
  { kind: 'Group', name: 'ops' },
  { kind: 'ServiceAccount', name: 'sa', namespace: 'a' },
  { kind: 'ServiceAccount', name: 'sa' },
  { kind: 'User', name: 'dev' },
)
const bindingTo = (...kinds: string[]): fc.Arbitrary<Bound> =>
  fc.record({
    role: fc.tuple(fc.constantFrom(...kinds), fc.constantFrom('one', 'two', 'missing')),
    to: fc.array(subject, { maxLength: 2 }),
  })
const factsArbitrary: fc.Arbitrary<Facts> = fc.record({
  clusterroles: fc.record({ one: ruleList, two: ruleList }),
  roles: fc.record({ 'a/one': ruleList, 'b/two': ruleList }),
  clusterrolebindings: fc.record({ c1: bindingTo('ClusterRole'), c2: bindingTo('ClusterRole') }),
  rolebindings: fc.record({ 'a/r1': bindingTo('Role', 'ClusterRole'), 'b/r2': bindingTo('Role', 'ClusterRole') }),
})

describe('openRbac()', () => {
  it('answers every user, verb, resource and subresource as a naive reading of the rules does', () => {
    fc.assert(
      fc.property(factsArbitrary, facts => {
        const rbac = openRbac(worldOf(facts))
        const wrong = users.flatMap(who =>
          questions.filter(asked => rbac.authorize(who, asked).allowed !== oracle(facts, who, asked)).map(asked => [who.name, asked]),
        )
        expect(wrong).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  const role = (...rules: PolicyRule[]): Facts => ({
    clusterroles: { r: rules },
    clusterrolebindings: { b: { role: ['ClusterRole', 'r'], to: [{ kind: 'User', name: 'alice' }] } },
  })
  const alice = user('alice')

  it.each<[reason: string, PolicyRule, Attributes, boolean]>([
    [
      'a resource does not include its subresources',
      { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
      { verb: 'get', group: '', resource: 'pods', subresource: 'log' },
      false,
    ],
    [
      'a subresource is named with its resource',
      { verbs: ['get'], apiGroups: [''], resources: ['pods/log'] },
      { verb: 'get', group: '', resource: 'pods', subresource: 'log' },
      true,
    ],
    [
      'a star before a subresource stands for any resource',
      { verbs: ['update'], apiGroups: ['*'], resources: ['*/scale'] },
      { verb: 'update', group: 'apps', resource: 'things', subresource: 'scale' },
      true,
    ],
    [
      'but not for the resource itself',
      { verbs: ['update'], apiGroups: ['*'], resources: ['*/scale'] },
      { verb: 'update', group: 'apps', resource: 'things' },
      false,
    ],
    [
      'names restrict',
      { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['x'] },
      { verb: 'get', group: '', resource: 'secrets', name: 'y' },
      false,
    ],
    [
      'names exclude requests without one',
      { verbs: ['list'], apiGroups: [''], resources: ['secrets'], resourceNames: ['x'] },
      { verb: 'list', group: '', resource: 'secrets' },
      false,
    ],
    [
      'a path ending in a star stands for what begins so',
      { verbs: ['get'], nonResourceURLs: ['/apis/*'] },
      { verb: 'get', path: '/apis/batch/v1' },
      true,
    ],
    ['a star in the middle stands for itself', { verbs: ['get'], nonResourceURLs: ['/a*b'] }, { verb: 'get', path: '/axb' }, false],
    [
      'resource rules say nothing about paths',
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verb: 'get', path: '/metrics' },
      false,
    ],
  ])('%s', (_reason, rule, asked, expected) => expect(allowed(role(rule), alice, asked)).toBe(expected))

  it('says which binding allowed it', () => {
    const facts = role({ verbs: ['get'], apiGroups: [''], resources: ['pods'] })
    expect(openRbac(worldOf(facts)).authorize(alice, { verb: 'get', group: '', resource: 'pods' }).because).toBe(
      'ClusterRoleBinding "b" gives ClusterRole "r" to User "alice"',
    )
  })

  it('gathers the rules of aggregated roles, also in two steps, and survives circles and bad selectors', () => {
    const labelled = (labels: Record<string, string>, more: object) => ({ metadata: { labels }, ...more }) as unknown as KubeObject
    const selecting = (...matchLabels: object[]) => ({
      aggregationRule: { clusterRoleSelectors: matchLabels.map(m => ({ matchLabels: m })) },
    })
    const facts: Facts = {
      clusterroles: {
        admin: labelled({ to: 'view' }, { ...selecting({ to: 'admin' }), rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] }),
        view: labelled({ to: 'admin' }, selecting({ to: 'view' })),
        leaf: labelled({ to: 'view' }, { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] }),
        bad: labelled({}, { aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Near' }] }] } }),
      },
      clusterrolebindings: {
        a: { role: ['ClusterRole', 'admin'], to: [{ kind: 'User', name: 'alice' }] },
        b: { role: ['ClusterRole', 'bad'], to: [{ kind: 'User', name: 'alice' }] },
      },
    }
    expect(allowed(facts, alice, { verb: 'get', group: '', resource: 'pods' })).toBe(true)
    expect(allowed(facts, alice, { verb: 'get', group: '', resource: 'secrets' })).toBe(false)
  })

  it('follows the world: a binding counts as soon as it is written, and no longer than it is there', async () => {
    const world = await openWorld({ store: memoryStore(), log: silent })
    const rbac = openRbac(world)
    const asked: Attributes = { verb: 'get', group: '', resource: 'pods' }
    const put = (plural: string, object: object) =>
      world.write(`rbac.authorization.k8s.io/${plural}`, 'x', () => ({
        put: { metadata: { name: 'x' }, ...object } as unknown as KubeObject,
      }))
    expect(rbac.authorize(alice, asked).allowed).toBe(false)
    await put('clusterroles', { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] })
    await put('clusterrolebindings', { roleRef: { kind: 'ClusterRole', name: 'x' }, subjects: [{ kind: 'User', name: 'alice' }] })
    expect(rbac.authorize(alice, asked).allowed).toBe(true)
    await world.write('rbac.authorization.k8s.io/clusterrolebindings', 'x', current => ({ remove: current?.object as KubeObject }))
    expect(rbac.authorize(alice, asked).allowed).toBe(false)
    rbac.close()
    await world.close()
  })
})
