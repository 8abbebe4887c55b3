import { describe, expect, it } from 'vitest'
import { dataImages, hosts } from '../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { makes } from '../contracts/bmc/makes.ts'
import {
  attach,
  attached,
  condition,
  config,
  detach,
  discs,
  find,
  isGone,
  isOff,
  isOn,
  key,
  media,
  online,
  other,
  power,
  restart,
  told,
  waiting,
} from './discs.ts'
import { openFirmware } from './host-firmware-world.ts'
import { type Hosts, liveIso, openHosts } from './hosts.ts'
import { osImage, ramdiskIso } from './ramdisk-world.ts'

const annotate = (world: Hosts, annotations: object) => world.change('srv-1', { metadata: { annotations } })
/** A host that runs with its disc in. */
async function attachedTo(world: Hosts): Promise<void> {
  await attach(world)
  await online(world, true)
  await isOn(world)
  expect(discs(world)).toEqual([config])
}

describe('a DataImage whose disc is lost', () => {
  it('I25 a disc that vanished from its drive is noticed before the next start, and put in again before the host is on', async () => {
    const world = await waiting()
    await attachedTo(world)
    world.rack.machine('srv-1').media = undefined
    const found: (readonly string[])[] = []
    world.rack.onEvent(event => void (event.what === 'power' && event.to === 'On' ? found.push(discs(world)) : undefined))
    await restart(world)
    expect(found).toEqual([[config]])
    await world.stop()
  })
  it('T-77 I25 a disc that vanished and cannot be put in again: the host is held for five tries, starts with a Warning, and status does not say that it is attached', async () => {
    let gone = false
    const world = await waiting({
      engine: media(right => ({ insert: (...of) => (gone ? Promise.reject(new Error('404 Not Found')) : right.insert(...of)) })),
    })
    await attachedTo(world)
    world.rack.machine('srv-1').media = undefined
    gone = true
    await restart(world)
    expect(await attached(world)).toBeUndefined()
    expect((await find(world))?.status?.error).toMatchObject({ count: 5, message: expect.stringContaining('404 Not Found') })
    expect(told(world, 'WithoutDataImage')).toHaveLength(1)
    await world.stop()
  })
})

describe('a DataImage and a controller that misbehaves', () => {
  it('X-033 T-77 drives that show the opposite of what is in them: the host starts within ten minutes with a Warning, and at a later restart finds its disc', async () => {
    const world = await waiting()
    world.rack.fault('srv-1', 'inserted-lies')
    await attach(world)
    await online(world, true)
    await isOn(world, minutes(11))
    expect(told(world, 'WithoutDataImage')).toHaveLength(1)
    expect(discs(world)).toEqual([])
    world.rack.heal('srv-1', 'inserted-lies')
    await restart(world)
    expect(discs(world)).toEqual([config])
    await world.stop()
  })
  it('T-76 I15 drives that lie after it was attached: deleted, the disc is really out when the object is gone', async () => {
    const world = await waiting()
    await attachedTo(world)
    world.rack.fault('srv-1', 'inserted-lies')
    await detach(world)
    for (let restarts = 0; restarts < 3 && (await find(world)); restarts++) await restart(world)
    await isGone(world, minutes(5))
    expect(discs(world)).toEqual([])
    await world.stop()
  })
  it('I15 an eject that takes half a minute: deleted and restarted, the disc is out before the host is on', async () => {
    const world = await waiting()
    await attachedTo(world)
    world.rack.fault('srv-1', 'slow-eject')
    await detach(world)
    const found: number[] = []
    world.rack.onEvent(event => {
      if (event.what === 'power' && event.to === 'On') found.push(Object.keys(world.rack.machine('srv-1').media ?? {}).length)
    })
    await restart(world)
    await isGone(world)
    expect(found).toEqual([0])
    await world.stop()
  })
  it('DI-030 DI-033 wanted at once, it is tried on and on, later and later, until it is in', async () => {
    let broken = true
    const times: number[] = []
    const world = await waiting(
      {
        engine: media(right => ({
          insert(...of) {
            times.push(world.clock.now())
            return broken ? Promise.reject(new Error('not yet')) : right.insert(...of)
          },
        })),
      },
      { online: true },
    )
    await isOn(world)
    await attach(world, { url: config, immediate: true })
    await world.clock.advance(hours(2))
    expect(times.length).toBeGreaterThan(6)
    const rests = times.slice(1).map((at, n) => at - times[n]!)
    expect(rests).toEqual(rests.toSorted((a, b) => a - b))
    expect(rests.at(-1)).toBeGreaterThan(minutes(30))
    broken = false
    await world.until(hours(3), 'it is attached', async () => (await attached(world)) === config)
    await world.stop()
  })
  it('X-033 I23 wanted at once and never to be taken out: its deletion ends, and a Warning names the address and the controller', async () => {
    const world = await waiting(
      { engine: media(() => ({ eject: () => Promise.reject(new Error('the drive is locked')) })) },
      { online: true },
    )
    await isOn(world)
    await attach(world, { url: config, immediate: true })
    await world.until(minutes(2), 'it is attached', async () => (await attached(world)) === config)
    await detach(world)
    await isGone(world, hours(12))
    expect(JSON.stringify(told(world, 'LeftBehind'))).toMatch(/config\.iso may still be in a virtual drive of srv-1/)
    await world.stop()
  })
})

