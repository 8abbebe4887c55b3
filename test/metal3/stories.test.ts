import { describe, expect, it } from 'vitest'
import { hosts } from '../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import { machineOf, makesUnlessSaid } from '../makes.ts'
import { type Hosts, liveIso, namespace, openHosts } from './hosts.ts'

const makes = makesUnlessSaid('generic', 'dell')

const discs = ({ rack }: Hosts): readonly string[] => Object.values(rack.machine('srv-1').media ?? {}).flatMap(({ image }) => image ?? [])

const image = { url: liveIso, format: 'live-iso' as const }

describe('a BareMetalHost', () => {
  it('is registered, inspected without a ramdisk, and available; at rest nothing is written', async () => {
    const world = await openHosts()
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available')
    const host = await world.host('srv-1')
    expect(host?.status).toMatchObject({
      operationalStatus: 'OK',
      errorCount: 0,
      poweredOn: false,
      goodCredentials: { credentials: { name: 'srv-1-bmc' } },
    })
    expect(await world.hardware('srv-1')).toMatchObject({ systemVendor: { manufacturer: expect.any(String) }, cpu: { arch: 'x86_64' } })
    const conditions = Object.fromEntries((host?.status?.conditions ?? []).map(({ type, status }) => [type, status]))
    expect(conditions).toMatchObject({
      Manageable: 'True',
      AvailableForProvisioning: 'True',
      Provisioned: 'False',
      Progressing: 'False',
      Accepted: 'True',
    })
    await world.clock.advance(minutes(5))
    const writes = world.writes().length
    await world.clock.advance(hours(1))
    expect(world.writes().slice(writes), 'I26 nothing is written at rest').toEqual([])
    expect(JSON.stringify([host, world.logged])).not.toContain('c4n4ry')
    await world.stop()
  })
  it('without a management controller it is unmanaged, until one is named', async () => {
    const world = await openHosts()
    await world.make('srv-1', { bmc: undefined as never })
    await world.reaches('srv-1', 'unmanaged')
    expect((await world.host('srv-1'))?.status?.operationalStatus).toBe('discovered')
    await world.change('srv-1', { spec: { bmc: { address: 'redfish://srv-1/redfish/v1/Systems/1', credentialsName: 'srv-1-bmc' } } })
    await world.reaches('srv-1', 'available')
    await world.stop()
  })
  it('BMO-3307 a Secret that is missing is a registration error that names it, and is over when it comes', async () => {
    const world = await openHosts()
    await world.make('srv-1', { bmc: { address: 'redfish://srv-1/redfish/v1/Systems/1', credentialsName: 'other' } })
    await world.until(minutes(5), 'the error is told', async () => (await world.host('srv-1'))?.status?.errorType === 'registration error')
    expect((await world.host('srv-1'))?.status?.errorMessage).toContain('Secret other')
    await world.change('srv-1', { spec: { bmc: { credentialsName: 'srv-1-bmc' } } })
    await world.reaches('srv-1', 'available')
    expect((await world.host('srv-1'))?.status).toMatchObject({ operationalStatus: 'OK', errorMessage: '', errorCount: 0 })
    await world.stop()
  })
  it.each(personalities.map(({ name }) => name))(
    'of %s, a live-iso is booted from virtual media, and taken out when it is not wanted any more',
    async make => {
      const world = await openHosts([{ name: 'srv-1', personality: make }])
      await world.make('srv-1', { image })
      await world.reaches('srv-1', 'provisioned', hours(1))
      await world.until(minutes(20), 'it runs from its disc', () =>
        world.events.some(event => event.what === 'runs' && event.from === 'Cd'),
      )
      expect((await world.host('srv-1'))?.status).toMatchObject({ poweredOn: true, provisioning: { image: { url: liveIso } } })
      expect(discs(world)).toEqual([liveIso])
      await world.change('srv-1', { spec: { image: null } })
      await world.reaches('srv-1', 'available', hours(1))
      expect((await world.host('srv-1'))?.status?.provisioning?.image).toBeUndefined()
      expect(discs(world), 'I15 no disc stays').toEqual([])
      await world.stop()
    },
  )
  it('a reboot annotation restarts it once, and one of a client holds it off until it is taken away', async () => {
    const world = await openHosts()
    await world.make('srv-1', { image })
    await world.reaches('srv-1', 'provisioned')
    await world.until(minutes(5), 'it is on', async () => (await world.host('srv-1'))?.status?.poweredOn === true)
    await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io': '' } } })
    await world.until(
      minutes(15),
      'it was off',
      async () => (await world.host('srv-1'))?.metadata.annotations?.['reboot.metal3.io'] === undefined,
    )
    await world.until(minutes(15), 'it is on again', async () => (await world.host('srv-1'))?.status?.poweredOn === true)
    await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io/remediation': '{"mode":"hard"}' } } })
    await world.until(minutes(15), 'it is off', async () => (await world.host('srv-1'))?.status?.poweredOn === false)
    await world.clock.advance(minutes(30))
    expect((await world.host('srv-1'))?.status?.poweredOn).toBe(false)
    await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io/remediation': null } } })
    await world.until(minutes(15), 'it is on again', async () => (await world.host('srv-1'))?.status?.poweredOn === true)
    await world.stop()
  })
  it.each(makes)('of %s, I24 paused or detached, it gets no call at all', async make => {
    const world = await openHosts(machineOf(make))
    await world.make('srv-1', { image })
    await world.reaches('srv-1', 'provisioned')
    await world.change('srv-1', { metadata: { annotations: { 'baremetalhost.metal3.io/detached': '' } } })
    await world.until(minutes(5), 'it is detached', async () => (await world.host('srv-1'))?.status?.operationalStatus === 'detached')
    await world.change('srv-1', { spec: { online: false } })
    await world.clock.advance(hours(1))
    expect(world.rack.machine('srv-1').power).toBe('On')
    await world.change('srv-1', { metadata: { annotations: { 'baremetalhost.metal3.io/detached': null } } })
    await world.until(minutes(15), 'it is looked after again', () => world.rack.machine('srv-1').power === 'Off')
    expect((await world.host('srv-1'))?.status?.operationalStatus).toBe('OK')
    await world.stop()
  })
  it.each(makes)(
    'of %s, externally provisioned, nothing but its power is touched; given to us without an image it is given back',
    async make => {
      const world = await openHosts(machineOf(make))
      await world.make('srv-1', { externallyProvisioned: true })
      await world.reaches('srv-1', 'externally provisioned')
      await world.until(minutes(10), 'it is on', () => world.rack.machine('srv-1').power === 'On')
      await world.change('srv-1', { spec: { externallyProvisioned: false } })
      await world.reaches('srv-1', 'available')
      await world.stop()
    },
  )
  it.each(makes)('of %s, a host that was carried over with its status is adopted without a restart', async make => {
    const world = await openHosts(machineOf(make))
    const status = {
      operationalStatus: 'OK',
      poweredOn: true,
      provisioning: { state: 'provisioned', ID: 'x', image },
      lastUpdated: '2026-01-01T00:00:00Z',
      errorCount: 0,
      errorMessage: '',
    }
    await world.make(
      'srv-1',
      { image, online: false },
      { annotations: { 'baremetalhost.metal3.io/status': JSON.stringify(status), 'baremetalhost.metal3.io/paused': '' } },
    )
    await world.clock.advance(minutes(5))
    expect((await world.host('srv-1'))?.status, 'I24 nothing while it is paused').toBeUndefined()
    const before = world.events.length
    await world.change('srv-1', { metadata: { annotations: { 'baremetalhost.metal3.io/paused': null } } })
    await world.clock.advance(minutes(5))
    expect((await world.host('srv-1'))?.metadata.annotations?.['baremetalhost.metal3.io/status']).toBeUndefined()
    expect(await world.state('srv-1')).toBe('provisioned')
    expect(world.events.slice(before)).toEqual([])
    await world.stop()
  })
  it('what is wrong with it is said, and nothing is done', async () => {
    const world = await openHosts()
    await world.make('srv-1', { bmc: { address: 'wsman://srv-1', credentialsName: 'srv-1-bmc' } })
    await world.clock.advance(minutes(5))
    expect((await world.host('srv-1'))?.status?.conditions?.find(({ type }) => type === 'Accepted')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('scheme wsman'),
    })
    await world.change('srv-1', { spec: { bmc: { address: 'ipmi://srv-1' }, inspectionMode: null } })
    await world.until(
      minutes(5),
      'it is told',
      async () => (await world.host('srv-1'))?.status?.errorMessage?.includes('needs the ironic engine') ?? false,
    )
    await world.stop()
  })
  it.each(
    makes.flatMap(make =>
      (
        [
          ['registering', { bmc: { address: 'redfish://srv-1/redfish/v1/Systems/1', credentialsName: 'nobody' } }],
          ['available', {}],
          ['provisioned', { image }],
          ['externally provisioned', { externallyProvisioned: true }],
        ] as const
      ).map(([state, spec]) => [state, make, spec] as const),
    ),
  )('I23 deleted while %s, of %s, it is gone in the end, off and without a disc', async (state, make, spec) => {
    const world = await openHosts(machineOf(make))
    await world.make('srv-1', spec as never)
    await world.reaches('srv-1', state)
    await world.kube.delete(hosts, { name: 'srv-1', namespace })
    await world.until(hours(1), 'it is gone', async () => (await world.host('srv-1')) === undefined)
    if (state !== 'registering') expect(world.rack.machine('srv-1').power).toBe('Off')
    await world.stop()
  })
  it.each(makes)('of %s, I23 BMO-1163 deleted while its management controller is dead, it is gone all the same', async make => {
    const world = await openHosts(machineOf(make))
    await world.make('srv-1', { image })
    await world.reaches('srv-1', 'provisioned')
    world.rack.fault('srv-1', 'hold')
    await world.kube.delete(hosts, { name: 'srv-1', namespace })
    await world.until(hours(3), 'it is gone', async () => (await world.host('srv-1')) === undefined)
    await world.stop()
  })
  it.each(makes)('of %s, I20 another machine that answers in its place is not touched', async make => {
    const world = await openHosts(machineOf(make))
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available')
    world.rack.machine('srv-1').uuidOf = 77
    const before = world.events.length
    await world.change('srv-1', { spec: { online: true } })
    await world.until(minutes(10), 'it is told', async () => (await world.host('srv-1'))?.status?.errorType === 'power management error')
    expect((await world.host('srv-1'))?.status?.errorMessage).toContain('another machine answers')
    expect(world.events.slice(before)).toEqual([])
    await world.stop()
  })
  it('X-035 T-01 of two hosts with one machine the older has it', async () => {
    const world = await openHosts()
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available')
    // Ages are told apart by the second.
    await world.clock.advance(minutes(1))
    await world.make('twin', { bmc: { address: 'redfish://srv-1', credentialsName: 'srv-1-bmc' } })
    await world.clock.advance(minutes(10))
    expect((await world.host('twin'))?.status?.conditions?.find(({ type }) => type === 'Accepted')).toMatchObject({
      status: 'False',
      message: 'BareMetalHost default/srv-1 has the same machine, and had it first',
    })
    expect(world.rack.machine('srv-1').power).toBe('Off')
    await world.kube.delete(hosts, { name: 'twin', namespace })
    await world.until(minutes(10), 'it is gone', async () => (await world.host('twin')) === undefined)
    expect(await world.state('srv-1')).toBe('available')
    await world.stop()
  })
})
