import { describe, expect, it } from 'vitest'
import { hardwareData, hosts, secrets } from '../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { reset } from '../../src/sim/machine/power.ts'
import { machineOf, makesUnlessSaid } from '../makes.ts'
import { installed, provisionedBy, restingBy } from './fixtures/upstream-statuses.ts'
import { type Hosts, namespace, openHosts } from './hosts.ts'

const makes = makesUnlessSaid('generic', 'dell')

/** A machine that runs, and a host as another operator left it: nobody looked after it meanwhile. */
async function left(world: Hosts, status: object, spec: object, runs: boolean): Promise<void> {
  const key = { name: 'srv-1', namespace }
  await world.make('srv-1', spec as never, {
    annotations: { 'baremetalhost.metal3.io/paused': '' },
    finalizers: ['baremetalhost.metal3.io'],
  })
  await world.kube.patch(hosts, key, { merge: { status } }, { subresource: 'status' })
  if (runs) reset(world.rack.machine('srv-1'), 'On')
  await world.clock.advance(minutes(10))
  await world.change('srv-1', { metadata: { annotations: { 'baremetalhost.metal3.io/paused': null } } })
}
describe('a host as baremetal-operator left it', () => {
  it.each(Object.entries(provisionedBy).flatMap(([by, status]) => makes.map(make => [by, make, status] as const)))(
    '%s, provisioned, of %s, is adopted without a restart, and nothing is installed anew',
    async (_, make, status) => {
      const world = await openHosts(machineOf(make))
      await left(world, status, { image: installed, inspectionMode: undefined, automatedCleaningMode: 'metadata' }, true)
      const before = world.events.length
      await world.clock.advance(hours(1))
      const host = await world.host('srv-1')
      expect(world.events.slice(before), 'nothing happens to its machine').toEqual([])
      expect(host?.status).toMatchObject({
        operationalStatus: 'OK',
        poweredOn: true,
        provisioning: { state: 'provisioned', image: { url: installed.url } },
        bmcAddress: 'redfish-virtualmedia://srv-1',
        systemUUID: expect.any(String),
        hardware: status.hardware,
      })
      expect(Object.fromEntries((host?.status?.conditions ?? []).map(({ type, status: is }) => [type, is]))).toMatchObject({
        Ready: 'True',
        Provisioned: 'True',
        Accepted: 'True',
      })
      // From now on it is one of ours: another wish for its power is followed.
      await world.change('srv-1', { spec: { online: false } })
      await world.until(minutes(10), 'it is off', () => world.rack.machine('srv-1').power === 'Off')
      await world.stop()
    },
  )
  it.each(Object.entries(restingBy))('%s is taken as it is', async (state, status) => {
    const world = await openHosts()
    const external = state === 'externally provisioned'
    await left(world, status, { externallyProvisioned: external, online: external, inspectionMode: undefined }, external)
    const before = world.events.length
    await world.clock.advance(hours(1))
    expect(world.events.slice(before)).toEqual([])
    const now = (await world.host('srv-1'))?.status
    expect(now?.errorType).toBeUndefined()
    expect(['available', 'ready', 'externally provisioned']).toContain(now?.provisioning?.state)
    await world.stop()
  })
  it('I23 takes the finalizers of the other operator off its Secret and its HardwareData when it goes, so that nothing is left for ever', async () => {
    const world = await openHosts()
    await left(world, provisionedBy['0.14'], { image: installed, automatedCleaningMode: 'disabled' }, true)
    const key = { name: 'srv-1', namespace }
    await world.kube.create(hardwareData, {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'HardwareData',
      metadata: { ...key, finalizers: ['baremetalhost.metal3.io/hardwareData'] },
      spec: { hardware: { hostname: 'srv-1' } },
    })
    const finalizers = ['baremetalhost.metal3.io/secret', 'somebody.else/hold']
    await world.kube.patch(secrets, { name: 'srv-1-bmc', namespace }, { merge: { metadata: { finalizers } } })
    await world.remove('srv-1')
    await world.until(hours(2), 'it is gone', async () => (await world.host('srv-1')) === undefined)
    expect((await world.kube.get(secrets, { name: 'srv-1-bmc', namespace })).metadata.finalizers).toEqual(['somebody.else/hold'])
    expect((await world.kube.find(hardwareData, key))?.metadata.finalizers ?? []).toEqual([])
    await world.stop()
  })
})
