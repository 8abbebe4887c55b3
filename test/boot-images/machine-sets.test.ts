import { describe, expect, it } from 'vitest'
import {
  clusterVersions,
  goldenKey,
  goldenMaps,
  histories,
  machineConfigPools,
  mapiSets,
} from '../../src/controllers/boot-images/resources.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { exampleStream } from '../../src/policy/boot-images/fixture.ts'
import { reach } from '../../src/policy/boot-images/reach.ts'
import { allMapi, cluster, machineApi, newImage, oldImage } from './cluster.ts'

describe('MachineSets of the Machine API', () => {
  it('BI-001 BI-004 BI-006 BI-011 BI-007 BI-008 BI-021 BI-023 BI-034 BI-036 BI-073 BI-082 BI-083 BI-100 BI-107 T-50 T-60 after an upgrade everything that is opted in is patched once, image and stub together', async () => {
    const world = await cluster()
    for (const name of ['a', 'b', 'c']) await world.machineSet(name)
    await world.passes()
    expect(world.patches(), 'BI-011 BI-004 nothing without opt-in').toBe(0)
    await world.optIn(allMapi)
    for (const name of ['a', 'b', 'c']) {
      expect(await world.imageOf(name)).toBe(newImage)
      expect(await world.history(name)).toMatchObject({ decision: 'Current', details: 1 })
    }
    const found = await world.kube.get(mapiSets.of, { name: 'a', namespace: machineApi })
    expect(reach(found, 'spec', 'template', 'spec', 'providerSpec', 'value')).toEqual({
      disks: [{ boot: true, image: newImage }],
      userDataSecret: { name: 'worker-user-data-managed' },
      zone: 'a',
    })
    expect(world.patches()).toBe(3)
    expect(await world.conditions()).toMatchObject({
      BootImageUpdateProgressing: { status: 'False', message: 'Reconciled 3 of 3 MAPI MachineSets' },
      BootImageUpdateDegraded: { status: 'False' },
    })
    const writes = world.writes().length
    await world.passes(hours(2))
    expect(world.writes().length, 'at rest nothing is written').toBe(writes)
    await world.end()
  })
  it('BI-025 BI-026 BI-027 BI-028 UP-BI-01 the stamp comes with the first control-plane machine that runs the new system, and nothing before it', async () => {
    const world = await cluster()
    const pool = (status: object) =>
      world.kube.patch(machineConfigPools, { name: 'master' }, { merge: { status } }, { subresource: 'status' })
    const updating = { conditions: [{ type: 'Updating', status: 'True' }], configuration: { name: 'rendered-1' } }
    await pool({ ...updating, updatedMachineCount: 0 })
    await world.machineSet('a')
    await world.optIn(allMapi)
    expect(await world.history('a')).toMatchObject({ decision: 'Waiting', reason: 'NotStamped' })
    expect((await world.conditions())['BootImageUpdateDegraded']).toMatchObject({ status: 'False' })
    await world.passes(minutes(70))
    expect((await world.conditions())['BootImageUpdateDegraded'], 'BI-039 T-58 the stamp is overdue').toMatchObject({
      status: 'True',
      reason: 'StampOverdue',
      message: expect.stringContaining('no machine of pool master runs the new configuration yet'),
    })
    expect(world.patches()).toBe(0)
    await pool({ ...updating, updatedMachineCount: 1 })
    await world.passes()
    expect((await world.kube.get(goldenMaps, goldenKey)).data).toMatchObject({ MCOReleaseImageVersion: '4.22.3' })
    expect(await world.imageOf('a')).toBe(newImage)
    expect((await world.conditions())['BootImageUpdateDegraded'], 'BI-044 clears by itself').toMatchObject({ status: 'False' })
    await world.end()
  })
  it('BI-009 X-022 UP-BI-01 UP-BI-02 nothing while an upgrade is under way; one pass when it ends', async () => {
    const world = await cluster()
    await world.kube.patch(
      clusterVersions,
      { name: 'version' },
      { merge: { status: { history: [{ state: 'Partial', version: '4.22.3' }] } } },
      { subresource: 'status' },
    )
    await world.machineSet('a')
    await world.optIn(allMapi)
    expect(await world.history('a')).toMatchObject({ decision: 'Waiting', reason: 'NotStable' })
    await world.kube.patch(
      clusterVersions,
      { name: 'version' },
      { merge: { status: { history: [{ state: 'Completed', version: '4.22.3' }] } } },
      { subresource: 'status' },
    )
    await world.passes()
    expect([await world.imageOf('a'), world.patches()]).toEqual([newImage, 1])
    await world.end()
  })
  it('BI-067 BI-079 BI-080 BI-081 X-021 UP-BI-19 opting out keeps the last image, and nothing more is written', async () => {
    const world = await cluster()
    await world.machineSet('a')
    await world.optIn(allMapi)
    await world.optIn({ ...allMapi, selection: { mode: 'None' } })
    expect(await world.imageOf('a')).toBe(newImage)
    expect(await world.history('a')).toMatchObject({ decision: 'Skipped', reason: 'OptedOut' })
    const next = structuredClone(exampleStream)
    next.architectures.x86_64.images.gcp.name = 'rhcos-9-8'
    await world.golden({ stream: JSON.stringify(next) })
    expect([await world.imageOf('a'), world.patches()]).toEqual([newImage, 1])
    await world.end()
  })
  it('BI-074 BI-076 UP-BI-21 with Partial only those that the selector finds', async () => {
    const world = await cluster()
    await world.machineSet('a', { metadata: { labels: { managed: 'yes' } } })
    await world.machineSet('b')
    await world.optIn({
      ...allMapi,
      selection: { mode: 'Partial', partial: { machineResourceSelector: { matchLabels: { managed: 'yes' } } } },
    })
    expect([await world.imageOf('a'), await world.imageOf('b')]).toEqual([newImage, oldImage])
    await world.end()
  })
  it('BI-010 BI-024 UP-BI-08 BI-037 BI-041 BI-042 T-45 T-46 an owner: skipped, named, degraded after the threshold until it is excluded; others go on', async () => {
    const world = await cluster()
    const owner = { apiVersion: 'hive.openshift.io/v1', kind: 'MachinePool', name: 'pool', uid: 'u' }
    await world.machineSet('a', { metadata: { ownerReferences: [owner], labels: { of: 'hive' } } })
    await world.machineSet('b')
    await world.optIn(allMapi)
    expect([await world.imageOf('a'), await world.imageOf('b')]).toEqual([oldImage, newImage])
    expect(await world.history('a')).toMatchObject({ decision: 'Failed', reason: 'HasOwner' })
    expect((await world.conditions())['BootImageUpdateDegraded']).toMatchObject({ status: 'False' })
    await world.passes(minutes(40))
    expect((await world.conditions())['BootImageUpdateDegraded']).toMatchObject({
      status: 'True',
      message: expect.stringContaining('a: MachinePool pool owns it'),
    })
    const expression = { key: 'of', operator: 'NotIn', values: ['hive'] }
    await world.optIn({
      ...allMapi,
      selection: { mode: 'Partial', partial: { machineResourceSelector: { matchExpressions: [expression] } } },
    })
    expect((await world.conditions())['BootImageUpdateDegraded']).toMatchObject({ status: 'False' })
    await world.end()
  })
  it('BI-038 a ConfigMap edited to nonsense: nothing is patched, the error says what; mended, all goes on', async () => {
    const world = await cluster()
    await world.machineSet('a')
    await world.golden({ stream: '{"architectures": ' })
    await world.optIn(allMapi)
    expect(await world.history('a')).toMatchObject({
      decision: 'Failed',
      reason: 'BadConfigMap',
      because: expect.stringContaining('not JSON'),
    })
    expect(await world.imageOf('a')).toBe(oldImage)
    await world.golden({ stream: JSON.stringify(exampleStream) })
    expect(await world.imageOf('a')).toBe(newImage)
    await world.end()
  })
  it('BI-031 BI-092 BI-109 T-57 boot images follow a downgrade', async () => {
    const world = await cluster()
    await world.machineSet('a')
    await world.optIn(allMapi)
    const older = structuredClone(exampleStream)
    older.architectures.x86_64.images.gcp.name = 'rhcos-9-4-older'
    await world.golden({ stream: JSON.stringify(older) })
    expect(await world.imageOf('a')).toBe('projects/rhcos-cloud/global/images/rhcos-9-4-older')
    expect(await world.history('a')).toMatchObject({ details: 2 })
    await world.end()
  })
  it('X-025 UP-BI-03 somebody puts the old image back each time: named, and after three rounds only that resource rests, also over a restart', async () => {
    const world = await cluster()
    await world.machineSet('a')
    await world.machineSet('b')
    await world.optIn(allMapi)
    const back = { op: 'replace' as const, path: '/spec/template/spec/providerSpec/value/disks/0/image', value: oldImage }
    for (let round = 0; round < 5; round++) {
      await world.kube.patch(mapiSets.of, { name: 'a', namespace: machineApi }, { json: [back] })
      await world.passes()
      if (round === 1) await world.restart()
    }
    expect(await world.history('a')).toMatchObject({ decision: 'Paused', reason: 'HotLoop', because: expect.stringContaining('puts back') })
    expect(await world.imageOf('a')).toBe(oldImage)
    expect(await world.imageOf('b')).toBe(newImage)
    expect(world.patches()).toBe(2 + 2)
    await world.end()
  })
  it('pauses by annotation or on its history, and says what it would do in a dry run', async () => {
    const world = await cluster({ dryRun: true })
    await world.machineSet('a')
    await world.machineSet('b', { metadata: { annotations: { 'rackwright.dev/boot-image-pause': 'while we look' } } })
    await world.optIn(allMapi)
    expect(await world.history('a')).toMatchObject({ reason: 'DryRun', because: `would write ${newImage} in place of ${oldImage}` })
    expect(await world.history('b')).toMatchObject({ decision: 'Paused', because: 'nothing is written for now: while we look' })
    expect(world.patches()).toBe(0)
    await world.end()
  })
  it('BI-095 BI-096 X-026 goes back to an image of its history and stays there', async () => {
    const world = await cluster()
    await world.machineSet('a')
    await world.optIn(allMapi)
    const older = structuredClone(exampleStream)
    older.architectures.x86_64.images.gcp.name = 'rhcos-bad'
    await world.golden({ stream: JSON.stringify(older) })
    expect(await world.imageOf('a')).toBe('projects/rhcos-cloud/global/images/rhcos-bad')
    await world.kube.patch(histories, { name: 'a-mapi-machinesets', namespace: machineApi }, { merge: { spec: { restore: newImage } } })
    await world.passes()
    expect(await world.imageOf('a')).toBe(newImage)
    expect(await world.history('a')).toMatchObject({ decision: 'Paused', reason: 'Restored' })
    await world.passes(hours(1))
    expect(await world.imageOf('a')).toBe(newImage)
    await world.end()
  })
})
