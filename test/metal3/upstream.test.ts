import { describe, expect, it } from 'vitest'
import { hostErrors } from '../../src/api/metal3/host-status.ts'
import { hardwareData, hosts } from '../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { machineOf, makesUnlessSaid } from '../makes.ts'
import { answering, failed, working } from './engines.ts'
import { type Hosts, liveIso, namespace, openHosts } from './hosts.ts'

const makes = makesUnlessSaid('generic', 'dell')

const key = { name: 'srv-1', namespace }
const image = { url: liveIso, format: 'live-iso' as const }
const details = { cpu: { arch: 'aarch64', count: 4 }, hostname: 'told', ramMebibytes: 2048 }
const statusOf = async (world: Hosts) => (await world.host('srv-1'))?.status
const isGone = (world: Hosts, within: number) => world.until(within, 'it is gone', async () => (await world.host('srv-1')) === undefined)

describe('what Metal3’s own tests ask for, and what its users found wrong', () => {
  it('external inspection: what an annotation tells is kept, and the annotation is taken away', async () => {
    const world = await openHosts()
    await world.make(
      'srv-1',
      { online: false, inspectionMode: 'disabled', bootMACAddress: '52:54:00:12:34:56' },
      { annotations: { 'inspect.metal3.io/hardwaredetails': JSON.stringify(details) } },
    )
    await world.reaches('srv-1', 'available')
    expect(await world.hardware('srv-1')).toEqual(details)
    const host = await world.host('srv-1')
    expect(host?.status?.hardware).toEqual(details)
    expect(host?.metadata.annotations?.['inspect.metal3.io/hardwaredetails']).toBeUndefined()
    await world.stop()
  })
  it('external inspection: a field that nobody knows is refused, not dropped', async () => {
    const world = await openHosts()
    await world.make(
      'srv-1',
      { online: false, inspectionMode: 'disabled', bootMACAddress: '52:54:00:12:34:56' },
      { annotations: { 'inspect.metal3.io/hardwaredetails': '{"cores":8}' } },
    )
    await world.clock.advance(minutes(5))
    expect((await statusOf(world))?.conditions?.find(({ type }) => type === 'Accepted')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('cores'),
    })
    expect(await world.hardware('srv-1')).toBeUndefined()
    await world.stop()
  })
  it('external inspection: a HardwareData that was there before the host is its own', async () => {
    const world = await openHosts()
    await world.kube.create(hardwareData, {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'HardwareData',
      metadata: key,
      spec: { hardware: details },
    })
    await world.make('srv-1', { online: false, inspectionMode: 'disabled', bootMACAddress: '52:54:00:12:34:56' })
    await world.reaches('srv-1', 'available')
    expect((await statusOf(world))?.hardware).toEqual(details)
    await world.stop()
  })
  it.each(makes)('of %s, inspected again, what is not there any more is not told any more', async make => {
    const world = await openHosts(machineOf(make))
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available')
    // Inspections are told apart by the second.
    await world.clock.advance(minutes(1))
    await world.kube.patch(hardwareData, key, { merge: { spec: { hardware: { hostname: 'stale' } } } })
    await world.change('srv-1', { metadata: { annotations: { 'inspect.metal3.io': '' } } })
    await world.until(minutes(5), 'it was inspected', async () => (await world.hardware('srv-1'))?.['hostname'] === undefined)
    await world.reaches('srv-1', 'available')
    expect((await world.host('srv-1'))?.metadata.annotations?.['inspect.metal3.io']).toBeUndefined()
    await world.stop()
  })
  it('BMO-3271 reboot annotations of clients are theirs: only the plain one is taken away', async () => {
    const world = await openHosts()
    await world.make('srv-1', { image })
    await world.reaches('srv-1', 'provisioned')
    await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io': '', 'reboot.metal3.io/mine': '' } } })
    await world.until(minutes(10), 'it is off', () => world.rack.machine('srv-1').power === 'Off')
    await world.clock.advance(hours(1))
    const annotations = (await world.host('srv-1'))?.metadata.annotations ?? {}
    expect(Object.keys(annotations).filter(name => name.startsWith('reboot'))).toContain('reboot.metal3.io/mine')
    expect(world.rack.machine('srv-1').power).toBe('Off')
    await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io/mine': null, 'reboot.metal3.io': null } } })
    await world.until(minutes(10), 'it is on', () => world.rack.machine('srv-1').power === 'On')
    await world.stop()
  })
  it('condition Healthy follows what its management controller says of the machine, and stands while nobody can be asked', async () => {
    const world = await openHosts()
    const healthy = async () => {
      const { status, reason } = (await statusOf(world))?.conditions?.find(({ type }) => type === 'Healthy') ?? {}
      return `${status} ${reason}`
    }
    const says = (words: string) => world.until(minutes(3), `Healthy is ${words}`, async () => (await healthy()) === words)
    world.rack.fault('srv-1', 'no-answer')
    await world.make('srv-1', { online: false })
    await says('Unknown Unknown')
    world.rack.heal('srv-1')
    await world.reaches('srv-1', 'available')
    await says('True Healthy')
    world.rack.machine('srv-1').health = 'Warning'
    await says('False Warning')
    world.rack.machine('srv-1').health = 'Critical'
    await says('False CriticalError')
    world.rack.fault('srv-1', 'no-answer')
    await world.clock.advance(minutes(30))
    expect(await healthy()).toBe('False CriticalError')
    world.rack.machine('srv-1').health = undefined
    world.rack.heal('srv-1')
    await world.until(minutes(40), 'it is healthy again', async () => (await healthy()) === 'True Healthy')
    await world.stop()
  })
  it('disablePowerOff: a restart takes the place of switching off, and the annotation is taken away', async () => {
    const world = await openHosts()
    await world.make('srv-1', { externallyProvisioned: true, disablePowerOff: true })
    await world.reaches('srv-1', 'externally provisioned')
    await world.until(minutes(10), 'it is on', () => world.rack.machine('srv-1').power === 'On')
    await world.clock.advance(minutes(5))
    await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io': '' } } })
    await world.until(
      minutes(10),
      'it was restarted',
      async () => (await world.host('srv-1'))?.metadata.annotations?.['reboot.metal3.io'] === undefined,
    )
    await world.clock.advance(minutes(10))
    expect(world.rack.machine('srv-1').power).toBe('On')
    await world.stop()
  })
  it('disablePowerOff: each restart that is asked for is one restart', async () => {
    const world = await openHosts()
    await world.make('srv-1', { externallyProvisioned: true, disablePowerOff: true })
    await world.reaches('srv-1', 'externally provisioned')
    await world.until(minutes(10), 'it is on', () => world.rack.machine('srv-1').power === 'On')
    const resets = () => world.events.filter(({ what }) => what === 'reset').length
    const before = resets()
    for (const times of [1, 2, 3]) {
      await world.clock.advance(minutes(times * times))
      await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io': '' } } })
      await world.until(
        minutes(10),
        'the annotation is taken away',
        async () => (await world.host('srv-1'))?.metadata.annotations?.['reboot.metal3.io'] === undefined,
      )
      await world.clock.advance(minutes(5))
      expect(resets() - before).toBe(times)
    }
    await world.stop()
  })
  it('I8 a host that shall be off is asked to shut down as often as somebody switches it on, and its power is not cut', async () => {
    const world = await openHosts()
    await world.make('srv-1', { externallyProvisioned: true, online: false })
    await world.reaches('srv-1', 'externally provisioned')
    const before = world.events.length
    for (let times = 0; times < 6; times++) {
      await world.pool.use('host/default/srv-1', bmc => bmc.power.set('On', 'graceful'))
      await world.clock.advance(hours(1))
      expect(world.rack.machine('srv-1').power).toBe('Off')
    }
    expect(world.events.slice(before).filter(event => event.what === 'power' && event.by === 'ForceOff')).toEqual([])
    expect((await statusOf(world))?.errorCount).toBe(0)
    await world.stop()
  })
  it.each([false, true])(
    'a live ISO on a controller that keeps a boot device for one boot only: every restart comes up from the disc (disablePowerOff %s)',
    async disablePowerOff => {
      const world = await openHosts()
      world.rack.fault('srv-1', 'persistent-unsupported')
      await world.make('srv-1', { image, disablePowerOff })
      await world.reaches('srv-1', 'provisioned', hours(1))
      const boots = () => world.events.flatMap(event => (event.what === 'boots' ? [event.from] : []))
      await world.until(minutes(10), 'it boots', () => boots().at(-1) === 'Cd')
      for (const times of [1, 2]) {
        const before = boots().length
        await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io': '' } } })
        await world.until(minutes(20), `restart ${times} boots`, () => boots().length > before)
        await world.clock.advance(minutes(5))
        expect(boots().slice(before)).toEqual(['Cd'])
      }
      await world.stop()
    },
  )
  it.each(makes)(
    'of %s, available becomes externally provisioned when somebody says so, and the other way with an image it stays installed',
    async make => {
      const world = await openHosts(machineOf(make))
      await world.make('srv-1', { online: false })
      await world.reaches('srv-1', 'available')
      await world.change('srv-1', { spec: { externallyProvisioned: true } })
      await world.reaches('srv-1', 'externally provisioned', minutes(2))
      const before = world.events.length
      await world.change('srv-1', { spec: { externallyProvisioned: false, image } })
      await world.reaches('srv-1', 'provisioned', minutes(2))
      await world.clock.advance(minutes(30))
      expect(await world.state('srv-1')).toBe('provisioned')
      expect(world.events.slice(before)).toEqual([])
      await world.stop()
    },
  )
  it('BMO-3380 every error type that is written is one that the API takes', async () => {
    const world = await openHosts()
    await world.make('srv-1', {}, { annotations: { 'baremetalhost.metal3.io/paused': '' } })
    for (const errorType of hostErrors) {
      await world.kube.patch(hosts, key, { merge: { status: { errorType } } }, { subresource: 'status' })
      expect((await statusOf(world))?.errorType).toBe(errorType)
    }
    await world.stop()
  })
  it('failures are Warnings, and one that lasts is told once for each try', async () => {
    const world = await openHosts(undefined, { engine: answering({ inspect: () => failed('nothing was found', false) }) })
    await world.make('srv-1', { online: false })
    await world.clock.advance(hours(2))
    const events = world
      .writes()
      .filter(({ path, method, body }) => method === 'POST' && path.includes('/events') && isAbout(body, 'InspectionError'))
    expect(events.map(({ body }) => (body as { readonly type?: string }).type)).toEqual(['Warning'])
    await world.stop()
  })
  it.each([
    ['inspecting', { inspect: () => working('it is inspected') }, {}],
    ['preparing', { prepare: () => working('it is prepared') }, {}],
    ['provisioning', { deploy: () => working('it is installed') }, { image }],
    ['deprovisioning', { clean: () => failed('its disk does not answer') }, { image }],
    ['deprovisioning', { clean: () => failed('there is no ramdisk', false) }, { image }],
  ] as const)('I23 deleted while %s, with an engine that never finishes, it is gone in the end', async (state, answers, spec) => {
    const world = await openHosts(undefined, { engine: answering(answers) })
    await world.make('srv-1', spec as never)
    if (state === 'deprovisioning') {
      await world.reaches('srv-1', 'provisioned')
      await world.change('srv-1', { spec: { image: null } })
    }
    await world.reaches('srv-1', state)
    await world.remove('srv-1')
    await isGone(world, hours(4))
    expect(world.rack.machine('srv-1').power).toBe('Off')
    await world.stop()
  })
  it.each([
    ['unmanaged', { bmc: undefined as never }],
    ['none', { bmc: { address: 'wsman://srv-1', credentialsName: 'srv-1-bmc' } }],
  ] as const)('I23 deleted while %s, it is gone at once', async (_, spec) => {
    const world = await openHosts()
    await world.make('srv-1', spec)
    await world.clock.advance(minutes(1))
    await world.remove('srv-1')
    await isGone(world, minutes(1))
    await world.stop()
  })
  it('I23 BMO-713 BMO-2879 deleted when its address cannot be read any more, it is gone all the same', async () => {
    const world = await openHosts()
    await world.make('srv-1', { image })
    await world.reaches('srv-1', 'provisioned')
    await world.change('srv-1', { spec: { bmc: { address: 'wsman://srv-1' } } })
    await world.remove('srv-1')
    await isGone(world, minutes(10))
    await world.stop()
  })
})

const isAbout = (body: unknown, reason: string): boolean => (body as { readonly reason?: string } | undefined)?.reason === reason
