import { afterEach, describe, expect, it } from 'vitest'
import { firmwareVersion } from '../../src/sim/machine/machine.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import { makes } from '../contracts/bmc/makes.ts'
import { type ProgramWorld, programWorld } from './program-world.ts'

const open: ProgramWorld[] = []
const onA = async (make: string): Promise<ProgramWorld> => {
  const world = await programWorld(make)
  open.push(world)
  return world
}
afterEach(async () => {
  for (const world of open.splice(0)) {
    expect(world.violations, 'I9 I10: one task at a time, and nothing is switched meanwhile').toEqual([])
    await world.close()
  }
})

/** What a make's machine really runs, whatever its BMC says. */
const biosOf = ({ rack }: ProgramWorld): string | undefined => {
  const machine = rack.machine('srv')
  return firmwareVersion(machine, machine.model.firmware.find(({ kind }) => kind === 'BIOS')!.id)
}

describe.each(personalities.map(({ name }) => name))('jobs on %s', make => {
  const change = makes[make]!.bios!.change!

  it('FW-041 FW-042 FW-043 FW-044 a scan finds version and named settings, and takes its own runningJob away', async () => {
    const world = await onA(make)
    await world.wishBios({ settings: change })
    const { code } = await world.run('bios-scan')
    expect(code).toBe(0)
    const { status } = await world.bios()
    expect(status?.bios?.version).toBe(makes[make]!.bios!.version)
    expect(Object.keys(status?.bios?.settings ?? {})).toEqual(Object.keys(change))
    expect(status?.lastScanTime).toMatch(/^\d{4}-.*Z$/)
    expect(status?.runningJob).toBeUndefined()
    expect(status?.lastJob).toMatchObject({ name: 'job-1', program: 'bios-scan', outcome: 'Succeeded' })
    expect(world.rack.counts('srv').sessions).toBe(0)
  })

  it('FW-057 FW-058 FW-059 a scan lists all firmware', async () => {
    const world = await onA(make)
    const { code } = await world.run('firmware-scan')
    expect(code).toBe(0)
    const { status } = await world.firmware()
    expect(status?.firmwares?.length).toBeGreaterThan(1)
    expect(status?.lastScanTime).toBeDefined()
    expect(status?.runningJob).toBeUndefined()
  })

  it('FW-050 brings the BIOS to another version and leaves the machine off', async () => {
    const world = await onA(make)
    await world.wishBios({ version: '2.4.1' })
    await world.offers('BIOS', 'BIOS', '2.4.1')
    const { code, lines } = await world.run('bios-version-update')
    expect(lines.at(-1)).toBe('Done')
    expect(code).toBe(0)
    expect(biosOf(world)).toBe('2.4.1')
    const { status } = await world.bios()
    expect(status?.bios?.version).toBe('2.4.1')
    expect(status?.runningJob).toBeUndefined()
    expect(world.rack.machine('srv').power).toBe('Off')
  })

  it('FW-054 X-020 sets the BIOS with one reset, reads it back and leaves the machine off with nothing armed (T-02)', async () => {
    const world = await onA(make)
    await world.wishBios({ settings: change })
    const { code, lines } = await world.run('bios-settings-update')
    expect(lines.at(-1)).toBe('Done')
    expect(code).toBe(0)
    expect(world.rack.machine('srv').bios).toMatchObject(change)
    expect((await world.bios()).status?.bios?.settings).toEqual(change)
    expect(world.resets()).toBe(1)
    expect(world.rack.machine('srv').power).toBe('Off')
    expect(world.events.filter(({ what }) => what === 'boots')).not.toContainEqual(expect.objectContaining({ by: 'override' }))
  })

  it('FW-065 brings two components to other versions with at most one reset', async () => {
    const world = await onA(make)
    await world.run('firmware-scan')
    const parts = world.rack
      .machine('srv')
      .model.firmware.filter(({ kind }) => kind === 'BMC' || kind === 'NIC')
      .slice(0, 2)
    const { manufacturer } = world.rack.personality('srv')
    await world.wishFirmware(parts.map(({ id, name }) => ({ name: make === 'dell' ? id : name, manufacturer, version: '9.9.9' })))
    for (const { id, name, kind } of parts) await world.offers(make === 'dell' ? id : name, make === 'hpe' ? kind : id, '9.9.9')
    const { code, lines } = await world.run('firmware-update')
    expect(lines.at(-1)).toBe('Done')
    expect(code).toBe(0)
    for (const { id } of parts) expect(firmwareVersion(world.rack.machine('srv'), id)).toBe('9.9.9')
    expect(world.resets()).toBeLessThanOrEqual(1)
    expect((await world.firmware()).status?.firmwares).toContainEqual(expect.objectContaining({ version: '9.9.9' }))
    expect(world.rack.machine('srv').power).toBe('Off')
  })
})
