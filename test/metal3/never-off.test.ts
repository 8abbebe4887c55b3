import { describe, expect, it } from 'vitest'
import { hours, minutes } from '../../src/core/duration.ts'
import type { Provisioner } from '../../src/ports/provisioner.ts'
import { machineOf, makesUnlessSaid } from '../makes.ts'
import { openFirmware } from './host-firmware-world.ts'
import { type HostOptions, type Hosts, liveIso, openHosts } from './hosts.ts'
import { osImage, ramdiskIso } from './ramdisk-world.ts'

const makes = makesUnlessSaid('generic', 'dell')

const neverOff = { disablePowerOff: true, inspectionMode: 'agent', automatedCleaningMode: 'metadata' } as const
/** A restart passes through off by itself. */
const wentOff = (world: Hosts) =>
  world.events.filter(event => event.what === 'power' && event.to === 'Off' && !event.by.endsWith('Restart'))
const resets = (world: Hosts) => world.events.filter(({ what }) => what === 'reset').length
const discs = (world: Hosts) => Object.values(world.rack.machine('srv-1').media ?? {}).flatMap(({ image }) => image ?? [])
/** Where the system that runs now came from; undefined since the last reset. */
const runs = (world: Hosts) => {
  const last = world.events.findLast(({ what }) => what === 'runs' || what === 'reset')
  return last?.what === 'runs' ? last.from : undefined
}
const opened = (make: string, options: HostOptions = {}) => openHosts(machineOf(make), { ramdisk: { iso: ramdiskIso }, ...options })
const isGone = (world: Hosts) => world.until(hours(1), 'it is gone', async () => (await world.host('srv-1')) === undefined)

describe('a host that may not be switched off', () => {
  it.each(makes)('is inspected, installed, given back and deleted by restarts alone (%s)', async make => {
    const world = await opened(make)
    await world.make('srv-1', neverOff)
    await world.reaches('srv-1', 'available', hours(1))
    expect(discs(world)).toEqual([])
    await world.clock.advance(minutes(10))
    expect(runs(world), 'the ramdisk does not run on').not.toBe('Cd')
    await world.change('srv-1', { spec: { image: osImage } })
    await world.reaches('srv-1', 'provisioned', hours(2))
    await world.until(minutes(20), 'it runs from its disk', () => runs(world) === 'Hdd')
    expect(discs(world)).toEqual([])
    await world.change('srv-1', { spec: { image: null } })
    await world.reaches('srv-1', 'available', hours(2))
    expect([discs(world), world.rack.machine('srv-1').disk?.os]).toEqual([[], undefined])
    await world.remove('srv-1')
    await isGone(world)
    expect(wentOff(world)).toEqual([])
    expect(world.rack.machine('srv-1').power).toBe('On')
    await world.stop()
  })
  it.each(makes)('runs from a live disc, and has it taken out, without being switched off (%s)', async make => {
    const world = await opened(make)
    await world.make('srv-1', { disablePowerOff: true, image: { url: liveIso, format: 'live-iso' } })
    await world.reaches('srv-1', 'provisioned', hours(1))
    await world.until(minutes(20), 'it runs from its disc', () => runs(world) === 'Cd')
    const before = resets(world)
    await world.change('srv-1', { spec: { image: null } })
    await world.reaches('srv-1', 'available', hours(1))
    expect(discs(world)).toEqual([])
    expect(resets(world) - before).toBe(1)
    expect(wentOff(world)).toEqual([])
    await world.stop()
  })
  it('gets the settings of its firmware by a restart while it is prepared', async () => {
    const world = await openFirmware()
    await world.make('srv-1', { disablePowerOff: true })
    await world.reaches('srv-1', 'available', hours(1))
    await world.sets({ BootDelaySeconds: 20 })
    await world.until(hours(1), 'they hold', () => world.holds()['BootDelaySeconds'] === 20)
    await world.reaches('srv-1', 'available', hours(1))
    expect(wentOff(world)).toEqual([])
    await world.stop()
  })
  it('I15 that is deleted while it is inspected keeps nothing of ours: no disc, nothing armed, and the ramdisk does not run on', async () => {
    const world = await opened('generic')
    await world.make('srv-1', neverOff)
    await world.until(minutes(30), 'its disc is in', () => discs(world).length > 0)
    await world.until(minutes(30), 'the ramdisk boots', () => world.events.some(event => event.what === 'boots' && event.from === 'Cd'))
    await world.remove('srv-1')
    await isGone(world)
    await world.clock.advance(minutes(10))
    expect(discs(world)).toEqual([])
    expect(runs(world)).not.toBe('Cd')
    expect(wentOff(world)).toEqual([])
    await world.stop()
  })
  it('that somebody else installed runs on when it is deleted', async () => {
    const world = await openHosts()
    await world.make('srv-1', { externallyProvisioned: true, disablePowerOff: true })
    await world.reaches('srv-1', 'externally provisioned')
    await world.until(minutes(10), 'it is on', () => world.rack.machine('srv-1').power === 'On')
    const before = resets(world)
    await world.remove('srv-1')
    await isGone(world)
    await world.clock.advance(minutes(10))
    expect([resets(world) - before, wentOff(world)]).toEqual([0, []])
    await world.stop()
  })
  it('is told once more where a restart that was noted never reached it', async () => {
    let lost = 0
    const forgetful = (direct: Provisioner): Provisioner => ({
      ...direct,
      perform: async (host, step, signal) => (step.do === 'restart' && lost++ === 0 ? undefined : direct.perform(host, step, signal)),
    })
    const world = await openHosts(undefined, { engine: forgetful })
    await world.make('srv-1', { externallyProvisioned: true, disablePowerOff: true })
    await world.reaches('srv-1', 'externally provisioned')
    await world.until(minutes(10), 'it is on', () => world.rack.machine('srv-1').power === 'On')
    await world.clock.advance(minutes(5))
    const before = resets(world)
    await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io': '' } } })
    await world.until(
      minutes(10),
      'the annotation is taken away',
      async () => (await world.host('srv-1'))?.metadata.annotations?.['reboot.metal3.io'] === undefined,
    )
    expect([lost, resets(world) - before]).toEqual([2, 1])
    await world.stop()
  })
})
