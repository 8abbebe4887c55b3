import { describe, expect, it } from 'vitest'
import { capiDeployments, capiSets } from '../../src/controllers/boot-images/resources.ts'
import { hours } from '../../src/core/duration.ts'
import { exampleStream } from '../../src/policy/boot-images/fixture.ts'
import { reach } from '../../src/policy/boot-images/reach.ts'
import { allCapi, type Cluster, capi, cluster, clusterApi, gcpTemplates, newImage, oldImage } from './cluster.ts'

const templates = async (world: Cluster) => {
  const { items } = await world.kube.list(gcpTemplates, { namespace: clusterApi })
  return Object.fromEntries(items.map(item => [item.metadata.name, reach(item, 'spec', 'template', 'spec', 'image')]))
}
const set = async (world: Cluster, name: string) => {
  const spec = reach(await world.kube.get(capiSets.of, { name, namespace: clusterApi }), 'spec', 'template', 'spec')
  return { template: reach(spec, 'infrastructureRef', 'name'), stub: reach(spec, 'bootstrap', 'dataSecretName') }
}
const other = (name: string): string => {
  const next = structuredClone(exampleStream)
  next.architectures.x86_64.images.gcp.name = name
  return JSON.stringify(next)
}

describe('machine resources of the Cluster API', () => {
  it('BI-053 BI-055 BI-065 BI-056 BI-057 BI-058 BI-059 BI-060 BI-061 a template is cloned under the name of its content, never edited', async () => {
    const world = await cluster()
    await capi(world, 'MachineSet', 'a', {
      ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'Cluster', name: 'c1', uid: 'u' }],
    })
    await world.optIn(allCapi())
    const { template, stub } = await set(world, 'a')
    expect(template).toMatch(/^a-[0-9a-f]{8}$/)
    expect(stub).toBe('worker-user-data-managed')
    expect(await templates(world)).toEqual({ a: oldImage, [String(template)]: newImage })
    const clone = await world.kube.get(gcpTemplates, { name: String(template), namespace: clusterApi })
    expect(reach(clone, 'spec', 'template', 'spec')).toEqual({ image: newImage, instanceType: 'n1-standard-4' })
    expect(await world.history('a', 'capi-machinesets', clusterApi)).toMatchObject({ decision: 'Current', details: 1 })
    const writes = world.writes().length
    await world.passes(hours(1))
    expect(world.writes().length).toBe(writes)
    await world.end()
  })
  it('BI-062 a clone that nothing refers to any more is collected; what somebody else made stays', async () => {
    const world = await cluster()
    await capi(world, 'MachineSet', 'a')
    await world.optIn(allCapi())
    const first = String((await set(world, 'a')).template)
    await world.golden({ stream: other('rhcos-next') })
    const second = String((await set(world, 'a')).template)
    expect(second).not.toBe(first)
    expect(await templates(world)).toEqual({ a: oldImage, [second]: 'projects/rhcos-cloud/global/images/rhcos-next' })
    await world.end()
  })
  it('BI-062 a clone that another MachineSet uses, too, is kept until that one has moved on', async () => {
    const world = await cluster()
    await capi(world, 'MachineSet', 'a')
    await world.optIn(allCapi())
    const first = String((await set(world, 'a')).template)
    await capi(world, 'MachineSet', 'b', { annotations: { 'rackwright.dev/boot-image-pause': 'on purpose' } })
    const ref = { op: 'replace' as const, path: '/spec/template/spec/infrastructureRef/name', value: first }
    await world.kube.patch(capiSets.of, { name: 'b', namespace: clusterApi }, { json: [ref] })
    await world.golden({ stream: other('rhcos-next') })
    expect(Object.keys(await templates(world))).toContain(first)
    await world.kube.delete(capiSets.of, { name: 'b', namespace: clusterApi })
    await world.passes()
    expect(Object.keys(await templates(world))).not.toContain(first)
    await world.end()
  })
  it('BI-063 BI-064 T-47 a MachineDeployment is patched, its MachineSets are not; one of a topology is left alone', async () => {
    const world = await cluster()
    await capi(world, 'MachineDeployment', 'd')
    const { uid } = (await world.kube.get(capiDeployments.of, { name: 'd', namespace: clusterApi })).metadata
    const owner = { apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'MachineDeployment', name: 'd', uid }
    await capi(world, 'MachineDeployment', 't', { labels: { 'topology.cluster.x-k8s.io/owned': '' } })
    await capi(world, 'MachineSet', 'd-1', { ownerReferences: [owner] })
    await capi(world, 'MachineSet', 'alone')
    await world.optIn(allCapi(), allCapi('machinedeployments'))
    const deployment = await world.kube.get(capiDeployments.of, { name: 'd', namespace: clusterApi })
    expect(reach(deployment, 'spec', 'template', 'spec', 'infrastructureRef', 'name')).toMatch(/^d-[0-9a-f]{8}$/)
    expect((await set(world, 'd-1')).template).toBe('d-1')
    expect((await set(world, 'alone')).template).toMatch(/^alone-/)
    expect(await world.history('d-1', 'capi-machinesets', clusterApi)).toMatchObject({ decision: 'Skipped', reason: 'OfDeployment' })
    expect(await world.history('t', 'capi-machinedeployments', clusterApi)).toMatchObject({ decision: 'Skipped', reason: 'OfTopology' })
    await world.end()
  })
})
