import { afterEach, describe, expect, it } from 'vitest'
import { jobRunners } from '../../src/jobs/programs/resources.ts'
import type { Bmc } from '../../src/ports/index.ts'
import { openBmc } from '../../src/redfish/index.ts'
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
const biosOf = ({ rack }: ProgramWorld): string | undefined => {
  const machine = rack.machine('srv')
  return firmwareVersion(machine, machine.model.firmware.find(({ kind }) => kind === 'BIOS')!.id)
}
const wantsBios = async (make: string): Promise<ProgramWorld> => {
  const world = await onA(make)
  await world.wishBios({ version: '2.4.1' })
  await world.offers('BIOS', 'BIOS', '2.4.1')
  return world
}
const flashes = ({ events }: ProgramWorld): number => events.filter(({ what }) => what === 'flashed').length
/** As a colleague would do it, through the same door. */
async function asSomebodyElse({ rack, clock, log }: ProgramWorld, work: (bmc: Bmc) => Promise<unknown>): Promise<void> {
  const credentials = async () => ({ username: rack.username, password: rack.password('srv') })
  const bmc = await openBmc(
    { address: 'https://srv', tls: { trust: 'System' }, credentials },
    { clock, log, transport: rack.transport('srv') },
  )
  await work(bmc)
  await bmc.close()
}
/** Power or reset of the machine, whoever asked for it. */
const switched = ({ events }: ProgramWorld): number => events.filter(({ what }) => what === 'power' || what === 'reset').length

describe.each(personalities.map(({ name }) => name))('jobs under fire on %s', make => {
  it.each(['bmc-reboots-mid-update', 'task-lost', 'finished-task-gone', 'no-location', 'two-jobs', 'members-renamed'] as const)(
    'X-020 brings the BIOS to its version although the BMC has the habit %s',
    async fault => {
      const world = await wantsBios(make)
      world.rack.fault('srv', fault)
      const { code, lines } = await world.run('bios-version-update')
      expect(lines.at(-1)).toBe('Done')
      expect(code).toBe(0)
      expect(biosOf(world)).toBe('2.4.1')
      expect(world.rack.machine('srv').power).toBe('Off')
    },
  )

  it('X-020 I9 fails in words where the BMC stays at 99 %, and switches nothing meanwhile', async () => {
    const world = await wantsBios(make)
    world.rack.fault('srv', 'stuck-at-99')
    const { code } = await world.run('bios-version-update')
    expect(code).toBe(1)
    const { status } = await world.bios()
    expect(status?.lastJob).toMatchObject({ outcome: 'Failed', message: expect.stringMatching(/99 % for 20 minutes.*stuck/) })
    expect(status?.bios?.version).toBeUndefined()
    expect(switched(world)).toBe(0)
  })

  it('X-020 fails where the BMC reports success and the old version runs, also after a reset', async () => {
    const world = await wantsBios(make)
    world.rack.fault('srv', 'old-version')
    const { code } = await world.run('bios-version-update')
    expect(code).toBe(1)
    const { status } = await world.bios()
    expect(status?.lastJob?.message).toMatch(/yet the machine runs .* after a reset/)
    expect(status?.bios?.version).toBeUndefined()
    expect(world.resets()).toBe(1)
    expect(world.rack.machine('srv').power).toBe('Off')
  })

  it('FW-031 refuses an image with another digest, and hands nothing to the BMC', async () => {
    const world = await onA(make)
    await world.wishBios({ version: '2.4.1' })
    await world.offers('BIOS', 'BIOS', '2.4.1', { other: true })
    const { code, calls } = await world.run('bios-version-update')
    expect(code).toBe(2)
    expect(calls.filter(call => /^bmc (POST|PATCH|PUT)/.test(call) && !/sessions/i.test(call))).toEqual([])
    const { status } = await world.bios()
    expect(status?.lastJob).toMatchObject({ outcome: 'Refused', message: expect.stringContaining('hashes to') })
    expect(status?.runningJob?.name).toBe('job-1')
  })

  it.each([
    ['an unknown setting', { NoSuchSetting: 'On' }, /no setting NoSuchSetting/],
    ['a value that is none of its values', { [Object.keys(makes[make]!.bios!.change!)[0]!]: 'Sideways' }, /found "Sideways"/],
  ])('X-020 T-36 refuses %s before anything is changed', async (_, settings, words) => {
    const world = await onA(make)
    await world.wishBios({ settings: { ...makes[make]!.bios!.change!, ...settings } })
    const { code, calls } = await world.run('bios-settings-update')
    expect(code).toBe(2)
    expect(calls.filter(call => /^bmc (PATCH|PUT)/.test(call))).toEqual([])
    expect(switched(world)).toBe(0)
    expect((await world.bios()).status?.lastJob).toMatchObject({ outcome: 'Refused', message: expect.stringMatching(words) })
  })

  it('T-31 a settings job reads first, and resets nothing where all is as wanted', async () => {
    const world = await onA(make)
    const name = Object.keys(makes[make]!.bios!.change!)[0]!
    await world.wishBios({ settings: { [name]: world.rack.machine('srv').model.bios[name] } })
    expect((await world.run('bios-settings-update')).code).toBe(0)
    expect(switched(world)).toBe(0)
    expect((await world.bios()).status?.bios?.settings).toHaveProperty([name])
  })

  it.each(['bios-settings-update', 'bios-version-update'])('I9 I10 %s waits for an update that somebody else began', async program => {
    const world = await onA(make)
    await world.wishBios(program === 'bios-settings-update' ? { settings: makes[make]!.bios!.change! } : { version: '2.4.1' })
    await world.offers('BIOS', 'BIOS', '2.4.1')
    await asSomebodyElse(world, bmc => bmc.firmware!.update('https://firmware.example/BIOS-3.0.0.bin', undefined))
    expect(world.rack.busy('srv')).toBe(true)
    const { code, lines } = await world.run(program)
    expect(lines.at(-1)).toBe('Done')
    expect(code).toBe(0)
    expect(biosOf(world)).toBe(program === 'bios-settings-update' ? '3.0.0' : '2.4.1')
  })

  it('does not trample settings that somebody left pending', async () => {
    const world = await onA(make)
    const { change } = makes[make]!.bios!
    const free = world.rack.personality('srv').bios.entries.filter(entry => entry.readOnly !== true && !Object.hasOwn(change!, entry.name))
    const [theirs] = free.flatMap(({ name, value, values }) => (values ?? []).filter(one => one !== value).map(one => [name, one] as const))
    const { rack } = world
    await asSomebodyElse(world, bmc => bmc.bios!.set(Object.fromEntries([theirs!])))
    await world.wishBios({ settings: change })
    const { code, lines } = await world.run('bios-settings-update')
    expect(code).toBe(0)
    expect(lines.join('\n')).toContain(theirs![0])
    expect(rack.machine('srv').bios).toMatchObject({ ...change, ...Object.fromEntries([theirs!]) })
    // One where the BMC takes more settings beside those, two where their job has to run first.
    expect(world.resets()).toBe(rack.personality('srv').bios.asJob ? 2 : 1)
  })
})

