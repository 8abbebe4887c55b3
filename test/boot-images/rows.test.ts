import { describe, expect, it } from 'vitest'
import { histories, infrastructures, mapiSets, secrets } from '../../src/controllers/boot-images/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { exampleStream } from '../../src/policy/boot-images/fixture.ts'
import { reach } from '../../src/policy/boot-images/reach.ts'
import { allCapi, allMapi, capi, cluster, machineApi, newImage, oldImage } from './cluster.ts'

const key = { name: 'a', namespace: machineApi }
const image = '/spec/template/spec/providerSpec/value/disks/0/image'

describe('MachineSets of the Machine API, row by row', () => {
  it('BI-108 BI-048 an edit leads to a look, and to a patch only where the image differs', async () => {
    const world = await cluster()
    await world.machineSet('a')
    await world.optIn(allMapi)
    await world.kube.patch(mapiSets.of, key, { merge: { spec: { replicas: 7 } } })
    await world.passes()
    expect(world.patches(), 'BI-048 replicas are others\u2019 business').toBe(1)
    await world.kube.patch(mapiSets.of, key, { json: [{ op: 'replace', path: image, value: oldImage }] })
    await world.passes()
    expect([await world.imageOf('a'), world.patches()]).toEqual([newImage, 2])
    expect(reach(await world.kube.get(mapiSets.of, key), 'spec', 'replicas')).toBe(7)
    await world.end()
  })
  it('BI-040 a patch that fails is tried again, counted, and forgotten when it succeeds', async () => {
    const world = await cluster()
    await world.machineSet('a')
    let away = true
    world.through((request, onward) => {
      if (away && request.method === 'PATCH' && request.url.includes('/machinesets/')) {
        const body = Buffer.from(
          JSON.stringify({ kind: 'Status', status: 'Failure', code: 500, reason: 'InternalError', message: 'a blip' }),
        )
        return Promise.resolve({ status: 500, headers: {}, body })
      }
      return onward(request)
    })
    await world.optIn(allMapi)
    await world.passes(minutes(40))
    expect((await world.conditions())['BootImageUpdateDegraded']).toMatchObject({
      status: 'True',
      message: expect.stringContaining('a blip'),
    })
    away = false
    await world.passes(minutes(10))
    expect(await world.imageOf('a')).toBe(newImage)
    expect((await world.conditions())['BootImageUpdateDegraded'], 'BI-044').toMatchObject({ status: 'False' })
    await world.end()
  })
  it('BI-045 T-63 a resource that is not authoritative is skipped with a reason', async () => {
    const world = await cluster()
    const made = await world.machineSet('a')
    await world.kube.patch(mapiSets.of, made.metadata, { merge: { status: { authoritativeAPI: 'ClusterAPI' } } }, { subresource: 'status' })
    await world.optIn(allMapi)
    expect(await world.history('a')).toMatchObject({ decision: 'Skipped', reason: 'NotAuthoritative' })
    await world.end()
  })
  it('BI-035 BI-104 the stub is switched on every platform alike', async () => {
    const world = await cluster()
    await world.kube.patch(
      infrastructures,
      { name: 'cluster' },
      { merge: { status: { platformStatus: { type: 'AWS' } } } },
      { subresource: 'status' },
    )
    const value = { ami: { id: 'ami-new-us' }, placement: { region: 'us-east-1' }, userDataSecret: { name: 'worker-user-data' } }
    await world.machineSet('a', { value })
    await world.optIn(allMapi)
    expect(reach(await world.kube.get(mapiSets.of, key), 'spec', 'template', 'spec', 'providerSpec', 'value')).toEqual({
      ...value,
      userDataSecret: { name: 'worker-user-data-managed' },
    })
    await world.end()
  })
  it('BI-087 BI-090 BI-091 BI-093 T-52 T-53 a history per resource, beside it, under a name that no twin shares', async () => {
    const world = await cluster()
    await world.machineSet('a')
    await world.optIn(allMapi)
    const history = await world.kube.get(histories, { name: 'a-mapi-machinesets', namespace: machineApi })
    expect(history.spec.machineResourceReference).toEqual({ name: 'a', resource: 'machinesets', apiGroup: 'machine.openshift.io' })
    expect(history.status?.details).toEqual([
      { updateTime: expect.stringMatching(/^\d{4}-/), bootImageVersion: '9.6.20260420-0', configMapGeneration: 1, image: newImage },
    ])
    await world.kube.delete(mapiSets.of, key)
    await world.passes()
    expect((await world.kube.list(histories, {})).items, 'it goes with what it describes').toEqual([])
    await world.end()
  })
  it('BI-097 what a stub holds is nowhere but in its Secret', async () => {
    const world = await cluster({ stubs: 'upgrade' })
    const secret = 'c4n4ry-in-a-stub'
    const userData = Buffer.from(
      JSON.stringify({ ignition: { version: '2.2.0' }, passwd: { users: [{ passwordHash: secret }] } }),
    ).toString('base64')
    await world.kube.patch(secrets, { name: 'worker-user-data', namespace: machineApi }, { merge: { data: { userData } } })
    await world.machineSet('a')
    await world.optIn(allMapi)
    expect(await world.imageOf('a')).toBe(newImage)
    const events = await world.kube.list({ group: '', version: 'v1', plural: 'events', namespaced: true })
    const said = JSON.stringify([events.items, (await world.kube.list(histories)).items, await world.conditions(), world.logged])
    expect(said).not.toContain(secret)
    await world.end()
  })
  it('BI-015 BI-016 BI-018 BI-020 BI-106 T-49 nothing is ever written but machine resources, their histories, the stamp and the sum of it all', async () => {
    const world = await cluster()
    await world.machineSet('a')
    await capi(world, 'MachineSet', 'b')
    await capi(world, 'MachineDeployment', 'c')
    await world.optIn(allMapi, allCapi(), allCapi('machinedeployments'))
    await world.golden({ stream: JSON.stringify({ ...exampleStream, stream: 'rhel-9.8' }) })
    const written = world.writes().map(({ path }) => path.split('?')[0]?.match(/\/([a-z]+)(?:\/[^/]+)?(?:\/status)?$/)?.[1])
    expect([...new Set(written)].toSorted()).toEqual([
      'bootimagehistories',
      'configmaps',
      'events',
      'gcpmachinetemplates',
      'machineconfigurations',
      'machinedeployments',
      'machinesets',
    ])
    await world.end()
  })
  it('BI-047 without a feature gate of the cluster the opt-in alone decides', async () => {
    const world = await cluster()
    await world.machineSet('a')
    await world.passes(minutes(10))
    expect(await world.imageOf('a')).toBe(oldImage)
    await world.optIn(allMapi)
    expect(await world.imageOf('a')).toBe(newImage)
    await world.end()
  })
})
