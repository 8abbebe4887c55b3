import { describe, expect, it } from 'vitest'
import { kinds } from '../../src/api/kinds.ts'
import { claims, configurations, type Server, servers } from '../../src/controllers/metal/resources.ts'
import { serverClaimController } from '../../src/controllers/metal/server-claim/index.ts'
import { minutes } from '../../src/core/duration.ts'
import { Fault } from '../../src/core/fault.ts'
import type { ImageFacts, ImageResolver } from '../../src/ports/images.ts'
import { type TestWorld, testWorld } from '../runtime/world.ts'

const metal = 'metal.ironcore.dev/v1alpha1'
const image = (...roles: ImageFacts['artifacts'][number]['role'][]): ImageFacts => ({
  reference: 'os',
  digest: 'sha256:0',
  architecture: 'x86_64',
  architectures: ['x86_64'],
  artifacts: roles.map(role => ({ role, digest: 'sha256:1', bytes: 1 })),
})

async function rack(count: number, images: ImageResolver): Promise<TestWorld & { stop(): Promise<void> }> {
  const world = await testWorld(kinds)
  for (let n = 0; n < count; n += 1) {
    const name = `srv-${String(n).padStart(2, '0')}`
    await world.kube.create(servers, {
      apiVersion: metal,
      kind: 'Server',
      metadata: { name, labels: { rack: String(n % 2) } },
      spec: { systemUUID: `uuid-${n}` },
    } as unknown as Server)
    await world.kube.patch(servers, { name }, { merge: { status: { state: 'Available', powerState: 'Off' } } }, { subresource: 'status' })
  }
  const controllers = world.controllers()
  controllers.add(kube => serverClaimController({ kube, images }))
  controllers.start()
  await world.clock.settle()
  return {
    ...world,
    async stop() {
      await controllers.stop()
      await world.close()
    },
  }
}
const claim = (world: TestWorld, name: string, spec: Record<string, unknown> = {}) =>
  world.kube.create(claims, {
    apiVersion: metal,
    kind: 'ServerClaim',
    metadata: { name, namespace: 'default' },
    spec: { power: 'On', image: 'os', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' }, ...spec },
  })
const read = (world: TestWorld, name: string) => world.kube.get(claims, { name, namespace: 'default' })
const always = (facts: ImageFacts): ImageResolver => ({ inspect: async () => facts })

describe('claims on the embedded API', () => {
  it('BP-045 BP-056 a claim gets a server and a boot configuration that says what it says', async () => {
    const world = await rack(2, always(image('uki')))
    await claim(world, 'c1', { serverSelector: { matchLabels: { rack: '1' } } })
    await world.clock.advance(minutes(1))
    expect(await read(world, 'c1')).toMatchObject({ spec: { serverRef: { name: 'srv-01' } }, status: { phase: 'Bound' } })
    expect((await world.kube.get(servers, { name: 'srv-01' })).spec.serverClaimRef).toMatchObject({ name: 'c1', namespace: 'default' })
    const configuration = await world.kube.get(configurations, { name: 'c1', namespace: 'default' })
    expect(configuration.spec).toEqual({ serverRef: { name: 'srv-01' }, image: 'os', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' } })
    expect(configuration.metadata.annotations).toBeUndefined()
    await world.stop()
  })
  it('X-011 I3 thirty claims for twenty servers: twenty are bound, each to one of its own, and the others say why', async () => {
    const world = await rack(20, always(image('uki')))
    await Promise.all(Array.from({ length: 30 }, (_, n) => claim(world, `c${n}`)))
    await world.clock.advance(minutes(5))
    const all = (await world.kube.list(claims, { namespace: 'default' })).items
    const taken = all.filter(c => c.status?.phase === 'Bound').map(c => c.spec.serverRef?.name)
    expect(taken).toHaveLength(20)
    expect(new Set(taken).size).toBe(20)
    const owners = (await world.kube.list(servers)).items.map(s => s.spec.serverClaimRef?.uid)
    expect(new Set(owners).size).toBe(20)
    const waiting = all.filter(c => c.status?.phase !== 'Bound')
    expect(waiting.map(c => c.status?.conditions?.find(k => k.type === 'Bound')?.message)).toEqual(
      Array(10).fill('0 of 20 servers fit: 20 are claimed'),
    )
    await world.stop()
  })
  it('BP-026 BP-027 BP-028 an image that does not fit binds nothing and creates nothing, and recovers when it is fixed', async () => {
    let facts = image('kernel', 'initramfs')
    const world = await rack(1, { inspect: async () => facts })
    await claim(world, 'c1')
    await world.clock.advance(minutes(1))
    expect((await read(world, 'c1')).status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'ImageValid', status: 'False', reason: 'MissingArtifact' }),
    )
    expect((await world.kube.get(servers, { name: 'srv-00' })).spec.serverClaimRef).toBeUndefined()
    expect((await world.kube.list(configurations)).items).toEqual([])
    const events = { group: '', version: 'v1', plural: 'events', namespaced: true }
    expect((await world.kube.list(events, { namespace: 'default' })).items).toContainEqual(
      expect.objectContaining({ type: 'Warning', reason: 'MissingArtifact' }),
    )
    facts = image('uki')
    await world.clock.advance(minutes(10))
    expect((await read(world, 'c1')).status?.phase).toBe('Bound')
    await world.stop()
  })
  it('a registry that is down holds the claim with its words, and nothing else', async () => {
    let down = true
    const world = await rack(1, {
      inspect: async () => {
        if (down) throw new Fault('image/registry-unreachable', 'Cannot reach r.io: connection refused')
        return image('uki')
      },
    })
    await claim(world, 'c1')
    await world.clock.advance(minutes(1))
    expect((await read(world, 'c1')).status?.conditions?.find(c => c.type === 'ImageValid')).toMatchObject({
      status: 'False',
      message: 'Cannot reach r.io: connection refused',
    })
    down = false
    await world.clock.advance(minutes(5))
    expect((await read(world, 'c1')).status?.phase).toBe('Bound')
    await world.stop()
  })
  it('a server that becomes free wakes the claims that it could satisfy, and no others', async () => {
    const world = await rack(2, always(image('uki')))
    await claim(world, 'c1')
    await claim(world, 'c2')
    await world.clock.advance(minutes(1))
    for (const name of ['waits', 'elsewhere'])
      await claim(world, name, { serverSelector: { matchLabels: { rack: name === 'waits' ? '0' : '1' } } })
    await world.clock.advance(minutes(1))
    const looks = async (name: string) => world.asked.filter(({ path }) => path.includes(`/serverclaims/${name}`)).length
    const before = await looks('elsewhere')
    const owner = (await world.kube.get(servers, { name: 'srv-00' })).spec.serverClaimRef?.name ?? ''
    await world.kube.delete(claims, { name: owner, namespace: 'default' })
    await world.kube.patch(servers, { name: 'srv-00' }, { merge: { spec: { serverClaimRef: null } } })
    await world.clock.settle()
    expect((await read(world, 'waits')).status?.binding?.server).toBe('srv-00')
    expect(await looks('elsewhere')).toBe(before)
    expect(world.logged.filter(({ level }) => level === 'error')).toEqual([])
    await world.stop()
  })
  it('I26 nothing is written once everything is as it should be', async () => {
    const world = await rack(3, always(image('uki')))
    for (const name of ['c1', 'c2']) await claim(world, name)
    await world.clock.advance(minutes(10))
    const before = world.writes().length
    await world.clock.advance(minutes(60))
    expect(world.writes().length).toBe(before)
    await world.stop()
  })
  it('I5 BP-038 a deleted claim stays until its server has let go, then its configuration goes with it', async () => {
    const world = await rack(1, always(image('uki')))
    await claim(world, 'c1')
    await world.clock.advance(minutes(1))
    await world.kube.delete(claims, { name: 'c1', namespace: 'default' })
    await world.clock.advance(minutes(10))
    expect((await read(world, 'c1')).metadata.deletionTimestamp).toBeDefined()
    await world.kube.patch(servers, { name: 'srv-00' }, { merge: { spec: { serverClaimRef: null } } })
    await world.clock.advance(minutes(10))
    expect(await world.kube.find(claims, { name: 'c1', namespace: 'default' })).toBeUndefined()
    expect(await world.kube.find(configurations, { name: 'c1', namespace: 'default' })).toBeUndefined()
    await world.stop()
  })

  it('BP-045 four claims over ten servers: any, by label, by name, by name and label; each has one of its own', async () => {
    const world = await rack(10, always(image('uki')))
    await claim(world, 'named', { serverRef: { name: 'srv-04' } })
    await claim(world, 'both', { serverRef: { name: 'srv-07' }, serverSelector: { matchLabels: { rack: '1' } } })
    await world.clock.advance(minutes(1))
    await claim(world, 'labelled', { serverSelector: { matchLabels: { rack: '1' } } })
    await claim(world, 'any')
    await world.clock.advance(minutes(1))
    const taken = new Map<string, string | undefined>()
    for (const name of ['any', 'labelled', 'named', 'both']) taken.set(name, (await read(world, name)).spec.serverRef?.name)
    expect(new Set(taken.values()).size).toBe(4)
    expect([taken.get('named'), taken.get('both')]).toEqual(['srv-04', 'srv-07'])
    expect(Number(taken.get('labelled')?.slice(-1)) % 2).toBe(1)
    const owners = (await world.kube.list(servers)).items.filter(({ spec }) => spec.serverClaimRef)
    expect(owners).toHaveLength(4)
    await world.stop()
  })
  it('a claim that no server fits is Unbound and says why: labels, a name whose labels differ, a server that is not Available', async () => {
    const world = await rack(2, always(image('uki')))
    await world.kube.patch(servers, { name: 'srv-01' }, { merge: { status: { state: 'Initial' } } }, { subresource: 'status' })
    await claim(world, 'labels', { serverSelector: { matchLabels: { rack: '9' } } })
    await claim(world, 'both', { serverRef: { name: 'srv-00' }, serverSelector: { matchLabels: { rack: '1' } } })
    await claim(world, 'busy', { serverRef: { name: 'srv-01' } })
    await world.clock.advance(minutes(2))
    for (const [name, why] of [
      ['labels', '0 of 2 servers fit: 2'],
      ['both', 'srv-00'],
      ['busy', 'server srv-01 is not available yet'],
    ] as const) {
      const { status, spec } = await read(world, name)
      expect(status).toMatchObject({
        phase: 'Unbound',
        conditions: [{ type: 'Bound', status: 'False', message: expect.stringContaining(why) }],
      })
      expect(spec.serverRef?.name).toBe(name === 'labels' ? undefined : name === 'both' ? 'srv-00' : 'srv-01')
    }
    expect((await world.kube.list(servers)).items.filter(({ spec }) => spec.serverClaimRef)).toEqual([])
    for (const name of ['labels', 'both', 'busy']) await world.kube.delete(claims, { name, namespace: 'default' })
    await world.clock.advance(minutes(1))
    expect((await world.kube.list(claims)).items).toEqual([])
    await world.stop()
  })
  it('a taint keeps claims away that do not tolerate it, and no others; without an effect it is NoBind', async () => {
    const world = await rack(1, always(image('uki')))
    await world.kube.patch(servers, { name: 'srv-00' }, { merge: { spec: { taints: [{ key: 'gpu' }] } } })
    expect((await world.kube.get(servers, { name: 'srv-00' })).spec.taints).toEqual([{ key: 'gpu', effect: 'NoBind' }])
    await claim(world, 'plain')
    await world.clock.advance(minutes(2))
    expect((await read(world, 'plain')).status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Bound', status: 'False', message: expect.stringContaining('tainted') }),
    )
    await claim(world, 'tolerant', { tolerations: [{ key: 'gpu', operator: 'Exists' }] })
    await world.clock.advance(minutes(2))
    expect((await read(world, 'tolerant')).status?.phase).toBe('Bound')
    await world.stop()
  })
  it('a cordoned server is taken neither by name nor by label; a claim that has it keeps it', async () => {
    const world = await rack(2, always(image('uki')))
    await claim(world, 'before', { serverRef: { name: 'srv-00' } })
    await world.clock.advance(minutes(1))
    for (const name of ['srv-00', 'srv-01']) await world.kube.patch(servers, { name }, { merge: { spec: { unclaimable: true } } })
    await claim(world, 'named', { serverRef: { name: 'srv-01' } })
    await claim(world, 'labelled', { serverSelector: { matchLabels: { rack: '1' } } })
    await world.clock.advance(minutes(30))
    expect((await read(world, 'before')).status?.phase).toBe('Bound')
    for (const name of ['named', 'labelled'])
      expect((await read(world, name)).status).toMatchObject({
        phase: 'Unbound',
        conditions: [{ type: 'Bound', message: expect.stringContaining('cordoned') }],
      })
    await world.kube.patch(servers, { name: 'srv-01' }, { merge: { spec: { unclaimable: false } } })
    await world.clock.advance(minutes(1))
    const bound = await Promise.all(['named', 'labelled'].map(async name => (await read(world, name)).status?.phase))
    expect(bound.toSorted()).toEqual(['Bound', 'Unbound'])
    await world.stop()
  })
  it('a parked server is nobody’s to take', async () => {
    const world = await rack(1, always(image('uki')))
    await world.kube.patch(servers, { name: 'srv-00' }, { merge: { status: { state: 'Parked' } } }, { subresource: 'status' })
    await claim(world, 'c1', { serverRef: { name: 'srv-00' } })
    await world.clock.advance(minutes(10))
    expect((await read(world, 'c1')).status?.phase).toBe('Unbound')
    expect((await world.kube.get(servers, { name: 'srv-00' })).spec.serverClaimRef).toBeUndefined()
    await world.stop()
  })
  it('a claim stays with its server, also where the API lets somebody name another', async () => {
    const world = await rack(2, always(image('uki')))
    await claim(world, 'c1', { serverSelector: { matchLabels: { rack: '1' } } })
    await world.clock.advance(minutes(1))
    await world.kube.patch(claims, { name: 'c1', namespace: 'default' }, { merge: { spec: { serverRef: { name: 'srv-00' } } } })
    await world.clock.advance(minutes(10))
    expect((await read(world, 'c1')).status).toMatchObject({ phase: 'Bound', binding: { server: 'srv-01' } })
    expect((await read(world, 'c1')).status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Accepted', status: 'False', reason: 'ServerRefChanged' }),
    )
    const owners = (await world.kube.list(servers)).items.map(({ spec }) => spec.serverClaimRef?.name)
    expect(owners).toEqual([undefined, 'c1'])
    await world.stop()
  })
})
