import { describe, expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { type Hosts, openHosts } from './hosts.ts'

const acceptedOf = async (world: Hosts) => (await world.host('srv-1'))?.status?.conditions?.find(({ type }) => type === 'Accepted')
const isRefused = async (world: Hosts, because: string) => {
  await world.clock.advance(minutes(1))
  expect(await acceptedOf(world)).toMatchObject({ status: 'False', reason: 'Invalid', message: expect.stringContaining(because) })
}
const status = (value: object) => ({ annotations: { 'baremetalhost.metal3.io/status': JSON.stringify(value) } })
const details = (value: object) => ({ annotations: { 'inspect.metal3.io/hardwaredetails': JSON.stringify(value) } })

// The rules of Metal3's webhook that are about one host by itself stand beside src/policy/metal3/host-rules.ts; these need its life, too.
describe('a host that breaks a rule is told, and left as it is until that is put right', () => {
  it.each(['userData', 'networkData', 'metaData'])(
    'CVE-2024-43803 S2 rule 3: %s is a Secret of another namespace; the controller is not even asked',
    async field => {
      const world = await openHosts()
      await world.make('srv-1', { [field]: { name: 'loot', namespace: 'bank' } })
      await isRefused(world, `${field} names a Secret of another namespace`)
      await world.clock.advance(minutes(20))
      expect(world.rack.counts('srv-1').calls).toBe(0)
      await world.stop()
    },
  )
  it('rule 18: somebody else is said to have installed what we have installed', async () => {
    const world = await openHosts()
    await world.make('srv-1', { image: { url: 'https://images.example/live.iso', format: 'live-iso' } })
    await world.reaches('srv-1', 'provisioned')
    const before = world.events.length
    await world.change('srv-1', { spec: { externallyProvisioned: true, online: false } })
    await isRefused(world, 'this one is provisioned')
    await world.clock.advance(minutes(20))
    expect({ state: await world.state('srv-1'), events: world.events.slice(before).filter(({ what }) => what === 'power') }).toEqual({
      state: 'provisioned',
      events: [],
    })
    await world.change('srv-1', { spec: { externallyProvisioned: null } })
    await world.until(minutes(10), 'it is off', () => world.rack.machine('srv-1').power === 'Off')
    expect(await acceptedOf(world)).toMatchObject({ status: 'True' })
    await world.stop()
  })
  it('rule 17: another bootMACAddress than the first, in whichever case it is written', async () => {
    const world = await openHosts()
    await world.make('srv-1', { online: false, bootMACAddress: '02:5C:00:00:00:00' })
    await world.reaches('srv-1', 'available')
    await world.change('srv-1', { spec: { bootMACAddress: '02:5c:00:00:00:00' } })
    await world.clock.advance(minutes(1))
    expect(await acceptedOf(world)).toMatchObject({ status: 'True' })
    await world.change('srv-1', { spec: { bootMACAddress: '02:5c:00:00:00:77' } })
    await isRefused(world, 'cannot be changed')
    await world.change('srv-1', { spec: { bootMACAddress: '02:5c:00:00:00:00' } })
    await world.clock.advance(minutes(1))
    expect(await acceptedOf(world)).toMatchObject({ status: 'True' })
    await world.stop()
  })
  it('rule 12: a status from elsewhere with words that no host has is neither taken over nor thrown away', async () => {
    const world = await openHosts()
    await world.make('srv-1', {}, status({ operationalStatus: 'splendid', provisioning: { state: 'provisioned' } }))
    await isRefused(world, 'operationalStatus "splendid"')
    expect((await world.host('srv-1'))?.metadata.annotations).toHaveProperty(['baremetalhost.metal3.io/status'])
    expect(world.rack.counts('srv-1').calls).toBe(0)
    await world.stop()
  })
  it('rule 12 BMO-3380: each error that Metal3 writes may be carried over, a detach error too', async () => {
    const world = await openHosts()
    const carried = { operationalStatus: 'error', errorType: 'detach error', errorMessage: 'it did not let go', errorCount: 1 }
    await world.make('srv-1', { externallyProvisioned: true }, status({ ...carried, provisioning: { state: 'externally provisioned' } }))
    await world.until(minutes(5), 'it is registered here', async () => (await world.host('srv-1'))?.status?.systemUUID !== undefined)
    expect(await acceptedOf(world)).toMatchObject({ status: 'True' })
    expect(await world.state('srv-1')).toBe('externally provisioned')
    await world.stop()
  })
  it('rule 12: hardware that is told with fields that nobody knows', async () => {
    const world = await openHosts()
    const mac = { inspectionMode: 'disabled' as const, bootMACAddress: '02:5c:00:00:00:00' }
    await world.make('srv-1', mac, details({ ramMebibytes: 1024, nics: [{ mac: '02:5c:00:00:00:00', colour: 'red' }] }))
    await isRefused(world, 'nics[0].colour')
    expect(await world.hardware('srv-1')).toBeUndefined()
    await world.change('srv-1', { metadata: details({ ramMebibytes: 1024 }) })
    await world.reaches('srv-1', 'available')
    expect(await world.hardware('srv-1')).toMatchObject({ ramMebibytes: 1024 })
    await world.stop()
  })
})
