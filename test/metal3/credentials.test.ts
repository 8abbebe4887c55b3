import { describe, expect, it } from 'vitest'
import { secrets } from '../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { type Hosts, namespace, openHosts } from './hosts.ts'

const give = (world: Hosts, password: string) =>
  world.kube.patch(secrets, { name: 'srv-1-bmc', namespace }, { merge: { data: { password: btoa(password) } } })
const errorOf = async (world: Hosts) => (await world.host('srv-1'))?.status?.errorType

describe('credentials of a host', () => {
  it('I19 a rotated password is used for the next call, in a session of its own, and the old one is left', async () => {
    const world = await openHosts()
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available')
    const before = world.rack.counts('srv-1')
    world.rack.setPassword('srv-1', 'n3xt')
    await give(world, 'n3xt')
    await world.clock.advance(minutes(3))
    const secret = await world.kube.get(secrets, { name: 'srv-1-bmc', namespace })
    expect((await world.host('srv-1'))?.status).toMatchObject({
      operationalStatus: 'OK',
      goodCredentials: { credentialsVersion: secret.metadata.resourceVersion },
      triedCredentials: { credentialsVersion: secret.metadata.resourceVersion },
    })
    const after = world.rack.counts('srv-1')
    expect({ opened: after.opened - before.opened, closed: after.closed - before.closed }).toEqual({ opened: 1, closed: 1 })
    await world.stop()
  })
  it('I19 a password that is refused is tried once for each rest, not at each look, so that no account is locked', async () => {
    const world = await openHosts()
    world.rack.setPassword('srv-1', 'another')
    await world.make('srv-1', { online: false })
    await world.until(minutes(5), 'the error is told', async () => (await errorOf(world)) === 'registration error')
    const before = world.rack.counts('srv-1').calls
    for (let n = 0; n < 50; n++) await world.change('srv-1', { metadata: { labels: { touched: `${n}` } } })
    expect(world.rack.counts('srv-1').calls).toBe(before)
    await world.clock.advance(hours(1))
    // Rests of 1, 2, 4, 8, 16 and 32 minutes: five more tries fit into an hour, and each of them is the login and one look before it.
    expect(world.rack.counts('srv-1').calls - before).toBeLessThanOrEqual(2 * 5)
    expect((await world.host('srv-1'))?.status?.errorCount).toBe(6)
    await world.stop()
  })
  it('a password that is put right is tried within a minute, however long the host was to rest', async () => {
    const world = await openHosts()
    world.rack.setPassword('srv-1', 'another')
    await world.make('srv-1', { online: false })
    await world.until(minutes(5), 'the error is told', async () => (await errorOf(world)) === 'registration error')
    await world.clock.advance(hours(3))
    await give(world, 'another')
    await world.reaches('srv-1', 'available', minutes(2))
    expect((await world.host('srv-1'))?.status).toMatchObject({ operationalStatus: 'OK', errorCount: 0, errorMessage: '' })
    await world.stop()
  })
  it('I1 BMO-916 a password that breaks on a provisioned host is told, and nothing is given back', async () => {
    const world = await openHosts()
    await world.make('srv-1', { externallyProvisioned: true })
    await world.reaches('srv-1', 'externally provisioned')
    await world.until(minutes(10), 'it is on', () => world.rack.machine('srv-1').power === 'On')
    await world.clock.advance(minutes(10))
    await give(world, 'wrong')
    await world.until(minutes(5), 'it is told', async () => (await errorOf(world)) === 'provisioned registration error')
    const before = world.events.length
    await world.clock.advance(hours(2))
    expect(await world.state('srv-1')).toBe('externally provisioned')
    expect(world.events.slice(before)).toEqual([])
    await give(world, 'c4n4ry')
    await world.until(minutes(3), 'it is over', async () => (await errorOf(world)) === undefined)
    await world.stop()
  })
})

describe('the address of a host', () => {
  const at = (name: string) => ({ spec: { bmc: { address: `redfish-virtualmedia://${name}` } } })
  it('may be put right while it registers', async () => {
    const world = await openHosts()
    await world.make('srv-1', { bmc: { address: 'redfish://nobody', credentialsName: 'srv-1-bmc' }, online: false })
    await world.until(minutes(5), 'the error is told', async () => (await errorOf(world)) === 'registration error')
    await world.change('srv-1', at('srv-1'))
    await world.reaches('srv-1', 'available', minutes(2))
    await world.stop()
  })
  it('I20 is refused later: credentials go nowhere else, and put back it goes on', async () => {
    const world = await openHosts([{ name: 'srv-1' }, { name: 'srv-2' }])
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available')
    await world.change('srv-1', at('srv-2'))
    await world.clock.advance(minutes(30))
    const accepted = (await world.host('srv-1'))?.status?.conditions?.find(({ type }) => type === 'Accepted')
    expect(accepted).toMatchObject({ status: 'False', reason: 'AddressChanged', message: expect.stringContaining('detach the host first') })
    expect(world.rack.counts('srv-2').calls).toBe(0)
    await world.change('srv-1', { spec: { ...at('srv-1').spec, online: true } })
    await world.until(minutes(10), 'it is on', () => world.rack.machine('srv-1').power === 'On')
    await world.stop()
  })
  it('I23 a host whose address was changed can be deleted all the same, without a word to the other machine', async () => {
    const world = await openHosts([{ name: 'srv-1' }, { name: 'srv-2' }])
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available')
    await world.change('srv-1', at('srv-2'))
    await world.remove('srv-1')
    await world.until(minutes(10), 'it is gone', async () => (await world.host('srv-1')) === undefined)
    expect(world.rack.counts('srv-2').calls).toBe(0)
    await world.stop()
  })
  it('may change while the host is detached; another machine there is not touched', async () => {
    const world = await openHosts([{ name: 'srv-1' }, { name: 'srv-2' }])
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available')
    await world.change('srv-1', { metadata: { annotations: { 'baremetalhost.metal3.io/detached': '' } } })
    await world.until(minutes(1), 'it is detached', async () => (await world.host('srv-1'))?.status?.operationalStatus === 'detached')
    await world.change('srv-1', { ...at('srv-2'), metadata: { annotations: { 'baremetalhost.metal3.io/detached': null } } })
    await world.until(minutes(5), 'it is told', async () => (await errorOf(world)) === 'registration error')
    expect((await world.host('srv-1'))?.status?.errorMessage).toContain('another machine answers')
    expect(world.events.filter(({ server }) => server === 'srv-2')).toEqual([])
    await world.stop()
  })
})