describe('jobs that are stopped', () => {
  it('T-03 I10 does nothing to a server that is not theirs (any more)', async () => {
    const cases: readonly [string, object, object | undefined][] = [
      ['claimed', { serverClaimRef: { namespace: 'default', name: 'c' } }, undefined],
      ['not Available', {}, { state: 'Reserved' }],
    ]
    for (const [, spec, status] of cases) {
      const world = await wantsBios('generic')
      await world.patchServer(spec, status)
      const { code, calls } = await world.run('bios-version-update')
      expect(code).toBe(3)
      expect(calls.filter(call => /^bmc (POST|PATCH)/.test(call) && !/Sessions/.test(call))).toEqual([])
      expect((await world.bios()).status?.lastJob?.outcome).toBe('Stopped')
      expect(flashes(world)).toBe(0)
    }
  })

  it('I10 stops before its next change where the server names another job meanwhile', async () => {
    const world = await onA('generic')
    await world.wishBios({ settings: { BootDelaySeconds: 10 } })
    const { code } = await world.run('bios-settings-update', {
      during: async calls => {
        const { spec } = await world.server()
        if (spec.updateRef?.job !== 'job-9' && calls.some(call => call.startsWith('bmc PATCH')))
          await world.patchServer({ updateRef: { ...spec.updateRef, job: 'job-9' } })
      },
    })
    expect(code).toBe(3)
    expect((await world.bios()).status?.lastJob?.message).toContain('job-9')
    expect(world.resets()).toBeLessThanOrEqual(1)
  })

  it('stops before its next change where the wish was changed meanwhile', async () => {
    const world = await onA('generic')
    await world.wishBios({ settings: { BootDelaySeconds: 10 } })
    let changed = false
    const { code } = await world.run('bios-settings-update', {
      during: async calls => {
        if (changed || !calls.some(call => call.startsWith('bmc PATCH'))) return
        changed = true
        await world.wishBios({ settings: { BootDelaySeconds: 20 } })
      },
    })
    expect(code).toBe(3)
    expect((await world.bios()).status?.lastJob?.message).toContain('was changed meanwhile')
  })

  it('T-40 refuses once, with the reason, where a component is absent', async () => {
    const world = await onA('generic')
    await world.wishFirmware([{ name: 'ssd', manufacturer: 'ACME Corp.', version: '1.0.0' }])
    const { code } = await world.run('firmware-update')
    expect(code).toBe(2)
    expect((await world.firmware()).status?.lastJob?.message).toContain('no ssd of ACME Corp.')
  })

  it('fails, worth another try, where no JobRunner names a source', async () => {
    const world = await onA('generic')
    await world.wishBios({ version: '2.4.1' })
    const { code } = await world.run('bios-version-update')
    expect(code).toBe(1)
    expect((await world.bios()).status?.lastJob?.message).toContain('has no source for BIOS 2.4.1')
  })
})

