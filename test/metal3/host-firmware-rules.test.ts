import { describe, expect, it } from 'vitest'
import { dataImages, firmwareSchemas, firmwareSettings, hosts } from '../../src/controllers/metal3/resources.ts'
import { conditionOf } from '../../src/core/condition.ts'
import { hours, minutes, seconds } from '../../src/core/duration.ts'
import { imageOf, openFirmware } from './host-firmware-world.ts'
import { liveIso, namespace, openHosts } from './hosts.ts'

const key = { name: 'srv-1', namespace }
const onReboot = { firmwareSettings: 'onReboot', firmwareUpdates: 'onReboot' }

describe('HostFirmwareSettings', () => {
  it('are made with a host, belong to it, and show what it has but no passwords', async () => {
    const world = await openFirmware('dell')
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available', hours(1))
    await world.until(minutes(5), 'they are shown', async () => (await world.settings())?.status?.settings !== undefined)
    const found = (await world.settings())!
    const { uid } = (await world.srv()).metadata
    expect(found.metadata.ownerReferences).toEqual([expect.objectContaining({ kind: 'BareMetalHost', uid, controller: true })])
    expect((await world.components())?.metadata.ownerReferences).toEqual([expect.objectContaining({ kind: 'BareMetalHost', uid })])
    expect(found.status?.settings).toMatchObject({ SriovGlobalEnable: 'Disabled' })
    expect(Object.keys(found.status?.settings ?? {}).filter(name => /password/i.test(name))).toEqual([])
    expect(await world.says('Valid')).toBe('True Success')
    expect(await world.says('ChangeDetected')).toBe('False Success')
    const schema = await world.kube.find(firmwareSchemas, { name: found.status?.schema?.name ?? '', namespace })
    expect(schema?.metadata.name).toMatch(/^schema-[0-9a-f]{8}$/)
    expect(schema?.spec?.schema['SriovGlobalEnable']).toMatchObject({ attribute_type: 'Enumeration', read_only: false })
    await world.stop()
  })

  it('of hosts that are alike name one FirmwareSchema, which both own', async () => {
    const world = await openHosts([{ name: 'srv-1' }, { name: 'srv-2' }, { name: 'srv-3', personality: 'hpe' }])
    for (const name of ['srv-1', 'srv-2', 'srv-3']) await world.make(name, { online: false })
    for (const name of ['srv-1', 'srv-2', 'srv-3']) await world.reaches(name, 'available', hours(1))
    await world.clock.advance(minutes(2))
    const schemas = (await world.kube.list(firmwareSchemas, { namespace })).items
    expect(schemas.map(({ metadata }) => (metadata.ownerReferences ?? []).map(({ name }) => name).toSorted())).toEqual(
      expect.arrayContaining([['srv-1', 'srv-2'], ['srv-3']]),
    )
    expect(schemas).toHaveLength(2)
    await world.stop()
  })

  it.each([
    ['BootDelaySeconds', 61, 'between 0 and 60'],
    ['BootDelaySeconds', 'long', 'whole number'],
    ['ProcVirtualization', 'Perhaps', 'one of Enabled, Disabled'],
    ['QuietBoot', 'maybe', 'true or false'],
    ['SystemSerial', 'mine', 'read-only'],
    ['bootdelayseconds', 5, 'it has BootDelaySeconds'],
    ['AssetTag', 'x'.repeat(65), 'at most 64'],
    ['SetupPassword', 'c4n4ry', 'a password'],
  ])('that cannot be (%s %s) are refused before anything restarts, and the host goes on without them', async (name, value, words) => {
    const world = await openFirmware()
    await world.sets({ [name]: value })
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available', hours(1))
    expect(await world.says('Valid')).toBe('False ConfigurationError')
    const message = conditionOf((await world.settings())?.status, 'Valid')?.message
    expect(message).toContain(words)
    if (name === 'SetupPassword') expect(JSON.stringify([message, world.logged])).not.toContain('c4n4ry')
    expect(world.events.filter(({ what }) => what === 'reset')).toEqual([])
    expect(world.pending()).toEqual({})
    await world.stop()
  })

  it('BMO 3143 say of each edit which generation they are about, also where nothing else changes, so that no host waits for that', async () => {
    const world = await openFirmware()
    await world.installed()
    await world.sets({ BootDelaySeconds: 20 })
    await world.until(minutes(2), 'it is seen', async () => (await world.says('ChangeDetected')) === 'True Success')
    await world.sets({ BootDelaySeconds: 30 })
    await world.clock.advance(seconds(30))
    const { metadata, status } = (await world.settings())!
    expect(metadata.generation).toBeGreaterThan(1)
    for (const type of ['Valid', 'ChangeDetected']) expect(conditionOf(status, type)?.observedGeneration).toBe(metadata.generation)
    await world.change('srv-1', { spec: { image: null } })
    await world.until(hours(1), 'it is given back', async () => (await world.state('srv-1')) === 'available')
    await world.change('srv-1', { spec: { image: { url: liveIso, format: 'live-iso' } } })
    await world.reaches('srv-1', 'provisioned', hours(2))
    expect(world.holds()).toMatchObject({ BootDelaySeconds: 30 })
    await world.stop()
  })

  it('of an available host are set at once when they are edited, and not with the next poll', async () => {
    const world = await openFirmware()
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available', hours(1))
    await world.clock.advance(minutes(10))
    await world.sets({ BootDelaySeconds: 20 })
    await world.clock.advance(seconds(10))
    expect(await world.state('srv-1')).toBe('preparing')
    await world.reaches('srv-1', 'available', hours(1))
    expect(world.holds()).toMatchObject({ BootDelaySeconds: 20 })
    await world.stop()
  })

  it('that are deleted are made anew', async () => {
    const world = await openFirmware()
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available', hours(1))
    await world.kube.delete(firmwareSettings, key)
    await world.until(minutes(5), 'they are there again', async () => (await world.settings())?.status?.settings !== undefined)
    await world.stop()
  })
})

