import { expect, it } from 'vitest'
import { kinds } from '../../src/api/kinds.ts'
import { announce } from '../../src/cli/operator/announce.ts'
import { stanceOf } from '../../src/cli/operator/courtesy.ts'
import { openKeeper } from '../../src/cli/operator/keeper.ts'
import { findNeighbours } from '../../src/cli/operator/neighbours.ts'
import { roles } from '../../src/cli/operator/roles.ts'
import { claims, type Server, servers } from '../../src/controllers/metal/resources.ts'
import { serverClaimController } from '../../src/controllers/metal/server-claim/index.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { printInstant } from '../../src/core/instant.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { type ResourceRef, silent } from '../../src/ports/index.ts'
import { testWorld } from '../runtime/world.ts'

const leases: ResourceRef = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true }
const apiVersion = 'metal.ironcore.dev/v1alpha1'
const namespace = 'rackwright-system'
const theirs = { namespace: 'default', name: 'f26702e4.ironcore.dev' }
const uki = { role: 'uki', digest: 'sha256:1', bytes: 1 } as const

it('X-037 beside another operator an hour of claims and changes costs one write, an Event of our own; when that one is gone, the work begins', async () => {
  const world = await testWorld(kinds)
  const { clock, kube, controllersKube } = world
  const renewed = () => ({ holderIdentity: 'pod-1', leaseDurationSeconds: 15, renewTime: printInstant(clock.now(), 'micro') })
  await kube.create(leases, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: theirs, spec: renewed() })
  const keeper = openKeeper(
    {
      clock,
      log: silent,
      stance: async role => stanceOf(role, await findNeighbours(controllersKube, clock, role), false),
      tell: (role, stance) =>
        announce({ kube: controllersKube, clock, ids: randomIds, identity: 'us', namespace, lease: 'rackwright' }, role, stance),
      open() {
        const controllers = world.controllers()
        const artifacts = [uki]
        const facts = { reference: 'os', digest: 'sha256:0', architecture: 'x86_64', architectures: ['x86_64'], artifacts } as const
        controllers.add(own => serverClaimController({ kube: own, images: { inspect: async () => facts } }))
        controllers.start()
        return { close: () => controllers.stop(), health: () => controllers.health(), metrics: async () => '' }
      },
    },
    roles.filter(({ name }) => name === 'metal'),
  )
  await keeper.start()
  await kube.create(servers, { apiVersion, kind: 'Server', metadata: { name: 's' }, spec: { systemUUID: 'u' } } as Server)
  await kube.patch(servers, { name: 's' }, { merge: { status: { state: 'Available', powerState: 'Off' } } }, { subresource: 'status' })
  const spec = { power: 'On', image: 'os', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' } }
  await kube.create(claims, { apiVersion, kind: 'ServerClaim', metadata: { name: 'c', namespace: 'default' }, spec } as never)
  for (let passed = 0; passed < minutes(60); passed += seconds(10)) {
    await kube.patch(leases, theirs, { merge: { spec: renewed() } })
    await clock.advance(seconds(10))
  }
  expect(world.writes().map(({ method, path }) => `${method} ${path}`)).toEqual([`POST /api/v1/namespaces/${namespace}/events`])
  expect((await kube.get(claims, { name: 'c', namespace: 'default' })).status).toBeUndefined()
  await clock.advance(minutes(3))
  expect((await kube.get(claims, { name: 'c', namespace: 'default' })).status?.phase).toBe('Bound')
  await keeper.stop()
  await world.close()
})
