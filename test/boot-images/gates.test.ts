import { describe, expect, it } from 'vitest'
import { clusterOperators, featureGates, machineConfigurations } from '../../src/controllers/boot-images/resources.ts'
import { allMapi, cluster, newImage, oldImage } from './cluster.ts'

describe('gates', () => {
  it('BI-022 BI-046 T-59 the feature gate of the cluster comes first, the opt-in second', async () => {
    const world = await cluster()
    const gate = (enabled: readonly object[], disabled: readonly object[]) => ({ featureGates: [{ version: '4.22.3', enabled, disabled }] })
    const name = { name: 'ManagedBootImages' }
    const config = { apiVersion: 'config.openshift.io/v1', kind: 'FeatureGate', metadata: { name: 'cluster' }, spec: {} }
    await world.make(featureGates, { ...config, status: gate([], [name]) })
    await world.machineSet('a')
    await world.optIn(allMapi)
    expect([await world.imageOf('a'), await world.history('a')]).toMatchObject([oldImage, { reason: 'FeatureGate' }])
    await world.kube.patch(featureGates, { name: 'cluster' }, { merge: { status: gate([name], []) } }, { subresource: 'status' })
    await world.passes()
    expect(await world.imageOf('a')).toBe(newImage)
    await world.end()
  })
  it('T-61 where a machine-config operator runs, nothing is stamped, patched or said on its object, until it is told to take over', async () => {
    const world = await cluster()
    await world.make(clusterOperators, {
      apiVersion: 'config.openshift.io/v1',
      kind: 'ClusterOperator',
      metadata: { name: 'machine-config' },
    })
    await world.machineSet('a')
    await world.optIn(allMapi)
    expect(await world.imageOf('a')).toBe(oldImage)
    expect((await world.kube.get(machineConfigurations, { name: 'cluster' })).status).toBeUndefined()
    expect(world.writes().filter(({ path }) => path.includes('configmaps'))).toEqual([])
    await world.restart({ takeOver: true })
    expect(await world.history('a'), 'the other stamps').toMatchObject({ reason: 'NotStamped' })
    await world.golden({ MCOReleaseImageVersion: '4.22.3' })
    expect(await world.imageOf('a')).toBe(newImage)
    await world.end()
  })
  it('BI-078 T-44 an empty selector selects everything, and a warning says so', async () => {
    const world = await cluster()
    await world.machineSet('a')
    await world.optIn({ ...allMapi, selection: { mode: 'Partial', partial: { machineResourceSelector: { matchLabels: {} } } } })
    expect(await world.imageOf('a')).toBe(newImage)
    const events = await world.kube.list({ group: '', version: 'v1', plural: 'events', namespaced: true })
    expect(events.items.map(event => (event as unknown as { reason: string }).reason)).toContain('SelectsEverything')
    await world.end()
  })
})
