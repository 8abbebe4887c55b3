import { describe, expect, it } from 'vitest'
import { hours, minutes } from '../../src/core/duration.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import { makes } from '../contracts/bmc/makes.ts'
import { makesUnlessSaid } from '../makes.ts'
import { imageOf, openFirmware } from './host-firmware-world.ts'

describe.each(personalities.map(({ name }) => name))('the firmware of a host of make %s', make => {
  const change = makes[make]!.bios!.change! as Readonly<Record<string, string | number>>

  it('is brought to what is wanted while the host is prepared, and read back (I10, I26)', async () => {
    const world = await openFirmware(make)
    await world.sets(change)
    await world.make('srv-1', { online: false })
    await world.until(hours(1), 'its components are known', async () => (await world.components())?.status?.components !== undefined)
    await world.reaches('srv-1', 'available', hours(2))
    expect(world.holds()).toMatchObject(change)
    expect(await world.says('ChangeDetected')).toBe('False Success')
    await world.flashes([{ component: 'bios', url: imageOf('BIOS', '2.4.1') }])
    await world.until(minutes(5), 'it is prepared', async () => (await world.state('srv-1')) === 'preparing')
    await world.reaches('srv-1', 'available', hours(2))
    expect(world.runs('BIOS')).toBe('2.4.1')
    const { status } = (await world.components())!
    expect(status?.components?.find(({ component }) => component === 'bios')).toMatchObject({
      currentVersion: '2.4.1',
      lastVersionFlashed: '2.4.1',
      initialVersion: makes[make]!.bios!.version,
    })
    expect(status?.updates).toEqual([{ component: 'bios', url: imageOf('BIOS', '2.4.1') }])
    expect(world.rack.machine('srv-1').power).toBe('Off')
    await world.stop()
  })
})

/** One more make by default, whose controller carries one job of settings at a time. */
const chosen = makesUnlessSaid('generic', 'dell')
const onReboot = { firmwareSettings: 'onReboot', firmwareUpdates: 'onReboot' }

describe.each(chosen)('an installed host of make %s', make => {
  const change = makes[make]!.bios!.change! as Readonly<Record<string, string | number>>

  it('gets its settings and its BIOS at a restart that somebody asks for, and runs what it ran before (I1, I4)', async () => {
    const world = await openFirmware(make)
    await world.installed()
    await world.policy(onReboot)
    await world.sets(change)
    await world.flashes([{ component: 'bios', url: imageOf('BIOS', '2.4.1') }])
    await world.clock.advance(minutes(30))
    expect(world.holds(), 'nothing happens to a host that runs').not.toMatchObject(change)
    expect(await world.says('ChangeDetected')).toBe('True Success')
    expect((await world.srv()).status?.operationalStatus).toBe('OK')
    const boots = world.events.filter(({ what }) => what === 'boots').length
    await world.restarts()
    await world.until(minutes(10), 'it is serviced', async () => (await world.srv()).status?.operationalStatus === 'servicing')
    expect((await world.srv()).status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'False',
      reason: 'Servicing',
    })
    await world.until(hours(2), 'it is well again', async () => (await world.srv()).status?.operationalStatus === 'OK')
    expect(world.holds()).toMatchObject(change)
    expect(world.runs('BIOS')).toBe('2.4.1')
    await world.until(minutes(10), 'it runs', () => world.rack.machine('srv-1').stage === 'running')
    const { status } = await world.srv()
    expect(status).toMatchObject({ poweredOn: true, errorCount: 0, provisioning: { state: 'provisioned' } })
    expect(
      new Set(
        world.events
          .filter(({ what }) => what === 'boots')
          .slice(boots)
          .map(event => 'from' in event && event.from),
      ),
    ).toEqual(new Set(['Cd']))
    await world.until(minutes(5), 'that is told', async () => (await world.says('ChangeDetected')) === 'False Success')
    expect(await world.saysOfUpdates('ChangeDetected')).toBe('False OK')
    await world.clock.advance(minutes(5))
    const writes = world.writes().length
    await world.clock.advance(hours(2))
    expect(world.writes().slice(writes), 'I26 nothing is written at rest').toEqual([])
    await world.stop()
  })

  it('without a policy is left as it is at a restart', async () => {
    const world = await openFirmware(make)
    await world.installed()
    await world.sets(change)
    await world.restarts()
    await world.clock.advance(minutes(30))
    expect(world.holds()).not.toMatchObject(change)
    expect((await world.srv()).status).toMatchObject({ operationalStatus: 'OK', poweredOn: true })
    await world.stop()
  })
})

