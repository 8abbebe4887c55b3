import { expect, it } from 'vitest'
import { claims, configurations, type ServerClaim, servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import type { NewObject } from '../../src/ports/index.ts'
import { openMetalRack, secrets } from './rack.ts'

it('I4 an installation that passed while nobody could write for its server is marked before it is called done: its next boot is from disk', async () => {
  const world = await openMetalRack()
  const key = { name: 'c1', namespace: 'default' }
  await world.until(
    minutes(30),
    'the server is discovered',
    async () => (await world.kube.list(servers)).items[0]?.status?.state === 'Available',
  )
  await world.kube.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'user-data', namespace: 'default' },
    stringData: { ignition: '{"ignition":{"version":"3.4.0"}}' },
  })
  const from = world.events.length
  let away = false
  world.rack.onEvent(event => {
    if (event.what === 'power') away = event.to === 'On'
    if (event.what === 'runs' && event.from === 'Hdd') away = false
  })
  world.through((request, onward) =>
    away && request.method === 'PATCH' && request.url.includes('/servers/')
      ? Promise.reject(new Error('the API is away'))
      : onward(request),
  )
  const spec = {
    power: 'On',
    image: 'my-uki-osimage:latest',
    ignitionSecretRef: { name: 'user-data' },
    bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' },
  }
  await world.kube.create(claims, {
    apiVersion: 'metal.ironcore.dev/v1alpha1',
    kind: 'ServerClaim',
    metadata: key,
    spec,
  } as NewObject<ServerClaim>)
  const runs = (since: number): boolean => world.events.slice(since).some(event => event.what === 'runs' && event.from === 'Hdd')
  await world.until(minutes(60), 'what was installed runs', () => runs(from))
  await world.until(
    minutes(60),
    'it is marked as provisioned',
    async () => (await world.kube.get(configurations, key)).metadata.annotations?.['metal.ironcore.dev/provisioned'] === 'true',
  )
  const installed = world.events.length
  await world.kube.patch(claims, key, { merge: { spec: { power: 'Off' } } })
  await world.until(minutes(30), 'it is off', () =>
    world.events.slice(installed).some(event => event.what === 'power' && event.to === 'Off'),
  )
  await world.kube.patch(claims, key, { merge: { spec: { power: 'On' } } })
  await world.until(minutes(30), 'it runs again', () => runs(installed))
  const boots = world.events.slice(from).flatMap(event => (event.what === 'boots' ? [event.from] : []))
  await world.stop()
  expect(boots).toEqual(['UefiHttp', 'Hdd', 'Hdd'])
})
