import { describe, expect, it } from 'vitest'
import { hours, minutes } from '../../src/core/duration.ts'
import { machineOf, makesUnlessSaid } from '../makes.ts'
import { type Hosts, openHosts } from './hosts.ts'
import { osImage, ramdiskIso } from './ramdisk-world.ts'

const makes = makesUnlessSaid('generic', 'dell')

const detached = { metadata: { annotations: { 'baremetalhost.metal3.io/detached': '' } } }
const discs = ({ rack }: Hosts): readonly string[] => Object.values(rack.machine('srv-1').media ?? {}).flatMap(({ image }) => image ?? [])

describe('a host that is installed, detached, deleted and made again with its status', () => {
  it.each(makes)('of %s, runs on untouched all the while, and is given back when its image is not wanted any more', async make => {
    const world = await openHosts(machineOf(make), { ramdisk: { iso: ramdiskIso } })
    const spec = { image: osImage, inspectionMode: 'agent', automatedCleaningMode: 'metadata' } as const
    await world.make('srv-1', spec)
    await world.reaches('srv-1', 'provisioned', hours(2))
    await world.until(minutes(20), 'it runs what was installed', () =>
      world.events.some(event => event.what === 'runs' && event.from === 'Hdd'),
    )
    const { status } = (await world.host('srv-1'))!
    const before = world.events.length

    await world.change('srv-1', detached)
    await world.until(minutes(5), 'it is detached', async () => (await world.host('srv-1'))?.status?.operationalStatus === 'detached')
    await world.remove('srv-1')
    await world.until(minutes(5), 'it is gone', async () => (await world.host('srv-1')) === undefined)
    await world.clock.advance(hours(1))

    await world.make('srv-1', spec, { annotations: { 'baremetalhost.metal3.io/status': JSON.stringify(status) } })
    await world.reaches('srv-1', 'provisioned', minutes(5))
    await world.clock.advance(hours(1))
    expect((await world.host('srv-1'))?.status).toMatchObject({ operationalStatus: 'OK', poweredOn: true, hardware: status?.hardware })
    expect(world.events.slice(before), 'nothing happened to its machine').toEqual([])

    await world.change('srv-1', { spec: { image: null } })
    await world.reaches('srv-1', 'available', hours(2))
    expect([world.rack.machine('srv-1').disk, discs(world)]).toEqual([undefined, []])
    await world.stop()
  })
})
