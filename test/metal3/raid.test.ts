import { describe, expect, it } from 'vitest'
import { hours, minutes } from '../../src/core/duration.ts'
import { makes as makesOf } from '../contracts/bmc/makes.ts'
import { makesUnlessSaid } from '../makes.ts'
import { openFirmware } from './host-firmware-world.ts'
import { type HostOptions, type Hosts, openHosts } from './hosts.ts'
import { osImage, ramdiskIso } from './ramdisk-world.ts'

const makes = makesUnlessSaid('generic', 'hpe')
const mirror = { softwareRAIDVolumes: [{ level: '1' as const }] }
const two = { softwareRAIDVolumes: [{ level: '1' as const, sizeGibibytes: 100 }, { level: '0' as const }] }
const hardware = { hardwareRAIDVolumes: [{ level: '5' as const, name: 'data' }] }

const withRamdisk = (make = 'generic', options: HostOptions = {}): Promise<Hosts> =>
  openHosts([{ name: 'srv-1', personality: make }], { ramdisk: { iso: ramdiskIso }, ...options })
const volumes = ({ rack }: Hosts) => rack.machine('srv-1').volumes
const discs = ({ rack }: Hosts) => Object.values(rack.machine('srv-1').media ?? {}).map(({ image }) => image)
const made = ({ events }: Hosts) => events.flatMap(event => (event.what === 'volumes' ? [event.count] : []))
const raidOf = async (world: Hosts) => (await world.host('srv-1'))?.status?.provisioning?.raid
const failure = async (world: Hosts) => {
  const { errorType, errorMessage } = (await world.host('srv-1'))?.status ?? {}
  return { errorType, errorMessage }
}
const fails = (world: Hosts) =>
  world.until(hours(1), 'its preparation failed', async () => (await failure(world)).errorType === 'preparation error')