describe('jobs that try again', () => {
  it('begins anew in its next try where the BMC could not use an image', async () => {
    const world = await onA('generic')
    await world.wishBios({ version: '2.4.1' })
    await world.offers('BIOS', 'NoSuchPart', '2.4.1')
    const first = await world.run('bios-version-update')
    expect(first.code).toBe(1)
    expect((await world.bios()).status?.lastJob?.message).toContain('is not firmware for this machine')
    await world.kube.patch(jobRunners, { name: 'default' }, { merge: { spec: { sources: [] } } })
    await world.offers('BIOS', 'BIOS', '2.4.1')
    expect((await world.run('bios-version-update')).code).toBe(0)
    expect(biosOf(world)).toBe('2.4.1')
  })

  it.each(['no-answer', 'hold', 'server-error', 'too-many-requests'] as const)(
    'comes to its end in some try although the BMC meets the image with %s',
    async fault => {
      const world = await wantsBios('generic')
      world.rack.fault('srv', fault, { times: 1, method: 'POST', path: 'pdate', value: 1_900_000 })
      let code: number | 'killed' = 1
      for (let attempt = 0; attempt < 4 && code !== 0; attempt++) code = (await world.run('bios-version-update')).code
      expect(code).toBe(0)
      expect(biosOf(world)).toBe('2.4.1')
      expect(world.resets()).toBe(0)
      expect(world.rack.machine('srv').power).toBe('Off')
    },
  )
})

describe('T-30 settings of every type', () => {
  it.each([
    ['a boolean', { QuietBoot: false }, { QuietBoot: false }],
    ['a boolean as text', { QuietBoot: 'false' }, { QuietBoot: false }],
    ['an enumeration', { PowerProfile: 'Performance' }, { PowerProfile: 'Performance' }],
    ['an integer', { BootDelaySeconds: 30 }, { BootDelaySeconds: 30 }],
    ['an integer as text', { BootDelaySeconds: '30' }, { BootDelaySeconds: 30 }],
    ['an integer as text with a zero', { BootDelaySeconds: '08' }, { BootDelaySeconds: 8 }],
    ['a text', { AssetTag: 'rack 7' }, { AssetTag: 'rack 7' }],
    [
      'all of them',
      { QuietBoot: false, PowerProfile: 'Efficiency', BootDelaySeconds: 7, AssetTag: 'a' },
      { QuietBoot: false, PowerProfile: 'Efficiency', BootDelaySeconds: 7, AssetTag: 'a' },
    ],
  ])('X-020 applies %s with one reset and reads it back', async (_, wish, real) => {
    const world = await onA('generic')
    await world.wishBios({ settings: wish })
    expect((await world.run('bios-settings-update')).code).toBe(0)
    expect(world.rack.machine('srv').bios).toMatchObject(real)
    expect((await world.bios()).status?.bios?.settings).toEqual(real)
    expect(world.resets()).toBe(1)
  })

  it.each([
    ['drops it when asked again', 1, 0],
    ['keeps it', undefined, 1],
  ])('X-020 resets nothing while a boot override is armed that the BMC does not drop at once: it %s', async (_, times, exit) => {
    const world = await onA('generic')
    const machine = world.rack.machine('srv')
    machine.armed = { ...machine.armed, target: 'Pxe', lasts: 'Continuous' }
    world.rack.fault('srv', 'override-reverts', times === undefined ? {} : { times })
    await world.wishBios({ settings: { QuietBoot: false } })
    const { code } = await world.run('bios-settings-update')
    expect(code).toBe(exit)
    expect(world.resets()).toBe(exit === 0 ? 1 : 0)
    expect(machine.armed.lasts).toBe(exit === 0 ? 'Disabled' : 'Continuous')
    expect(world.events.filter(({ what }) => what === 'boots')).not.toContainEqual(expect.objectContaining({ by: 'override' }))
    if (exit === 1) expect((await world.bios()).status?.lastJob?.message).toContain('keeps the boot override Pxe')
  })

  it('X-020 refuses a read-only setting without a reset', async () => {
    const world = await onA('generic')
    await world.wishBios({ settings: { SystemSerial: 'mine' } })
    expect((await world.run('bios-settings-update')).code).toBe(2)
    expect((await world.bios()).status?.lastJob?.message).toContain('SystemSerial is read-only')
    expect(switched(world)).toBe(0)
  })

  it('knows a setting that the machine shows as null for the empty text that is wanted', async () => {
    const world = await onA('generic')
    world.rack.machine('srv').bios = { AssetTag: null }
    await world.wishBios({ settings: { AssetTag: '' } })
    expect((await world.run('bios-scan')).code).toBe(0)
    expect((await world.bios()).status?.bios?.settings).toEqual({ AssetTag: '' })
  })

  it('FW-018 takes a setting out of the status that the spec no longer names', async () => {
    const world = await onA('generic')
    await world.wishBios({ settings: { QuietBoot: true, AssetTag: '' } })
    await world.run('bios-scan')
    await world.wishBios({ settings: { AssetTag: null } })
    await world.run('bios-scan')
    expect((await world.bios()).status?.bios?.settings).toEqual({ QuietBoot: true })
  })
})
