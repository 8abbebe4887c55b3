import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { dataImages, firmwareComponents, firmwareSettings, hosts, secrets, updatePolicies } from '../../src/controllers/metal3/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { manifests } from './fixtures/manifests.ts'
import { namespace, openHosts } from './hosts.ts'

it('the example of firmware applies as it stands', async () => {
  const world = await openHosts()
  const text = readFileSync(new URL('../../examples/metal3/firmware.yaml', import.meta.url), 'utf8')
  const of = { HostFirmwareSettings: firmwareSettings, HostFirmwareComponents: firmwareComponents, HostUpdatePolicy: updatePolicies }
  for (const object of parseAllDocuments(text).map(document => document.toJS() as KubeObject)) {
    const made = await world.kube.create(of[object.kind as keyof typeof of] as typeof firmwareSettings, object as never)
    expect(made['spec' as keyof typeof made]).toEqual(object['spec'])
  }
  await world.stop()
})

describe('what Metal3’s users have applies unchanged, and nothing of it is dropped', () => {
  const of: Readonly<Record<string, typeof hosts>> = {
    BareMetalHost: hosts,
    DataImage: dataImages as unknown as typeof hosts,
    HostFirmwareSettings: firmwareSettings as unknown as typeof hosts,
    HostFirmwareComponents: firmwareComponents as unknown as typeof hosts,
    HostUpdatePolicy: updatePolicies as unknown as typeof hosts,
  }
  it.each(Object.entries(manifests))('%s', async (_, object) => {
    const world = await openHosts()
    const made = await world.kube.create(of[object.kind]!, object as never, { fieldValidation: 'Strict' })
    expect(made).toMatchObject(object)
    await world.stop()
  })
  it('the status of one that baremetal-operator installed with settings of old', async () => {
    const world = await openHosts()
    const annotations = { 'baremetalhost.metal3.io/paused': '' }
    await world.make('srv-1', {}, { annotations })
    const provisioning = { state: 'provisioned', ID: '7', firmware: { virtualizationEnabled: true } }
    const status = { operationalStatus: 'OK', errorCount: 0, errorMessage: '', poweredOn: true, provisioning }
    const options = { subresource: 'status', fieldValidation: 'Strict' } as const
    await world.kube.patch(hosts, { name: 'srv-1', namespace }, { merge: { status } }, options)
    expect((await world.host('srv-1'))?.status).toMatchObject(status)
    await world.stop()
  })
})

it('the example applies as it stands, and says what is in its way', async () => {
  const world = await openHosts()
  const text = readFileSync(new URL('../../examples/metal3/live-iso.yaml', import.meta.url), 'utf8')
  for (const object of parseAllDocuments(text).map(document => document.toJS() as KubeObject))
    await world.kube.create((object.kind === 'Secret' ? secrets : hosts) as typeof hosts, object as never)
  await world.until(minutes(10), 'it is told', async () => (await world.host('worker-0'))?.status?.errorType === 'registration error')
  expect((await world.host('worker-0'))?.status?.errorMessage).toMatch(/\w+/)
  await world.stop()
})
