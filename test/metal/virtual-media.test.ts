import { describe, expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { installerProgram, simImage } from '../../src/sim/images/demo.ts'
import { generic } from '../../src/sim/personalities/generic.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import { story, type Words } from './story.ts'

const byDisc = { firstBoot: 'VirtualMedia', boot: 'Hdd' }
const drives = ({ world }: Words): number => Object.values(world.rack.machine('srv-1').media ?? {}).filter(({ leaving }) => !leaving).length

describe('virtual media', () => {
  for (const { name } of personalities)
    it(`BP-074 ${name} boots once from a disc, and its drives are empty afterwards`, () =>
      story(
        async words => {
          const { when, then, boots } = words
          await when.claims('c1', { bootPolicy: byDisc })
          await then.server(
            'srv-1',
            minutes(90),
            ({ status }) => status?.boot?.outcome === 'Installed' && status.boot.slot === undefined,
            'it is installed',
          )
          expect(boots('srv-1').filter(from => from === 'Cd')).toHaveLength(1)
          expect(drives(words)).toBe(0)
        },
        { servers: [{ name: 'srv-1', personality: name }] },
      ))
  it('BP-074 a claim boots once from a disc made of its UKI, installs, and runs from disk; the disc is taken out', () =>
    story(async words => {
      const { when, then, boots, server, happened } = words
      await when.claims('c1', { bootPolicy: byDisc })
      await then.isProvisioned('c1', minutes(20))
      await then.runsFrom('srv-1', 'Hdd', minutes(25))
      await then.server(
        'srv-1',
        minutes(10),
        ({ status }) => status?.boot?.step === 'Ended' && status.boot.slot === undefined,
        'the disc is out',
      )
      expect(drives(words)).toBe(0)
      expect(boots('srv-1')).toEqual(['Pxe', 'Cd', 'Hdd'])
      expect(happened('srv-1').filter(({ what }) => what === 'installed')).toHaveLength(1)
      expect(JSON.stringify(await server('srv-1')), 'S9 the ticket is nowhere').not.toContain('/boot/')
    }))
  it('BP-074 an ISO of the image is booted as it is', () =>
    story(
      async words => {
        await words.when.claims('c1', { image: 'with-iso:1', bootPolicy: byDisc })
        await words.then.runsFrom('srv-1', 'Hdd', minutes(40))
        expect(words.boots('srv-1')).toEqual(['Pxe', 'Cd', 'Hdd'])
      },
      { images: [simImage('library/with-iso', '1', { iso: installerProgram('os-iso') })] },
    ))
  it('I7 a BMC that shows that something is in its drive, and not what: nothing is booted from it, and that is said', () => {
    const shy = { ...generic, media: { ...generic.media, hidesImage: true as const } }
    return story(
      async words => {
        const { when, then, boots, condition } = words
        await when.claims('c1', { bootPolicy: byDisc })
        await then.server(
          'srv-1',
          minutes(15),
          ({ status }) => status?.conditions?.some(({ reason }) => reason === 'MediaNotShown') ?? false,
          'it is said',
        )
        await when.passes(minutes(180))
        expect(boots('srv-1')).toEqual(['Pxe'])
        expect(await condition('srv-1', 'BootOverrideHonoured')).toMatchObject({ status: 'False', reason: 'MediaNotShown' })
        await when.removes('c1')
        await then.server('srv-1', minutes(30), { state: 'Available' })
        expect(drives(words)).toBe(0)
      },
      { servers: [{ name: 'srv-1', personality: shy }] },
    )
  })
  it('I15 a claim that goes in the middle of it leaves no disc behind', () =>
    story(async words => {
      const { when, then } = words
      await when.claims('c1', { bootPolicy: byDisc })
      await then.server(
        'srv-1',
        minutes(15),
        ({ status }) => status?.boot?.method === 'VirtualMedia' && status.boot.step === 'Running',
        'it boots',
      )
      await when.removes('c1')
      await then.server('srv-1', minutes(30), { state: 'Available' })
      expect(drives(words)).toBe(0)
      expect((await words.server('srv-1')).status?.boot?.slot).toBeUndefined()
    }))
  it('I8 a system that runs from its disc and does not shut down keeps it until its power is cut', () =>
    story(async words => {
      const { when, then, world } = words
      const machine = world.rack.machine('srv-1')
      await when.claims('c1', { image: 'live:1', bootPolicy: byDisc })
      await world.until(minutes(20), 'it runs from its disc', () => machine.stage === 'running' && machine.source === 'Cd')
      machine.deaf = true
      await when.removes('c1')
      await then.server('srv-1', minutes(5), ({ status }) => status?.stopping !== undefined, 'is asked to shut down')
      await world.clock.advance(minutes(4))
      expect(machine.stage).toBe('running')
      expect(drives(words)).toBe(1)
      await then.server('srv-1', minutes(30), { state: 'Available' })
      expect(drives(words)).toBe(0)
    }))
})
