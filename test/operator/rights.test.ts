import { expect, it } from 'vitest'
import { bootServerGrants, controllerGrants } from '../../src/cli/operator/grants.ts'
import { claims, configurations, type ServerClaim, servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import type { Grant, NewObject } from '../../src/ports/index.ts'
import { openMetalRack, secrets } from '../metal/rack.ts'
import type { Asked } from '../runtime/world.ts'

/** A request as RBAC sees it: `patch servers.metal.ironcore.dev/status`. */
function rightOf({ method, path }: Asked): string {
  const { pathname, searchParams } = new URL(path, 'https://api')
  const [, root, ...rest] = pathname.split('/')
  const group = root === 'api' ? '' : rest.shift()
  rest.shift()
  if (rest[0] === 'namespaces' && rest.length > 2) rest.splice(0, 2)
  const [resource = '', name, subresource] = rest
  const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }
  const reads = searchParams.get('watch') ? 'watch' : name === undefined ? 'list' : 'get'
  return say(verbs[method] ?? reads, group ?? '', subresource === undefined ? resource : `${resource}/${subresource}`)
}
const say = (verb: string, group: string, resource: string): string => `${verb} ${resource}${group === '' ? '' : `.${group}`}`
const rightsOf = (grants: readonly Grant[]): readonly string[] => [
  ...new Set(grants.flatMap(({ verbs, group, resource }) => verbs.map(verb => say(verb, group, resource)))),
]

/** Rights that this story has no use for, and what they are for. */
const elsewhere: Readonly<Record<string, string>> = {
  'get leases.coordination.k8s.io': 'one process needs no lease; test/kube runs two',
  'create leases.coordination.k8s.io': 'the same',
  'patch leases.coordination.k8s.io': 'the same',
  'list leases.coordination.k8s.io': 'looks who else is there, at the start of the operator (neighbours.test.ts)',
  'get customresourcedefinitions.apiextensions.k8s.io': 'the same',
  'get bmcsecrets.metal.ironcore.dev': 'credentials of BMCs, which the story hands to the pool itself',
  'create secrets': 'the key of boot tickets, made by the operator at its start (boot-key.test.ts)',
  'get configmaps': 'where machines boot, published by the operator at its start',
  'create configmaps': 'the same',
  'patch configmaps': 'the same',
  'patch bmcs.metal.ironcore.dev': 'a certificate that is trusted on first use (bmc-access)',
  'get events': 'only where a counted Event is found again after a restart',
  'get bmcs.metal.ironcore.dev': 'a BMC that the caches do not show yet (bmc-access)',
  'list bmcs.metal.ironcore.dev': 'a cache that lost its place lists, where the server does not stream its first state',
  'list serverbootconfigurations.metal.ironcore.dev': 'the same',
  'list serverclaims.metal.ironcore.dev': 'the same',
  'list servers.metal.ironcore.dev': 'the same',
  'patch events': 'only where the same happens again: the Event is counted up',
  'update servers/finalizers.metal.ironcore.dev': 'asked for by clusters that check owner references, never called',
  'update serverclaims/finalizers.metal.ironcore.dev': 'the same',
}
/** Rights for maintenances, readiness rules and controllers that DHCP saw have stories of their own. */
const maintenance = /servermaintenances[./]|serverreadinessrules[./]|^patch serverclaims\.|endpoints[./]|^create bmcs\./

it('S1 the calls of the claim story are exactly the rights that the code declares, but for those with a reason to be unused', async () => {
  const world = await openMetalRack()
  const state = async () => (await world.kube.list(servers)).items[0]?.status?.state
  await world.until(minutes(30), 'the server is discovered', async () => (await state()) === 'Available')
  await world.kube.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'user-data', namespace: 'default' },
    stringData: { ignition: '{"ignition":{"version":"3.4.0"}}' },
  })
  const key = { name: 'c1', namespace: 'default' }
  const spec = {
    power: 'On',
    image: 'my-uki-osimage:latest',
    ignitionSecretRef: { name: 'user-data' },
    bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' },
  }
  await world.kube.create(claims, {
    apiVersion: 'metal.ironcore.dev/v1alpha1',
    kind: 'ServerClaim',
    metadata: key,
    spec,
  } as NewObject<ServerClaim>)
  const provisioned = async () =>
    (await world.kube.find(configurations, key))?.metadata.annotations?.['metal.ironcore.dev/provisioned'] === 'true'
  await world.until(minutes(30), 'the claim is provisioned', provisioned)
  await world.kube.patch(claims, key, { merge: { spec: { image: 'quiet:1' } } })
  await world.clock.advance(minutes(2))
  await world.kube.delete(claims, key)
  await world.until(minutes(30), 'the server is free again', async () => (await state()) === 'Available')
  const observed = [...new Set(world.asked.map(rightOf))].toSorted()
  await world.stop()

  const declared = rightsOf([...controllerGrants, ...bootServerGrants])
  expect(observed.filter(right => !declared.includes(right))).toEqual([])
  const unused = declared.filter(right => !observed.includes(right) && !maintenance.test(right)).toSorted()
  expect(unused.filter(right => elsewhere[right] === undefined)).toEqual([])
  expect(Object.keys(elsewhere).filter(right => !unused.includes(right) && !maintenance.test(right))).toEqual([])
})