describe('HostFirmwareComponents', () => {
  it.each([
    [{ component: 'gpu', url: imageOf('GPU', '1.0.0') }, 'gpu is none of its components'],
    [{ component: 'bios', url: 'ftp://firmware.example/BIOS-1.bin' }, 'must begin with http'],
    [{ component: 'bios', url: 'https://root:c4n4ry@firmware.example/BIOS-1.bin' }, 'holds credentials'],
  ])('that cannot be written (%o) are refused, and nothing is written', async (update, words) => {
    const world = await openFirmware()
    await world.flashes([update])
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available', hours(1))
    await world.until(minutes(5), 'it is said', async () => (await world.saysOfUpdates('Valid')) === 'False InvalidComponent')
    const message = conditionOf((await world.components())?.status, 'Valid')?.message
    expect(message).toContain(words)
    expect(message).not.toContain('c4n4ry')
    expect(world.events.filter(({ what }) => what === 'flashed')).toEqual([])
    await world.stop()
  })

  it('bring the management controller and a network adapter to another version, one after the other', async () => {
    const world = await openFirmware()
    await world.flashes([
      { component: 'bmc', url: imageOf('BMC', '3.0.0') },
      { component: 'nic:NIC.1', url: imageOf('NIC', '21.0.0') },
    ])
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available', hours(3))
    expect([world.runs('BMC'), world.runs('NIC')]).toEqual(['3.0.0', '21.0.0'])
    expect((await world.components())?.status?.updates).toHaveLength(2)
    await world.stop()
  })

  it('whose image is not there are a preparation error that says so, and are over with another address', async () => {
    const world = await openFirmware()
    await world.flashes([{ component: 'bios', url: imageOf('missing/BIOS', '2.4.1') }])
    await world.make('srv-1', { online: false })
    await world.until(hours(1), 'it is told', async () => (await world.srv()).status?.errorType === 'preparation error')
    expect((await world.srv()).status?.errorMessage).toContain('cannot be fetched')
    await world.flashes([{ component: 'bios', url: imageOf('BIOS', '2.4.1') }])
    await world.reaches('srv-1', 'available', hours(1))
    expect(world.runs('BIOS')).toBe('2.4.1')
    await world.stop()
  })
})

