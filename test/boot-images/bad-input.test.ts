import { describe, expect, it } from 'vitest'
import { unsupportedPlatform } from '../../src/api/openshift/admission.ts'
import { infrastructures, secrets } from '../../src/controllers/boot-images/resources.ts'
import { allMapi, type Cluster, cluster, machineApi, newImage, oldImage } from './cluster.ts'

type Given = Parameters<Cluster['machineSet']>[1]
const arch = (value: string) => ({ annotations: { 'capacity.cluster-autoscaler.kubernetes.io/labels': value } })
const boot = { disks: [{ boot: true, image: oldImage }] }

describe('bad input', () => {
  const rows: readonly (readonly [what: string, given: Given, decision: string, reason: string])[] = [
    ['UP-BI-22 an unknown architecture', { metadata: arch('kubernetes.io/arch=vax') }, 'Failed', 'Architecture'],
    ['an architecture that the stream lacks', { metadata: arch('kubernetes.io/arch=ppc64le') }, 'Failed', 'NoArchitecture'],
    ['UP-BI-05 labels without an architecture', { metadata: arch('x=y') }, 'Failed', 'Architecture'],
    ['no providerSpec', { value: null }, 'Failed', 'NoSpec'],
    ['no user data Secret named', { value: boot }, 'Failed', 'NoStub'],
    ['UP-BI-23 a Secret that is not there', { value: { ...boot, userDataSecret: { name: 'infra-user-data' } } }, 'Failed', 'NoManagedStub'],
    ['T-62 a stub of another name', { value: { ...boot, userDataSecret: { name: 'mine' } } }, 'Failed', 'ForeignStub'],
    ['UP-BI-23 a managed stub that is no JSON', { value: { ...boot, userDataSecret: { name: 'text-user-data' } } }, 'Failed', 'BadStub'],
    [
      'UP-BI-07 Windows machines',
      { metadata: { labels: { 'machineconfiguration.openshift.io/osstream': 'rhel-10' } } },
      'Skipped',
      'OtherStream',
    ],
    ['X-023 T-48 an image of somebody’s own', { image: 'projects/mine/global/images/x' }, 'Skipped', 'CustomImage'],
    ['a providerSpec of another shape', { value: { disks: 'many' } }, 'Skipped', 'NoBootImage'],
  ]
  it('each is a reason on that resource; the others go on, and nothing is thrown', async () => {
    const world = await cluster()
    const data = { userData: Buffer.from('#!/bin/sh').toString('base64') }
    await world.make(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'text-user-data-managed', namespace: machineApi },
      data,
    })
    for (const [index, [, given]] of rows.entries()) await world.machineSet(`bad-${index}`, given)
    await world.machineSet('good')
    await world.optIn(allMapi)
    for (const [index, [what, , decision, reason]] of rows.entries())
      expect({ what, ...(await world.history(`bad-${index}`)) }).toMatchObject({
        what,
        decision,
        reason,
        because: expect.stringMatching(/\w/),
      })
    expect(await world.imageOf('good')).toBe(newImage)
    expect(world.patches()).toBe(1)
    expect(world.logged.filter(({ level }) => level === 'error')).toEqual([])
    await world.end()
  })
  it('BI-052 BI-085 on a platform that nobody knows the opt-in is refused in the words of the admission policy', async () => {
    const world = await cluster()
    const status = { platformStatus: { type: 'Mainframe' } }
    await world.kube.patch(infrastructures, { name: 'cluster' }, { merge: { status } }, { subresource: 'status' })
    await world.machineSet('a')
    await world.optIn(allMapi)
    expect((await world.conditions())['Accepted']).toMatchObject({ status: 'False', message: unsupportedPlatform })
    expect(await world.imageOf('a')).toBe(oldImage)
    await world.end()
  })
  it('BI-005 BI-017 a control plane that is elsewhere closes the gate', async () => {
    const world = await cluster()
    await world.kube.patch(
      infrastructures,
      { name: 'cluster' },
      { merge: { status: { controlPlaneTopology: 'External' } } },
      { subresource: 'status' },
    )
    await world.machineSet('a')
    await world.optIn(allMapi)
    expect(await world.history('a')).toMatchObject({ decision: 'Waiting', reason: 'NotStandalone' })
    await world.end()
  })
})
