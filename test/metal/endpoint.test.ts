import { expect, it } from 'vitest'
import { kinds } from '../../src/api/kinds.ts'
import { endpointController } from '../../src/controllers/metal/endpoint/index.ts'
import { bmcs, type Endpoint, endpoints } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { testWorld } from '../runtime/world.ts'

const prefixes = [
  {
    macPrefix: '52:54:00',
    manufacturer: 'QEMU',
    protocol: { name: 'Redfish', port: 443 },
    credentials: { name: 'factory', kind: 'BMCSecret' },
  } as const,
]
const seenAt = (name: string, macAddress: string) =>
  ({ apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'Endpoint', metadata: { name }, spec: { macAddress, ip: '10.0.0.7' } }) as Endpoint

it('X-001 a controller that DHCP saw becomes a BMC once; what somebody changed on it stays', async () => {
  const world = await testWorld(kinds)
  const controllers = world.controllers()
  controllers.add(kube => endpointController({ kube, prefixes }))
  controllers.start()
  await world.kube.create(endpoints, seenAt('e1', '52:54:00:00:00:01'))
  await world.kube.create(endpoints, seenAt('e2', 'AA:BB:CC:00:00:01'))
  await world.clock.advance(minutes(1))
  expect((await world.kube.get(bmcs, { name: 'e1' })).spec).toMatchObject({
    endpointRef: { name: 'e1' },
    bmcSecretRef: { name: 'factory' },
  })
  expect(await world.kube.find(bmcs, { name: 'e2' })).toBeUndefined()
  expect((await world.kube.get(endpoints, { name: 'e2' })).status?.conditions).toMatchObject([
    { type: 'Accepted', status: 'False', reason: 'UnknownPrefix' },
  ])
  await world.kube.patch(bmcs, { name: 'e1' }, { merge: { spec: { bmcSecretRef: { name: 'rotated', kind: 'BMCSecret' } } } })
  await world.clock.advance(minutes(10))
  expect((await world.kube.get(bmcs, { name: 'e1' })).spec.bmcSecretRef.name).toBe('rotated')
  const writes = world.writes().length
  await world.clock.advance(minutes(60))
  expect(world.writes().length).toBe(writes)
  await controllers.stop()
  await world.close()
})
