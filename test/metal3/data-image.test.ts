import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { dataImages, hosts } from '../../src/controllers/metal3/resources.ts'
import { hours, minutes, seconds } from '../../src/core/duration.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import {
  attach,
  attached,
  condition,
  config,
  detach,
  discs,
  find,
  isOff,
  isOn,
  key,
  media,
  online,
  other,
  power,
  told,
  waiting,
} from './discs.ts'
import { liveIso, openHosts } from './hosts.ts'

describe('a DataImage', () => {
  it.each(personalities.map(({ name }) => name))(
    'DI-001 DI-004 DI-007 DI-016 of %s: a host that waits switched off finds its configuration when it is switched on, and its boot device is as it was',
    async make => {
      const world = await waiting({}, {}, make)
      const before = world.rack.machine('srv-1').armed
      await attach(world)
      await world.clock.advance(minutes(30))
      expect(discs(world), 'not before it is switched on').toEqual([])
      expect((await condition(world, 'Attached'))?.message).toContain('next restart or power-on')
      await online(world, true)
      await isOn(world)
      expect(discs(world), JSON.stringify((await find(world))?.status)).toEqual([config])
      expect(world.rack.machine('srv-1').armed).toEqual(before)
      expect((await find(world))?.status).toMatchObject({
        attachedImage: { url: config },
        error: { count: 0, message: '' },
        lastReconciliation: expect.any(String),
      })
      await world.stop()
    },
  )
  it('DI-008 DI-009 DI-010 DI-011 the sample of the proposal applies as it stands, and says that its host is not there', async () => {
    const world = await openHosts()
    const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
    await world.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'metal-cluster' } })
    const text = readFileSync(new URL('../../examples/metal3/data-image.yaml', import.meta.url), 'utf8')
    await world.kube.create(dataImages, parse(text) as KubeObject as never)
    await world.clock.advance(minutes(1))
    const found = await world.kube.get(dataImages, { name: 'metal-worker-0', namespace: 'metal-cluster' })
    expect(found.spec?.url).toBe('http://1.2.3.4/image.iso')
    expect(found.status?.conditions?.find(({ type }) => type === 'Accepted')).toMatchObject({ status: 'False', reason: 'NoHost' })
    expect(found.metadata.finalizers, 'T-75 never tried, it holds nothing').toBeUndefined()
    await world.stop()
  })
  it('DI-013 DI-014 T-75 belongs to its host, and has a finalizer from right before it is put in until it was seen taken out', async () => {
    const world = await waiting()
    await attach(world)
    expect((await find(world))?.metadata.ownerReferences).toMatchObject([{ kind: 'BareMetalHost', name: 'srv-1' }])
    expect((await find(world))?.metadata.finalizers).toBeUndefined()
    await online(world, true)
    await isOn(world)
    expect((await find(world))?.metadata.finalizers).toEqual(['dataimage.metal3.io'])
    await world.stop()
  })
  it('DI-017 DI-018 DI-021 DI-022 DI-024 a restart by annotation attaches it, and after its deletion the next one takes it out', async () => {
    const world = await waiting({}, { online: true })
    await isOn(world)
    await attach(world)
    await world.clock.advance(minutes(30))
    expect(discs(world)).toEqual([])
    const restart = async () => {
      await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io': '' } } })
      await isOff(world)
      await isOn(world)
    }
    await restart()
    expect(discs(world)).toEqual([config])
    await detach(world)
    await world.clock.advance(hours(1))
    expect(discs(world), 'it stays until then').toEqual([config])
    expect((await condition(world, 'Attached'))?.message).toContain('taken out at the next restart')
    await restart()
    await world.until(minutes(5), 'it is gone', async () => (await find(world)) === undefined)
    expect(discs(world)).toEqual([])
    await world.stop()
  })
  it('DI-020 DI-029 another address: what is attached is taken out first, while the host is off', async () => {
    const world = await waiting()
    await attach(world)
    await online(world, true)
    await isOn(world)
    await online(world, false)
    await isOff(world)
    await world.kube.patch(dataImages, key, { merge: { spec: { url: other } } })
    await world.clock.advance(minutes(10))
    expect(discs(world)).toEqual([config])
    await online(world, true)
    await isOn(world)
    expect(discs(world)).toEqual([other])
    expect(await attached(world)).toBe(other)
    await world.stop()
  })
  it.each([
    ['ftp://images.example/config.iso', 'http:// or https://'],
    ['https://root:hunter2@images.example/config.iso', 'credentials'],
  ])(
    'I15 whose address becomes one that cannot be (%s) is taken out at the next restart, deleted or not, and says what is wrong',
    async (url, words) => {
      for (const isDeleted of [false, true]) {
        const world = await waiting()
        await attach(world)
        await online(world, true)
        await isOn(world)
        await world.kube.patch(dataImages, key, { merge: { spec: { url } } })
        await world.clock.advance(minutes(10))
        expect(await condition(world, 'Accepted')).toMatchObject({
          status: 'False',
          reason: 'Invalid',
          message: expect.stringContaining(words),
        })
        expect(discs(world)).toEqual([config])
        if (isDeleted) await detach(world)
        await online(world, false)
        await isOff(world)
        await online(world, true)
        await isOn(world)
        expect(discs(world)).toEqual([])
        await world.clock.advance(minutes(10))
        if (isDeleted) expect(await find(world)).toBeUndefined()
        else expect((await find(world))?.status?.attachedImage).toBeUndefined()
        expect(told(world, 'LeftBehind')).toEqual([])
        await world.stop()
      }
    },
  )
  it('DI-039 X-032 immediate: attached and taken out while the host runs', async () => {
    const world = await waiting({}, { online: true })
    await isOn(world)
    await attach(world, { url: config, immediate: true })
    await world.until(minutes(2), 'it is attached', async () => (await attached(world)) === config)
    expect(power(world)).toBe('On')
    await detach(world)
    await world.until(minutes(2), 'it is gone', async () => (await find(world)) === undefined)
    expect(discs(world)).toEqual([])
    expect(power(world)).toBe('On')
    await world.stop()
  })
  it('a host that is never switched off has it attached before it is restarted', async () => {
    const world = await waiting({}, { online: true, disablePowerOff: true })
    await isOn(world)
    await attach(world)
    await world.clock.advance(minutes(5))
    expect(discs(world)).toEqual([])
    await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io': '' } } })
    await world.until(
      minutes(10),
      'it was restarted',
      async () => (await world.host('srv-1'))?.metadata.annotations?.['reboot.metal3.io'] === undefined,
    )
    expect(discs(world)).toEqual([config])
    await world.stop()
  })
  it('DI-002 DI-017 a host that is not provisioned gets none', async () => {
    const world = await openHosts()
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available')
    await attach(world)
    await online(world, true)
    await isOn(world)
    expect(discs(world)).toEqual([])
    expect((await condition(world, 'Attached'))?.reason).toBe('HostNotProvisioned')
    await world.stop()
  })
  it('T-04 a live ISO keeps its drive: the DataImage takes another one', async () => {
    const world = await openHosts([{ name: 'srv-1', personality: 'dell' }])
    await world.make('srv-1', { image: { url: liveIso, format: 'live-iso' } })
    await world.reaches('srv-1', 'provisioned')
    await isOn(world)
    await attach(world)
    await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io': '' } } })
    await isOff(world)
    await isOn(world)
    expect([...discs(world)].sort()).toEqual([config, liveIso].sort())
    await world.change('srv-1', { spec: { image: null } })
    await world.reaches('srv-1', 'available', hours(1))
    expect(discs(world), 'I15 nothing stays on a host that is given back').toEqual([])
    expect(await find(world), 'DI-035 the object is its owner’s').toBeDefined()
    await world.stop()
  })
  it('I26 at rest nothing is written and no controller is asked for it', async () => {
    const world = await waiting()
    await attach(world)
    await online(world, true)
    await isOn(world)
    await world.clock.advance(minutes(10))
    const [writes, calls] = [world.writes().length, world.rack.counts('srv-1').calls]
    await world.clock.advance(hours(1))
    expect(world.writes().slice(writes)).toEqual([])
    expect(world.rack.counts('srv-1').calls - calls, 'as many as without it').toBe(185)
    await world.stop()
  })
})

