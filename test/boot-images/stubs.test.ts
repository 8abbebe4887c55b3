import { expect, it } from 'vitest'
import { authorityKey, authorityMaps, secrets } from '../../src/controllers/boot-images/resources.ts'
import { allMapi, type Cluster, cluster, machineApi, newImage } from './cluster.ts'

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const stub = { ignition: { version: '3.2.0', security: { tls: { certificateAuthorities: [{ source: 'data:,old' }] } } } }
const managed = { name: 'worker-user-data-managed', namespace: machineApi }
const read = async (world: Cluster) =>
  JSON.parse(Buffer.from((await world.kube.get(secrets, managed)).data?.['userData'] ?? '', 'base64').toString()) as typeof stub

it('BI-013 BI-014 T-55 managed stubs follow the certificate of the machine-config server and what a user adds; nothing before somebody opts in', async () => {
  const world = await cluster()
  await world.kube.patch(secrets, managed, { merge: { data: { userData: encoded(stub) } } })
  await world.make(authorityMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: authorityKey, data: { 'ca-bundle.crt': 'PEM' } })
  await world.passes()
  expect(await read(world)).toEqual(stub)
  await world.machineSet('a')
  await world.optIn(allMapi)
  expect((await read(world)).ignition.security.tls.certificateAuthorities).toEqual([
    { source: 'data:text/plain;charset=utf-8;base64,UEVN' },
  ])
  const data = { userData: encoded({ ignition: { version: '3.2.0' }, passwd: {} }) }
  await world.make(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'worker-user-data-custom', namespace: machineApi },
    data,
  })
  await world.passes()
  expect(JSON.stringify(await read(world))).toContain('vnd.rackwright.custom')
  const writes = world.writes().length
  await world.passes(3_600_000)
  expect(world.writes().length).toBe(writes)
  await world.end()
})
it('X-024 UP-BI-24 in the other mode the Secret stays and is lifted to spec 3, with what it was kept beside', async () => {
  const world = await cluster({ stubs: 'upgrade' })
  await world.machineSet('a')
  await world.optIn(allMapi)
  expect(await world.imageOf('a')).toBe(newImage)
  const { data, metadata } = await world.kube.get(secrets, { name: 'worker-user-data', namespace: machineApi })
  expect(JSON.parse(Buffer.from(data?.['userData'] ?? '', 'base64').toString())).toEqual({ ignition: { version: '3.2.0' } })
  expect(Buffer.from(data?.['userData.before-upgrade'] ?? '', 'base64').toString()).toContain('2.2.0')
  expect(metadata.annotations).toMatchObject({ 'machineconfiguration.openshift.io/stub-ignition-upgraded-to': '3.2.0' })
  await world.end()
})
