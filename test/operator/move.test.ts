import { afterEach, expect, it } from 'vitest'
import { crdOf } from '../../src/api/crd.ts'
import { kinds } from '../../src/api/kinds.ts'
import { moveAll } from '../../src/cli/move/move.ts'
import { claims, configurations, servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { pausedAnnotation } from '../../src/core/paused.ts'
import { kubeClient } from '../../src/kube/index.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import type { Kube, ResourceRef } from '../../src/ports/index.ts'
import { embeddedHost } from '../contracts/api/embedded.ts'
import type { Host } from '../contracts/api/host.ts'
import { secrets, system } from '../metal/rack.ts'
import { story } from '../metal/story.ts'

const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }
const key = { name: 'c1', namespace: 'default' }

let host: Host | undefined
afterEach(() => host?.close())
async function emptyTarget(): Promise<Kube> {
  host = await embeddedHost()
  const kube = kubeClient(host.transport, { clock: wallClock, ids: randomIds })
  for (const kind of kinds) await kube.create(definitions, crdOf(kind))
  return kube
}
const quietly = { manager: system, tell: () => {} }

it('BP-041 a provisioned server arrives with its annotation, status, Secrets and owners; here it is paused, and nothing is switched', () =>
  story(async ({ when, then, world, happened }) => {
    await when.claims('c1', { ignitionSecretRef: { name: 'my-ignition-secret' } })
    await then.isProvisioned('c1', minutes(25))
    await then.server('srv-1', minutes(30), { boot: { step: 'Ended' } as never })
    const target = await emptyTarget()
    const happenedBefore = happened('srv-1').length
    const [server] = (await world.kube.list(servers)).items
    const name = server?.metadata.name ?? ''
    await moveAll({ source: world.kube, target, ...quietly })

    const [there, claim, configuration] = [
      await target.get(servers, { name }),
      await target.get(claims, key),
      await target.get(configurations, key),
    ]
    expect(there.status).toMatchObject({
      state: 'Reserved',
      boot: { step: 'Ended', configuration: { uid: configuration.metadata.uid, generation: 1 } },
    })
    expect(there.spec.serverClaimRef).toMatchObject({ name: 'c1', uid: claim.metadata.uid })
    expect(claim.status?.binding).toMatchObject({ server: name, serverUID: there.metadata.uid })
    expect(configuration.metadata.annotations).toMatchObject({ 'metal.ironcore.dev/provisioned': 'true' })
    expect(configuration.metadata.ownerReferences?.[0]?.uid).toBe(claim.metadata.uid)
    expect(configuration.status).toMatchObject({ state: 'Ready', observedGeneration: configuration.metadata.generation })
    expect(claim.metadata.finalizers).toEqual((await world.kube.get(claims, key)).metadata.finalizers)
    expect((await target.get(secrets, { name: 'my-ignition-secret', namespace: 'default' }))['data']).toBeDefined()
    for (const object of [there, claim, configuration]) expect(object.metadata.annotations?.[pausedAnnotation]).toBeUndefined()
    expect((await world.kube.get(servers, { name })).metadata.annotations?.[pausedAnnotation]).toBe('moved to another cluster')

    await when.wantsPower('c1', 'Off')
    await when.passes(minutes(30))
    expect(happened('srv-1')).toHaveLength(happenedBefore)
  }))
it('a server that is being booted is not moved, and nothing is paused', () =>
  story(async ({ when, then, world }) => {
    await when.claims('c1')
    await then.server('srv-1', minutes(10), server => server.status?.boot?.purpose === 'Claim' && server.status.boot.step !== 'Ended')
    await expect(moveAll({ source: world.kube, target: await emptyTarget(), ...quietly })).rejects.toThrow('Cannot move while servers boot')
    expect((await world.kube.get(claims, key)).metadata.annotations?.[pausedAnnotation]).toBeUndefined()
  }))
it('what is over there already is not overwritten', () =>
  story(async ({ world }) => {
    const target = await emptyTarget()
    const [server] = (await world.kube.list(servers)).items
    await target.create(servers, { ...server!, metadata: { name: server!.metadata.name } })
    await expect(moveAll({ source: world.kube, target, ...quietly })).rejects.toThrow(
      `over there is already Server ${server!.metadata.name}`,
    )
  }))