describe('a DataImage and the other discs of its host', () => {
  it('T-04 a live ISO in the only drive: nobody takes it out, the host starts without the DataImage, and says so', async () => {
    const world = await openHosts()
    await world.make('srv-1', { image: { url: liveIso, format: 'live-iso' } })
    await world.reaches('srv-1', 'provisioned')
    await isOn(world)
    await attach(world)
    await restart(world)
    expect(discs(world)).toEqual([liveIso])
    expect((await find(world))?.status?.error?.message).toContain('all virtual drives of its management controller are taken')
    expect(told(world, 'WithoutDataImage')).toHaveLength(1)
    await detach(world)
    await isGone(world)
    expect(discs(world)).toEqual([liveIso])
    await world.stop()
  })
  it('T-04 I15 one drive for the ramdisk and the DataImage: the ramdisk first, the DataImage once it is installed, and out again before the ramdisk cleans it', async () => {
    const world = await openHosts(undefined, { ramdisk: { iso: ramdiskIso } })
    const shared: (readonly string[])[] = []
    world.rack.onEvent(event => void (event.what === 'power' && event.to === 'On' ? shared.push(discs(world)) : undefined))
    await world.make('srv-1', { image: osImage, automatedCleaningMode: 'metadata' })
    await attach(world)
    await world.reaches('srv-1', 'provisioned', hours(2))
    await isOn(world)
    expect(discs(world), 'installed, and not yet started anew').toEqual([])
    await restart(world)
    await world.change('srv-1', { spec: { image: null } })
    await world.reaches('srv-1', 'available', hours(2))
    expect(shared, 'what was in the drive at each start').toEqual([[ramdiskIso], [], [config], [ramdiskIso]])
    expect((await world.host('srv-1'))?.status?.errorCount, 'nobody stood in the other’s way').toBe(0)
    expect(told(world, 'ProvisioningError')).toEqual([])
    await world.stop()
  })
})

describe('a DataImage and a host that is serviced', () => {
  it.each(['generic', 'dell'])(
    'T-04 on %s: settings and a disc in the same restart: both are there when its system runs, and nobody stood in the other’s way',
    async make => {
      const world = await openFirmware(make)
      const change = makes[make]!.bios!.change! as Readonly<Record<string, string | number>>
      await world.make('srv-1', { externallyProvisioned: true })
      await world.reaches('srv-1', 'externally provisioned')
      await isOn(world)
      await world.until(minutes(10), 'its settings are known', async () => (await world.settings())?.status?.settings !== undefined)
      await world.policy({ firmwareSettings: 'onReboot' })
      await world.sets(change)
      await attach(world)
      await world.until(minutes(10), 'it is due', async () => (await world.says('ChangeDetected')) === 'True Success')
      await world.restarts()
      await world.until(hours(1), 'it is serviced', () => Object.entries(change).every(([name, value]) => world.holds()[name] === value))
      await world.until(minutes(30), 'it is well', async () => (await world.srv()).status?.operationalStatus === 'OK')
      await isOn(world)
      expect(discs(world)).toEqual([config])
      expect(await attached(world)).toBe(config)
      expect((await find(world))?.status?.error).toEqual({ count: 0, message: '' })
      expect((await world.srv()).status).toMatchObject({ errorCount: 0, provisioning: { state: 'externally provisioned' } })
      await world.stop()
    },
  )
})

