import { describe, expect, it } from 'vitest'
import { personalities } from '../../src/sim/personalities/index.ts'
import { makes } from '../contracts/bmc/makes.ts'
import { type Kill, type ProgramWorld, programWorld } from './program-world.ts'

/** What each program shall bring about, and how that is seen on the machine itself. */
const stories: Readonly<Record<string, (world: ProgramWorld, make: string) => Promise<void>>> = {
  'bios-scan': async (world, make) => world.wishBios({ settings: makes[make]!.bios!.change! }),
  'bios-settings-update': async (world, make) => world.wishBios({ settings: makes[make]!.bios!.change! }),
  'bios-version-update': async world => {
    await world.wishBios({ version: '2.4.1' })
    await world.offers('BIOS', 'BIOS', '2.4.1')
  },
  'firmware-update': async (world, make) => {
    const { id, name, kind } = world.rack.machine('srv').model.firmware.find(part => part.kind === 'BMC')!
    const { manufacturer } = world.rack.personality('srv')
    await world.wishFirmware([{ name: make === 'dell' ? id : name, manufacturer, version: '9.9.9' }])
    await world.offers(make === 'dell' ? id : name, make === 'hpe' ? kind : id, '9.9.9')
  },
}

/** Everything that must be the same in the end, however it came about. */
async function endOf(world: ProgramWorld): Promise<object> {
  const { power, bios, firmware, biosPending, staged, armed } = world.rack.machine('srv')
  const [ofBios, ofFirmware] = [(await world.bios()).status, (await world.firmware()).status]
  return {
    machine: { power, bios, firmware, biosPending, staged, armed },
    busy: world.rack.busy('srv'),
    bios: ofBios?.bios,
    firmwares: ofFirmware?.firmwares,
    jobs: [ofBios?.runningJob, ofFirmware?.runningJob],
  }
}

async function told(make: string, program: string, kill?: Kill): Promise<{ calls: readonly string[]; end: object }> {
  const world = await programWorld(make)
  try {
    await stories[program]!(world, make)
    const first = await world.run(program, kill ? { kill } : {})
    let last = first
    // As the Job would: at most three more tries.
    for (let attempt = 0; attempt < 3 && last.code !== 0; attempt++) last = await world.run(program)
    expect(`${program} on ${make}, killed at ${kill?.at} (${kill?.arrives}): ${last.lines.at(-1)}`).toMatch(/Done$/)
    expect(world.violations, 'I9 I10').toEqual([])
    return { calls: first.calls, end: await endOf(world) }
  } finally {
    await world.close()
  }
}

/** Every call takes minutes: `RACKWRIGHT_KILLS=all`. Otherwise before and after every change, which is where something can be done twice. */
const everywhere = process.env['RACKWRIGHT_KILLS'] === 'all'
const changes = (call: string): boolean => !/ (GET|find) /.test(`${call} `) && !/sessions/i.test(call)

describe.each(personalities.map(({ name }) => name))('X-018 killed and started again, on %s', make => {
  it.each(Object.keys(stories))(
    '%s comes to the same end, wherever it was killed',
    async program => {
      const { calls, end } = await told(make, program)
      const points = calls.map((call, n) => ({ at: n + 1, call })).filter(({ call }) => everywhere || changes(call))
      expect(points.length).toBeGreaterThan(0)
      const ways = everywhere || make === 'generic' ? [false, true] : [true]
      for (const { at } of points) for (const arrives of ways) expect((await told(make, program, { at, arrives })).end).toEqual(end)
    },
    300_000,
  )
})