describe.each(chosen)('preparing a host of make %s', make => {
  const change = makes[make]!.bios!.change! as Readonly<Record<string, string | number>>

  it.each(['bmc-reboots-mid-update', 'task-lost', 'two-jobs', 'finished-task-gone', 'no-location'] as const)(
    'I9 I10 comes to the same end with a controller that has %s',
    async fault => {
      const world = await openFirmware(make)
      await world.flashes([{ component: 'bios', url: imageOf('BIOS', '2.4.1') }])
      world.rack.fault('srv-1', fault, { times: 1 })
      await world.make('srv-1', { online: false })
      await world.reaches('srv-1', 'available', hours(4))
      expect(world.runs('BIOS')).toBe('2.4.1')
      expect((await world.srv()).status?.firmwareUpdates).toEqual([{ component: 'bios', url: imageOf('BIOS', '2.4.1'), version: '2.4.1' }])
      await world.stop()
    },
  )

  it('I10 success with the old version is a preparation error, retried later and later, and over with another wish', async () => {
    const world = await openFirmware(make)
    const old = world.runs('BIOS')
    await world.flashes([{ component: 'bios', url: imageOf('BIOS', '2.4.1') }])
    world.rack.fault('srv-1', 'old-version')
    await world.make('srv-1', { online: false })
    await world.until(hours(4), 'it failed twice', async () => ((await world.srv()).status?.errorCount ?? 0) > 1)
    expect((await world.srv()).status).toMatchObject({
      errorType: 'preparation error',
      operationalStatus: 'error',
      errorMessage: expect.stringContaining('as before'),
    })
    expect(world.runs('BIOS')).toBe(old)
    expect((await world.components())?.status?.updates).toEqual([])
    await world.flashes([])
    await world.reaches('srv-1', 'available', minutes(10))
    expect((await world.srv()).status).toMatchObject({ operationalStatus: 'OK', errorCount: 0 })
    await world.stop()
  })

  it('I9 a task that is stuck is told, and nothing is switched while it is there', async () => {
    const world = await openFirmware(make)
    await world.flashes([{ component: 'bios', url: imageOf('BIOS', '2.4.1') }])
    world.rack.fault('srv-1', 'stuck-at-99', { times: 1 })
    await world.make('srv-1', { online: false })
    await world.until(hours(3), 'it is told', async () => (await world.srv()).status?.errorType === 'preparation error')
    expect((await world.srv()).status?.errorMessage).toContain('it is stuck')
    const resets = world.events.filter(({ what }) => what === 'reset').length
    await world.clock.advance(hours(1))
    expect(world.events.filter(({ what }) => what === 'reset').length).toBe(resets)
    await world.stop()
  })

  it('waits for settings that somebody else left pending, and does not lose them', async () => {
    const world = await openFirmware(make)
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available', hours(1))
    const [name] = Object.keys(change)
    const entry = world.rack.machine('srv-1').model.bios
    const other = Object.entries(entry).find(([key, value]) => key !== name && value === 'Enabled')![0]
    await world.pool.use('host/default/srv-1', async bmc => bmc.bios?.set({ [other]: 'Disabled' }))
    await world.sets(change)
    await world.until(minutes(5), 'it is prepared', async () => (await world.state('srv-1')) === 'preparing')
    await world.reaches('srv-1', 'available', hours(2))
    expect(world.holds()).toMatchObject({ ...change, [other]: 'Disabled' })
    expect(world.pending()).toEqual({})
    await world.stop()
  })

  it('deleted while it is brought about, nothing of it stays pending for whoever has the machine next', async () => {
    const world = await openFirmware(make)
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available', hours(1))
    await world.sets(change)
    await world.until(minutes(20), 'it is pending', () => Object.keys(world.pending()).length > 0)
    await world.remove('srv-1')
    await world.until(hours(1), 'it is gone', async () => (await world.host('srv-1')) === undefined)
    // An iDRAC takes nothing back: it is asked once, and the host goes all the same.
    if (make !== 'dell') expect(world.pending()).toEqual({})
    expect(world.rack.machine('srv-1').power).toBe('Off')
    await world.stop()
  })

  it('taken back while it is brought about, nothing of it stays pending (BMO 3144)', async () => {
    const world = await openFirmware(make)
    await world.make('srv-1', { online: false })
    await world.reaches('srv-1', 'available', hours(1))
    await world.sets(change)
    await world.until(minutes(20), 'it is pending', () => Object.keys(world.pending()).length > 0)
    await world.sets({})
    await world.reaches('srv-1', 'available', hours(1))
    expect(world.pending()).toEqual({})
    expect((await world.srv()).status?.engine?.asked).toBeUndefined()
    await world.stop()
  })
})
