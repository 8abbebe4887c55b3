import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { firmwareComponents, firmwareSettings, hosts, secrets, updatePolicies } from '../../src/controllers/metal3/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { openHosts } from './hosts.ts'

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

it('the example applies as it stands, and says what is in its way', async () => {
  const world = await openHosts()
  const text = readFileSync(new URL('../../examples/metal3/live-iso.yaml', import.meta.url), 'utf8')
  for (const object of parseAllDocuments(text).map(document => document.toJS() as KubeObject))
    await world.kube.create((object.kind === 'Secret' ? secrets : hosts) as typeof hosts, object as never)
  await world.until(minutes(10), 'it is told', async () => (await world.host('worker-0'))?.status?.errorType === 'registration error')
  expect((await world.host('worker-0'))?.status?.errorMessage).toMatch(/\w+/)
  await world.stop()
})