describe('a DataImage and a host that is left alone', () => {
  it('I24 T-76 its host is paused: nothing is put in, and deleted it is gone at once; one that is in waits and says for what', async () => {
    const world = await waiting()
    await attach(world)
    await annotate(world, { 'baremetalhost.metal3.io/paused': '' })
    await online(world, true)
    await world.clock.advance(minutes(20))
    expect(discs(world)).toEqual([])
    expect((await condition(world, 'Attached'))?.reason).toBe('HostPaused')
    await detach(world)
    await isGone(world)
    await annotate(world, { 'baremetalhost.metal3.io/paused': null })
    await isOn(world)

    await online(world, false)
    await isOff(world)
    await attachedTo(world)
    await annotate(world, { 'baremetalhost.metal3.io/paused': '' })
    await detach(world)
    await world.clock.advance(minutes(20))
    expect(await condition(world, 'Attached')).toMatchObject({ reason: 'HostPaused', message: 'its host is paused' })
    expect(discs(world)).toEqual([config])
    await annotate(world, { 'baremetalhost.metal3.io/paused': null })
    await restart(world)
    await isGone(world)
    expect(discs(world)).toEqual([])
    await world.stop()
  })
  it('T-76 I15 its host is detached and then deleted with the disc in: it goes with its host, and a Warning names the address and the controller that nobody may write to', async () => {
    const world = await waiting()
    await attachedTo(world)
    await annotate(world, { 'baremetalhost.metal3.io/detached': '' })
    await world.clock.advance(minutes(1))
    await world.remove('srv-1')
    await world.until(minutes(5), 'the host is gone', async () => (await world.host('srv-1')) === undefined)
    if (await find(world)) await detach(world)
    await isGone(world)
    expect(JSON.stringify(told(world, 'LeftBehind'))).toMatch(/config\.iso may still be in a virtual drive of srv-1: its host is/)
    await world.stop()
  })
  it('I24 its host was moved to another address: nobody there is asked or told a password; deleted, it goes with a Warning of the old one', async () => {
    const world = await openHosts([{ name: 'srv-1' }, { name: 'srv-2' }])
    await world.make('srv-1', { externallyProvisioned: true })
    await world.reaches('srv-1', 'externally provisioned')
    await isOn(world)
    await attach(world, { url: config, immediate: true })
    await world.until(minutes(2), 'it is attached', async () => (await attached(world)) === config)
    await world.change('srv-1', { spec: { bmc: { address: 'redfish-virtualmedia://srv-2' } } })
    await world.kube.patch(dataImages, key, { merge: { spec: { url: other } } })
    await world.clock.advance(hours(1))
    expect(world.rack.counts('srv-2').calls, 'the other machine hears nothing').toBe(0)
    expect(await condition(world, 'Attached')).toMatchObject({ reason: 'HostNotAccepted' })
    await detach(world)
    await isGone(world)
    expect(JSON.stringify(told(world, 'LeftBehind'))).toMatch(/config\.iso may still be in a virtual drive of srv-1/)
    await world.stop()
  })
  it('T-01 I20 a host that is not the owner of its machine: its DataImage is not put into it, at once or ever', async () => {
    const world = await waiting({}, { online: true })
    await world.make('srv-2', {
      externallyProvisioned: true,
      bmc: { address: 'redfish-virtualmedia://srv-1', credentialsName: 'srv-2-bmc' },
    })
    const second = { name: 'srv-2', namespace: key.namespace }
    await world.clock.advance(minutes(2))
    await world.kube.patch(
      hosts,
      second,
      { merge: { status: { provisioning: { state: 'externally provisioned' } } } },
      { subresource: 'status' },
    )
    await world.kube.create(dataImages, {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'DataImage',
      metadata: second,
      spec: { url: config, immediate: true },
    } as never)
    await world.clock.advance(minutes(30))
    expect(discs(world)).toEqual([])
    expect(power(world)).toBe('On')
    const said = (await world.kube.get(dataImages, second)).status?.conditions?.find(({ type }) => type === 'Attached')
    expect(said).toMatchObject({ reason: 'HostNotAccepted', message: expect.stringContaining('has the same machine') })
    await world.stop()
  })
})