describe('RAID volumes of a host', () => {
  it.each(makes)(
    'of %s are made by its agent before it is available; status notes them, and it is left off with nothing in its drives',
    async make => {
      const world = await withRamdisk(make)
      await world.make('srv-1', { online: false, raid: two } as never)
      await world.reaches('srv-1', 'available', hours(1))
      expect(volumes(world)).toEqual([
        { size_gb: 100, raid_level: '1', controller: 'software', is_root_volume: true },
        { size_gb: 'MAX', raid_level: '0', controller: 'software' },
      ])
      expect(await raidOf(world)).toEqual(two)
      expect([world.rack.machine('srv-1').power, discs(world)]).toEqual(['Off', []])
      await world.clock.advance(hours(2))
      expect(made(world), 'once').toEqual([0, 2])

      await world.change('srv-1', { spec: { online: true, image: osImage } })
      await world.reaches('srv-1', 'provisioned', hours(2))
      expect(volumes(world), 'what is installed goes onto them').toHaveLength(2)
      await world.stop()
    },
  )
  it('other volumes are wanted while it is available: it is prepared once more, and what was there is gone', async () => {
    const world = await withRamdisk()
    await world.make('srv-1', { online: false, raid: mirror } as never)
    await world.reaches('srv-1', 'available', hours(1))
    await world.change('srv-1', { spec: { raid: two } })
    await world.reaches('srv-1', 'preparing')
    expect(await raidOf(world), 'nobody knows what is there meanwhile').toBeUndefined()
    await world.until(hours(1), 'it is available again', async () => (await raidOf(world))?.softwareRAIDVolumes?.length === 2)
    expect(made(world)).toEqual([0, 1, 0, 2])
    await world.stop()
  })
  it('an empty list takes all away; a wish that is taken back leaves them alone', async () => {
    const world = await withRamdisk()
    await world.make('srv-1', { online: false, raid: mirror } as never)
    await world.reaches('srv-1', 'available', hours(1))
    await world.change('srv-1', { spec: { raid: null } })
    await world.clock.advance(hours(1))
    expect([await world.state('srv-1'), made(world)]).toEqual(['available', [0, 1]])
    await world.change('srv-1', { spec: { raid: { softwareRAIDVolumes: [] } } })
    await world.until(hours(1), 'they are gone', async () => (await raidOf(world))?.softwareRAIDVolumes?.length === 0)
    expect(volumes(world)).toBeUndefined()
    await world.reaches('srv-1', 'available')
    await world.clock.advance(hours(1))
    expect(made(world), 'and nothing is done twice').toEqual([0, 1, 0])
    await world.stop()
  })
  it('a step that fails is a preparation error with the agent’s words; nothing is noted, no disc stays, and the next try begins from the start', async () => {
    const world = await withRamdisk()
    world.rack.machine('srv-1').agentManners = { 'fails a step': 1 }
    await world.make('srv-1', { online: false, raid: mirror } as never)
    await fails(world)
    expect(await failure(world)).toMatchObject({
      errorMessage: expect.stringContaining('its agent failed at raid.delete_configuration: DeploymentError: the disk does not answer'),
    })
    expect(await raidOf(world)).toBeUndefined()
    expect([world.rack.machine('srv-1').power, discs(world)], 'I15 the ramdisk is not left there').toEqual(['Off', []])
    await world.reaches('srv-1', 'available', hours(2))
    expect(made(world)).toEqual([0, 1])
    expect(await raidOf(world)).toEqual(mirror)
    await world.stop()
  })
  it('an agent that hangs in the middle of it is lost after a while; the next try takes away what may be there first', async () => {
    const world = await withRamdisk()
    world.rack.machine('srv-1').volumes = [{ raid_level: '1', of: 'somebody before' }]
    world.rack.machine('srv-1').agentManners = { hangs: 1 }
    await world.make('srv-1', { online: false, raid: mirror } as never)
    await fails(world)
    expect((await failure(world)).errorMessage).toContain('silent')
    await world.reaches('srv-1', 'available', hours(2))
    expect(made(world)).toEqual([0, 1])
    await world.stop()
  })
  it('what the agent refuses is told in its words', async () => {
    const world = await withRamdisk()
    const twice = { softwareRAIDVolumes: [{ level: '1' }, { level: '0' }] }
    await world.make('srv-1', { online: false, raid: twice } as never)
    await fails(world)
    expect((await failure(world)).errorMessage).toContain("Software RAID can have only one RAID device with size 'MAX'")
    await world.change('srv-1', { spec: { raid: two } })
    await world.reaches('srv-1', 'available', minutes(30))
    await world.stop()
  })
  it('a ramdisk without such steps says so', async () => {
    const world = await withRamdisk()
    world.rack.machine('srv-1').raidSteps = 'none'
    await world.make('srv-1', { online: false, raid: mirror } as never)
    await fails(world)
    expect((await failure(world)).errorMessage).toContain('it has no clean step raid.delete_configuration')
    expect([world.rack.machine('srv-1').power, discs(world)]).toEqual(['Off', []])
    await world.stop()
  })
  it('without a ramdisk nothing is tried, and that is said', async () => {
    const world = await openHosts()
    await world.make('srv-1', { online: false, raid: mirror } as never)
    await fails(world)
    expect((await failure(world)).errorMessage).toContain('no ramdisk is set up')
    expect(world.events.filter(({ what }) => what === 'boots')).toEqual([])
    await world.stop()
  })
  it('another wish while they are made: the step that runs ends, then it begins anew, and status notes what is really there', async () => {
    const world = await withRamdisk()
    await world.make('srv-1', { online: false, raid: mirror } as never)
    await world.until(hours(1), 'the first are made', () => made(world).length === 2)
    await world.change('srv-1', { spec: { raid: two } })
    await world.reaches('srv-1', 'available', hours(1))
    expect(made(world)).toEqual([0, 1, 0, 2])
    expect(await raidOf(world)).toEqual(two)
    await world.stop()
  })
  it('a wish that is taken back while they are made: the machine is left, and nothing is noted', async () => {
    const world = await withRamdisk()
    await world.make('srv-1', { online: false, raid: mirror } as never)
    await world.until(hours(1), 'its agent works', async () => (await world.host('srv-1'))?.status?.engine?.command !== undefined)
    await world.change('srv-1', { spec: { raid: null } })
    await world.reaches('srv-1', 'available', hours(1))
    expect(await raidOf(world)).toBeUndefined()
    expect([world.rack.machine('srv-1').power, discs(world)]).toEqual(['Off', []])
    await world.stop()
  })
  it('an externally provisioned host keeps its volumes, whatever its spec says', async () => {
    const world = await withRamdisk()
    await world.make('srv-1', { externallyProvisioned: true, raid: mirror } as never)
    await world.reaches('srv-1', 'externally provisioned')
    await world.clock.advance(hours(1))
    expect(made(world)).toEqual([])
    await world.stop()
  })
  it('a provisioned host keeps its volumes: another wish waits until it is given back', async () => {
    const world = await withRamdisk()
    await world.make('srv-1', { raid: mirror, image: osImage } as never)
    await world.reaches('srv-1', 'provisioned', hours(2))
    await world.change('srv-1', { spec: { raid: two } })
    await world.clock.advance(hours(1))
    expect([await world.state('srv-1'), made(world)]).toEqual(['provisioned', [0, 1]])
    await world.change('srv-1', { spec: { image: null } })
    await world.until(hours(2), 'they are made', async () => (await raidOf(world))?.softwareRAIDVolumes?.length === 2)
    await world.stop()
  })
  it('deleted while they are made, it is switched off, its disc is out, and it goes', async () => {
    const world = await withRamdisk()
    await world.make('srv-1', { online: false, raid: mirror } as never)
    await world.until(hours(1), 'its agent works', async () => (await world.host('srv-1'))?.status?.engine?.command !== undefined)
    await world.remove('srv-1')
    await world.until(hours(1), 'it is gone', async () => (await world.host('srv-1')) === undefined)
    expect([world.rack.machine('srv-1').power, discs(world)]).toEqual(['Off', []])
    await world.stop()
  })
})

