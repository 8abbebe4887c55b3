import { describe, expect, it } from 'vitest'
import type { OfferedStep } from './agent-plan.ts'
import { raidOrder, raidToMake } from './raid.ts'
import { raidPlan, tellsOfVolumes } from './raid-plan.ts'

const step = (name: string, manager = 'GenericHardwareManager', restarts = false): OfferedStep => {
  const [part = '', called = ''] = name.split('.')
  return { interface: part, step: called, priority: 0, restarts, manager }
}
const stock = ['raid.delete_configuration', 'raid.create_configuration', 'deploy.erase_devices_metadata'].map(name => step(name))

describe('raidOrder()', () => {
  it('says software volumes as Ironic does, the first being installed to', () => {
    const softwareRAIDVolumes = [{ level: '1', sizeGibibytes: 100, physicalDisks: [{ serialNumber: 'a' }, { wwn: 'b' }] }, { level: '1+0' }]
    expect(raidOrder({ softwareRAIDVolumes }, false)).toEqual({
      by: 'system',
      disks: [
        {
          size_gb: 100,
          raid_level: '1',
          controller: 'software',
          physical_disks: [{ serial: 's== a' }, { wwn: 's== b' }],
          is_root_volume: true,
        },
        { size_gb: 'MAX', raid_level: '1+0', controller: 'software' },
      ],
    })
  })
  it('says hardware volumes as Ironic does, without a root where hints say what is installed to', () => {
    const volume = {
      level: '5',
      name: 'data',
      rotational: false,
      numberOfPhysicalDisks: 3,
      controller: 'RAID.1',
      physicalDisks: ['a', 'b', 'c'],
    }
    expect(raidOrder({ hardwareRAIDVolumes: [volume] }, true)?.disks).toEqual([
      {
        size_gb: 'MAX',
        raid_level: '5',
        volume_name: 'data',
        disk_type: 'ssd',
        number_of_physical_disks: 3,
        controller: 'RAID.1',
        physical_disks: ['a', 'b', 'c'],
      },
    ])
  })
  it('leaves a root volume that somebody named', () => {
    const softwareRAIDVolumes = [
      { level: '1', sizeGibibytes: 10 },
      { level: '1', rootVolume: true },
    ]
    expect(raidOrder({ softwareRAIDVolumes }, false)?.disks.map(disk => disk['is_root_volume'] ?? false)).toEqual([false, true])
  })
  it.each([
    ['nothing', undefined, undefined],
    ['null for both', { hardwareRAIDVolumes: null, softwareRAIDVolumes: null }, undefined],
    ['no software volumes', { softwareRAIDVolumes: [] }, { by: 'system', disks: [] }],
    ['no hardware volumes', { hardwareRAIDVolumes: [] }, { by: 'controller', disks: [] }],
  ])('with %s: missing leaves volumes alone, an empty list takes all away', (_, wish, order) =>
    expect(raidOrder(wish, false)).toEqual(order),
  )
})

describe('raidToMake()', () => {
  const two = { softwareRAIDVolumes: [{ level: '1', sizeGibibytes: 10 }, { level: '0' }] }
  it('is nothing where the same were made, whatever else is noted', () => {
    expect(raidToMake(two, { ...two, hardwareRAIDVolumes: null }, false)).toBeUndefined()
    expect(raidToMake({ softwareRAIDVolumes: [] }, { hardwareRAIDVolumes: null, softwareRAIDVolumes: [] }, false)).toBeUndefined()
    expect(raidToMake(undefined, two, false), 'left alone').toBeUndefined()
  })
  it('is everything where others were made, or nobody knows which', () => {
    expect(raidToMake(two, undefined, false)?.disks).toHaveLength(2)
    expect(raidToMake({ softwareRAIDVolumes: [] }, two, false)).toEqual({ by: 'system', disks: [] })
  })
})

describe('raidPlan()', () => {
  const system = raidOrder({ softwareRAIDVolumes: [{ level: '1' }] }, false)!
  const controller = raidOrder({ hardwareRAIDVolumes: [{ level: '1' }] }, false)!
  it('takes away what is there, then makes volumes of the system', () => {
    const plan = ['raid.delete_configuration', 'deploy.erase_devices_metadata', 'raid.create_configuration', 'standby.sync']
    expect(raidPlan(stock, system)).toEqual({ steps: plan })
    expect(raidPlan(stock, { by: 'system', disks: [] })).toEqual({ steps: [plan[0], plan[1], plan[3]] })
  })
  it('says in words that the ramdisk has no such steps', () => {
    expect(raidPlan([step('deploy.erase_devices_metadata')], system)).toEqual({
      because: expect.stringContaining('it has no clean step raid.delete_configuration and no raid.create_configuration'),
    })
  })
  it('refuses volumes of a controller where only the stock manager offers the steps: it would say that all went well and make none', () => {
    expect(raidPlan(stock, controller)).toEqual({ because: expect.stringContaining('no step for RAID controllers') })
    expect(raidPlan(stock, { by: 'controller', disks: [] })).toEqual({ because: expect.stringContaining('no step for RAID controllers') })
  })
  it('restarts between two steps where a maker’s manager wants that, and not after the last', () => {
    const own = ['raid.delete_configuration', 'raid.create_configuration'].map(name => step(name, 'Maker', true))
    expect(raidPlan(own, controller)).toEqual({ steps: ['raid.delete_configuration', 'restart', 'raid.create_configuration'] })
  })
})

it.each([
  [{ clean_result: { logical_disks: [{}] } }, true],
  [{ clean_result: { logical_disks: [] } }, false],
  [{ clean_result: {} }, false],
  [{ clean_result: null }, false],
  [undefined, false],
])('tellsOfVolumes(%o) is %s', (result, tells) => expect(tellsOfVolumes(result)).toBe(tells))