describe('a DataImage under fire', () => {
  it('DI-006 DI-015 T-78 a controller without drives: it is not accepted, the host starts at once, and its deletion ends', async () => {
    const engine = media(({ look }) => ({ look: async (...of) => ({ ...(await look(...of)), drives: undefined }) as never }))
    const world = await waiting({ engine })
    await attach(world)
    await online(world, true)
    await isOn(world, minutes(2))
    expect(await condition(world, 'Accepted')).toMatchObject({ status: 'False', reason: 'NoVirtualMedia' })
    await detach(world)
    await world.until(minutes(1), 'it is gone', async () => (await find(world)) === undefined)
    await world.stop()
  })
  it.each([
    ['nonsense', 'not an address'],
    ['nfs://10.0.0.9/a.iso', 'must begin with'],
    ['http://me:pw@10.0.0.9/a.iso', 'holds credentials'],
  ])('DI-005 the address %s is refused in words, and nobody waits for it', async (url, says) => {
    const world = await waiting()
    await attach(world, { url })
    await online(world, true)
    await isOn(world, minutes(2))
    expect((await condition(world, 'Accepted'))?.message).toContain(says)
    expect(JSON.stringify((await find(world))?.status)).not.toContain('pw@')
    await world.stop()
  })
  it('DI-001 T-81 what is not an ISO 9660 image is never put in; the reason is told', async () => {
    const world = await waiting({ discs: { of: async () => 'other' } })
    await attach(world)
    await online(world, true)
    await isOn(world)
    expect(discs(world)).toEqual([])
    expect((await find(world))?.status?.error?.message).toContain('not an ISO 9660 image')
    await world.stop()
  })
  it.each([
    ['refuses it', () => Promise.reject(new Error('the image was not found'))],
    ['answers and does nothing', () => Promise.resolve()],
  ])(
    'X-033 T-77 DI-030 DI-031 DI-032 DI-033 a controller that %s: taken out before each of five tries, told, then the host starts without it, and it is tried at the next restart',
    async (_, insert) => {
      const calls: string[] = []
      let broken = true
      const engine = media(right => ({
        insert(...of) {
          calls.push('insert')
          return broken ? insert() : right.insert(...of)
        },
        eject(...of) {
          calls.push('eject')
          return right.eject(...of)
        },
      }))
      const world = await waiting({ engine })
      await attach(world)
      await online(world, true)
      await world.clock.advance(minutes(2))
      expect(power(world), 'it is waited for').toBe('Off')
      await isOn(world, minutes(12))
      expect(calls).toEqual(Array.from({ length: 5 }, () => ['insert', 'eject']).flat())
      const { error } = (await find(world))?.status ?? {}
      expect(error).toMatchObject({ count: 5, message: expect.stringContaining('could not be attached') })
      expect(told(world, 'AttachFailed').length).toBeGreaterThan(0)
      expect(told(world, 'WithoutDataImage')).toHaveLength(1)
      broken = false
      await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io': '' } } })
      await isOff(world)
      await isOn(world)
      expect(discs(world)).toEqual([config])
      expect((await find(world))?.status?.error).toEqual({ count: 0, message: '' })
      await world.stop()
    },
  )
  it('DI-033 a controller that takes no address like this is asked five times, and then the host starts', async () => {
    const world = await waiting({}, {}, 'openbmc')
    await attach(world, { url: 'http://10.0.0.9/config.iso' })
    await online(world, true)
    await isOn(world, minutes(9))
    expect((await find(world))?.status?.error).toMatchObject({ count: 5, message: expect.stringContaining('the BMC answered 400') })
    await world.stop()
  })
  it('a drive that shows what nobody put in is not believed, and one that takes half a minute to empty is waited for', async () => {
    const world = await waiting()
    world.rack.fault('srv-1', 'slow-eject')
    await attach(world)
    await online(world, true)
    await isOn(world)
    await online(world, false)
    await isOff(world)
    await world.kube.patch(dataImages, key, { merge: { spec: { url: other } } })
    await online(world, true)
    await isOn(world)
    expect(discs(world)).toEqual([other])
    await world.stop()
  })
  it('PR-3048 T-77 a controller that is silent holds the host for ten minutes at most', async () => {
    const world = await waiting({ engine: media(() => ({ look: async () => ({ is: 'silent', because: 'it does not answer' }) })) })
    await attach(world)
    await online(world, true)
    await world.clock.advance(minutes(1))
    expect(power(world)).toBe('Off')
    await isOn(world, minutes(11))
    await world.stop()
  })
  it('I9 while firmware is being written nothing is put in', async () => {
    let busy = true
    const engine = media(({ look }) => ({ look: async (...of) => ({ ...(await look(...of)), busy }) as never }))
    const world = await waiting({ engine })
    await attach(world)
    await online(world, true)
    await world.clock.advance(minutes(3))
    expect(discs(world)).toEqual([])
    busy = false
    await isOn(world)
    expect(discs(world)).toEqual([config])
    await world.stop()
  })
  it('T-76 deleted before it was ever attached, it is gone at once', async () => {
    const world = await waiting()
    await attach(world)
    await detach(world)
    expect(await find(world)).toBeUndefined()
    await world.stop()
  })
  it('T-76 deleted while it is being attached, it is taken out, and then it is gone', async () => {
    let stuck = true
    const engine = media(right => ({
      insert: (...of) => (stuck ? new Promise(resolve => setTimeout(resolve, 0)) : right.insert(...of)) as Promise<void>,
    }))
    const world = await waiting({ engine })
    await attach(world)
    await online(world, true)
    await world.until(minutes(2), 'it is begun', async () => (await find(world))?.status?.begun?.step === 'insert')
    stuck = false
    await detach(world)
    await world.until(minutes(5), 'it is gone', async () => (await find(world)) === undefined)
    expect(discs(world)).toEqual([])
    await isOn(world)
    await world.stop()
  })
  it('T-76 its host is detached: it is let go, and a Warning names the address and the controller', async () => {
    const world = await waiting()
    await attach(world)
    await online(world, true)
    await isOn(world)
    await world.change('srv-1', { metadata: { annotations: { 'baremetalhost.metal3.io/detached': '' } } })
    await world.clock.advance(minutes(1))
    await detach(world)
    await world.until(minutes(1), 'it is gone', async () => (await find(world)) === undefined)
    expect(JSON.stringify(told(world, 'LeftBehind'))).toMatch(/config\.iso may still be in a virtual drive of srv-1/)
    await world.stop()
  })
  it('I15 its host is deleted: the disc is taken out before the host goes', async () => {
    const world = await waiting()
    await attach(world)
    await online(world, true)
    await isOn(world)
    await world.remove('srv-1')
    await world.until(hours(1), 'the host is gone', async () => (await world.host('srv-1')) === undefined)
    expect(discs(world)).toEqual([])
    await detach(world).catch(() => {})
    await world.until(minutes(1), 'and so is its DataImage', async () => (await find(world)) === undefined)
    await world.stop()
  })
  it('I23 X-033 an eject that never works: its host is deleted all the same, and so is the DataImage', async () => {
    const world = await waiting({ engine: media(() => ({ eject: () => Promise.reject(new Error('the drive is locked')) })) })
    await attach(world)
    await online(world, true)
    await isOn(world)
    await detach(world)
    await world.clock.advance(minutes(5))
    expect(await find(world), 'it waits for the next restart').toBeDefined()
    await world.kube.delete(hosts, key)
    await world.until(hours(2), 'the host is gone', async () => (await world.host('srv-1')) === undefined)
    await world.until(minutes(10), 'so is the DataImage', async () => (await find(world)) === undefined)
    expect(told(world, 'LeftBehind').length).toBeGreaterThan(0)
    await world.stop()
  })
  it('DI-037 removing it is all that a downgrade needs: the host is as before', async () => {
    const world = await waiting()
    await attach(world, { url: config, immediate: true })
    await world.until(minutes(2), 'it is attached', async () => (await attached(world)) === config)
    await detach(world)
    await world.until(minutes(2), 'it is gone', async () => (await find(world)) === undefined)
    await online(world, true)
    await isOn(world, minutes(2))
    await world.clock.advance(seconds(30))
    expect(await world.state('srv-1')).toBe('externally provisioned')
    await world.stop()
  })
})
