import { expect, it } from 'vitest'
import { hosts, secrets } from '../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { openHosts } from './hosts.ts'

const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }

it('BMO-1190 a host that is gone is not looked at any more, and costs nobody a request', async () => {
  const world = await openHosts()
  await world.make('srv-1', { online: false })
  await world.reaches('srv-1', 'available')
  await world.remove('srv-1')
  await world.until(minutes(10), 'it is gone', async () => (await world.host('srv-1')) === undefined)
  await world.clock.advance(minutes(1))
  const before = { calls: world.rack.counts('srv-1').calls, writes: world.writes().length }
  await world.clock.advance(hours(2))
  expect({ calls: world.rack.counts('srv-1').calls, writes: world.writes().length }).toEqual(before)
  await world.stop()
})

it('I23 BMO-482 a host goes with its namespace, in which nothing can be made any more', async () => {
  const world = await openHosts()
  const { kube } = world
  const key = { name: 'srv-1', namespace: 'team' }
  const finalizers = ['example.com/held']
  await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } })
  const data = { username: btoa(world.rack.username), password: btoa('c4n4ry') }
  await kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { ...key, finalizers }, data } as never)
  await kube.create(hosts, {
    apiVersion: 'metal3.io/v1alpha1',
    kind: 'BareMetalHost',
    metadata: key,
    spec: {
      online: true,
      bmc: { address: 'redfish-virtualmedia://srv-1', credentialsName: 'srv-1' },
      inspectionMode: 'fast',
      automatedCleaningMode: 'disabled',
      image: { url: 'https://images.example/live.iso', format: 'live-iso' },
    },
  } as never)
  const found = () => kube.find(hosts, key)
  await world.until(minutes(20), 'it is provisioned', async () => (await found())?.status?.provisioning?.state === 'provisioned')
  await kube.delete(namespaces, { name: 'team' })
  await kube.delete(hosts, key)
  await world.until(hours(1), 'it is gone', async () => (await found()) === undefined)
  const { power, media } = world.rack.machine('srv-1')
  expect({ power, media }).toEqual({ power: 'Off', media: undefined })
  await world.stop()
})