describe('servicing', () => {
  it('that fails is a servicing error; its host starts all the same, is not taken down again, and is tried anew at its next restart (BMO 3001)', async () => {
    const world = await openFirmware()
    await world.installed()
    await world.policy(onReboot)
    await world.flashes([{ component: 'bios', url: imageOf('missing/BIOS', '2.4.1') }])
    await world.until(minutes(5), 'it is checked', async () => (await world.saysOfUpdates('ChangeDetected')) === 'True OK')
    await world.restarts()
    await world.until(hours(2), 'it is told', async () => (await world.srv()).status?.errorType === 'servicing error')
    await world.until(hours(2), 'it runs', () => world.rack.machine('srv-1').stage === 'running')
    const resets = world.events.filter(({ what }) => what === 'reset').length
    await world.clock.advance(hours(6))
    expect(world.events.filter(({ what }) => what === 'reset').length, 'I18').toBe(resets)
    expect((await world.srv()).status).toMatchObject({ errorType: 'servicing error', operationalStatus: 'error', poweredOn: true })
    await world.flashes([{ component: 'bios', url: imageOf('BIOS', '2.4.1') }])
    await world.until(minutes(5), 'it is checked', async () => (await world.saysOfUpdates('Valid')) === 'True OK')
    await world.restarts()
    await world.until(hours(1), 'its BIOS runs', () => world.runs('BIOS') === '2.4.1')
    await world.until(hours(1), 'it is well', async () => (await world.srv()).status?.operationalStatus === 'OK')
    expect((await world.srv()).status).toMatchObject({ errorCount: 0, provisioning: { state: 'provisioned' } })
    await world.stop()
  })

  it('that nobody wants any more ends: nothing stays pending, and the host runs (BMO 3144)', async () => {
    const world = await openFirmware()
    await world.installed()
    await world.policy(onReboot)
    await world.sets({ BootDelaySeconds: 20 })
    await world.until(minutes(5), 'it is checked', async () => (await world.says('ChangeDetected')) === 'True Success')
    await world.restarts()
    await world.until(minutes(20), 'it is pending', () => Object.keys(world.pending()).length > 0)
    await world.sets({})
    await world.until(hours(1), 'it is well', async () => (await world.srv()).status?.operationalStatus === 'OK')
    await world.until(minutes(20), 'it runs', () => world.rack.machine('srv-1').stage === 'running')
    expect(world.pending()).toEqual({})
    expect((await world.srv()).status?.engine?.asked).toBeUndefined()
    await world.stop()
  })

  it('takes along what was wanted in the same moment as the restart', async () => {
    const world = await openFirmware()
    await world.installed()
    await world.policy(onReboot)
    await world.change('srv-1', { spec: { online: false } })
    await world.until(minutes(10), 'it is off', async () => (await world.srv()).status?.poweredOn === false)
    await Promise.all([
      world.kube.patch(firmwareSettings, key, { merge: { spec: { settings: { BootDelaySeconds: 20 } } } }),
      world.kube.patch(hosts, key, { merge: { spec: { online: true } } }),
    ])
    await world.until(minutes(30), 'it is on', async () => (await world.srv()).status?.poweredOn === true)
    expect(world.holds()).toMatchObject({ BootDelaySeconds: 20 })
    await world.stop()
  })

  it('of a host that is never switched off comes with the restart that stands for it, once', async () => {
    const world = await openFirmware()
    await world.installed()
    await world.change('srv-1', { spec: { disablePowerOff: true } })
    await world.policy(onReboot)
    await world.sets({ BootDelaySeconds: 20 })
    await world.until(minutes(5), 'it is checked', async () => (await world.says('ChangeDetected')) === 'True Success')
    const before = world.events.filter(({ what }) => what === 'reset').length
    await world.restarts()
    await world.until(minutes(30), 'they hold', () => world.holds()['BootDelaySeconds'] === 20)
    await world.until(minutes(30), 'it is well', async () => (await world.srv()).status?.operationalStatus === 'OK')
    await world.clock.advance(minutes(30))
    expect((await world.srv()).metadata.annotations?.['reboot.metal3.io']).toBeUndefined()
    expect(world.events.filter(({ what }) => what === 'reset').length - before).toBe(1)
    await world.stop()
  })

  it('is not begun by a restart of the system itself', async () => {
    const world = await openFirmware()
    await world.installed()
    await world.policy(onReboot)
    await world.sets({ BootDelaySeconds: 20 })
    await world.until(minutes(5), 'it is checked', async () => (await world.says('ChangeDetected')) === 'True Success')
    await world.pool.use('host/default/srv-1', bmc => bmc.power.set('Cycle', 'forced'))
    await world.clock.advance(minutes(30))
    expect(world.holds()).toMatchObject({ BootDelaySeconds: 5 })
    expect((await world.srv()).status?.operationalStatus).toBe('OK')
    await world.stop()
  })

  it('T-04 and a DataImage at the same restart: the host finds its disc, and has its settings', async () => {
    const world = await openFirmware('dell')
    await world.installed()
    await world.policy(onReboot)
    await world.sets({ SriovGlobalEnable: 'Enabled' })
    await world.until(minutes(5), 'it is checked', async () => (await world.says('ChangeDetected')) === 'True Success')
    const disc = { apiVersion: 'metal3.io/v1alpha1', kind: 'DataImage', metadata: key, spec: { url: 'https://images.example/config.iso' } }
    await world.kube.create(dataImages, disc)
    await world.restarts()
    await world.until(hours(1), 'they hold', () => world.holds()['SriovGlobalEnable'] === 'Enabled')
    await world.until(minutes(30), 'it is well', async () => (await world.srv()).status?.operationalStatus === 'OK')
    const images = Object.values(world.rack.machine('srv-1').media ?? {}).flatMap(({ image }) => image ?? [])
    expect(images.toSorted()).toEqual(['https://images.example/config.iso', liveIso].toSorted())
    expect((await world.kube.find(dataImages, key))?.status?.attachedImage?.url).toBe('https://images.example/config.iso')
    await world.stop()
  })

  it('of a host that somebody else installed goes the same way', async () => {
    const world = await openFirmware()
    await world.make('srv-1', { externallyProvisioned: true })
    await world.reaches('srv-1', 'externally provisioned', hours(1))
    await world.until(minutes(10), 'it is on', async () => (await world.srv()).status?.poweredOn === true)
    await world.policy(onReboot)
    await world.sets({ BootDelaySeconds: 20 })
    await world.until(minutes(5), 'it is checked', async () => (await world.says('ChangeDetected')) === 'True Success')
    await world.restarts()
    await world.until(minutes(30), 'they hold', () => world.holds()['BootDelaySeconds'] === 20)
    await world.until(minutes(30), 'it is well', async () => (await world.srv()).status?.operationalStatus === 'OK')
    expect(await world.state('srv-1')).toBe('externally provisioned')
    await world.stop()
  })
})

it('I24 a paused host is asked for nothing, whatever is wanted of its firmware', async () => {
  const world = await openFirmware()
  await world.make('srv-1', { online: false })
  await world.reaches('srv-1', 'available', hours(1))
  await world.change('srv-1', { metadata: { annotations: { 'baremetalhost.metal3.io/paused': '' } } })
  await world.sets({ BootDelaySeconds: 20 })
  const { calls } = world.rack.counts('srv-1')
  await world.clock.advance(hours(3))
  expect(world.rack.counts('srv-1').calls).toBe(calls)
  await world.kube.patch(hosts, key, { merge: { metadata: { annotations: { 'baremetalhost.metal3.io/paused': null } } } })
  await world.until(hours(1), 'they hold', () => world.holds()['BootDelaySeconds'] === 20)
  await world.stop()
})
