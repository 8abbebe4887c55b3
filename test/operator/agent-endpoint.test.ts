import { expect, it } from 'vitest'
import { kind } from '../../src/api/kind.ts'
import { anything, array, string } from '../../src/api/schema.ts'
import { endpointSlices, keepEndpoint } from '../../src/cli/operator/agent-endpoint.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { testWorld } from '../runtime/world.ts'

const slice = kind({
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  scope: 'Namespaced',
  description: 'As a Kubernetes has it.',
  fields: {
    addressType: string('IPv4 or IPv6.'),
    endpoints: array(anything('One.'), 'Where.'),
    ports: array(anything('One.'), 'Which.'),
  },
  columns: [],
  example: {},
})

it('the Service for agents leads to the replica that acts, whichever that is, and is written to when that changes alone', async () => {
  const world = await testWorld([slice])
  const { kube, clock, log } = world
  let leader = ''
  const replica = (name: string, address: string) =>
    keepEndpoint(
      { kube, clock, log, namespace: 'default', leads: () => leader === name },
      { service: 'rackwright-agents', address, node: `node-of-${name}`, port: 6385 },
    )
  const replicas = [replica('a', '10.244.0.7'), replica('b', '10.244.1.9')]
  const led = async () => {
    await clock.advance(seconds(10))
    const found = await kube.find(endpointSlices, { name: 'rackwright-agents', namespace: 'default' })
    return found && { endpoints: found.endpoints, revision: found.metadata.resourceVersion, labels: found.metadata.labels }
  }
  expect(await led(), 'nobody acts').toBeUndefined()
  leader = 'a'
  const first = await led()
  expect(first).toMatchObject({
    endpoints: [{ addresses: ['10.244.0.7'], nodeName: 'node-of-a' }],
    labels: { 'kubernetes.io/service-name': 'rackwright-agents' },
  })
  await clock.advance(minutes(30))
  expect((await led())?.revision, 'nothing changes, nothing is written').toBe(first?.revision)
  leader = 'b'
  expect(await led()).toMatchObject({ endpoints: [{ addresses: ['10.244.1.9'], nodeName: 'node-of-b' }] })
  leader = 'a'
  expect(await led()).toMatchObject({ endpoints: [{ addresses: ['10.244.0.7'] }] })
  for (const one of replicas) one.close()
  await clock.advance(seconds(10))
  await world.close()
})