describe('RAID volumes beside firmware', () => {
  it('both are wanted before it is available: its BIOS is set first, then its volumes are made, in one preparation', async () => {
    const world = await openFirmware('generic', { ramdisk: { iso: ramdiskIso } })
    const change = makesOf['generic']!.bios!.change! as Readonly<Record<string, string | number>>
    await world.sets(change)
    await world.make('srv-1', { online: false, raid: mirror } as never)
    await world.reaches('srv-1', 'available', hours(2))
    await world.clock.advance(minutes(10))
    expect(await world.state('srv-1')).toBe('available')
    expect(world.holds()).toMatchObject(change)
    expect(made(world)).toEqual([0, 1])
    expect(await raidOf(world)).toEqual(mirror)
    expect([world.rack.machine('srv-1').power, discs(world)]).toEqual(['Off', []])
    await world.stop()
  })
})

describe('RAID volumes of a controller', () => {
  it('a stock ramdisk has no step for that: refused in words, not taken for done', async () => {
    const world = await withRamdisk()
    await world.make('srv-1', { online: false, raid: hardware } as never)
    await fails(world)
    expect((await failure(world)).errorMessage).toContain('no step for RAID controllers, which hardwareRAIDVolumes need')
    expect(made(world)).toEqual([])
    await world.stop()
  })
  it.each(['controller', 'restarting'] as const)(
    'with a maker’s steps in its ramdisk (%s) they are made, with a restart where that is wanted',
    async kind => {
      const world = await withRamdisk()
      world.rack.machine('srv-1').raidSteps = kind
      await world.make('srv-1', { online: false, raid: hardware } as never)
      await world.reaches('srv-1', 'available', hours(1))
      expect(volumes(world)).toEqual([{ size_gb: 'MAX', raid_level: '5', volume_name: 'data', is_root_volume: true }])
      expect(world.events.filter(({ what }) => what === 'boots')).toHaveLength(kind === 'restarting' ? 2 : 1)
      expect(await raidOf(world)).toEqual(hardware)
      await world.stop()
    },
  )
})
