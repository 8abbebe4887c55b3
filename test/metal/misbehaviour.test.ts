import { describe, expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import type { FaultName } from '../../src/sim/misbehaviour/catalogue.ts'
import { makesUnlessSaid } from '../makes.ts'
import { bearings } from './bearing.ts'
import { story, type Words } from './story.ts'

const makes = makesUnlessSaid('generic')
/** Makes that boot over HTTP by an address that we give. */
const byAddress: readonly string[] = ['generic', 'ami']

const long = minutes(240)
const byPxe = { image: 'my-osimage:latest', bootPolicy: { firstBoot: 'Pxe', boot: 'Hdd' } }
const installations = ({ happened }: Words): number => happened('srv-1').filter(({ what }) => what === 'installed').length
const powered = ({ happened }: Words): number => happened('srv-1').filter(({ what }) => what === 'power').length

/** The life of a claimed server, a chapter each: whoever misbehaves begins anew with every one. */
const chapters: readonly (readonly [name: string, tell: (words: Words) => Promise<void>])[] = [
  [
    'it is installed once, by PXE',
    async ({ when, then }) => {
      await when.claims('c1', byPxe)
      await then.server('srv-1', long, { boot: { step: 'Ended', outcome: 'Installed' } as never })
    },
  ],
  [
    'it is switched off and on, and boots its disk',
    async ({ when, then }) => {
      await when.wantsPower('c1', 'Off')
      await then.server('srv-1', long, { powerState: 'Off' })
      await when.wantsPower('c1', 'On')
      await then.server('srv-1', long, { boot: { method: 'Hdd', outcome: 'Started' } as never })
      await then.runsFrom('srv-1', 'Hdd', minutes(20))
    },
  ],
  [
    'somebody pulls its cord, which is seen, and it is resumed',
    async ({ when, then, world }) => {
      // A hand at the cord is no reset that a BMC could ignore.
      const faults = world.rack.faults('srv-1')
      world.rack.heal('srv-1')
      when.byHand('srv-1', 'ForceOff')
      for (const { fault, left } of faults) world.rack.fault('srv-1', fault, left === undefined ? {} : { times: left })
      await then.server('srv-1', long, ({ status }) =>
        Boolean(status?.conditions?.some(({ type, status: is }) => type === 'UnexpectedPowerTransition' && is === 'True')),
      )
      await when.asks('srv-1', 'resume-boot')
      await then.runsFrom('srv-1', 'Hdd', long)
    },
  ],
  [
    'it is given back',
    async ({ when, then, world }) => {
      await when.removes('c1')
      await then.server('srv-1', long, { state: 'Available' })
      expect(world.rack.machine('srv-1')).toMatchObject({ power: 'Off', armed: { lasts: 'Disabled' } })
    },
  ],
]

const faults = Object.entries(bearings) as [FaultName, (typeof bearings)[FaultName]][]

for (const make of makes) {
  const servers = [{ name: 'srv-1', personality: make }]
  describe(`a BMC of ${make} that misbehaves`, () => {
    for (const [fault, bearing] of faults) {
      if ('lives' in bearing) {
        const { lives } = bearing
        const begin = ({ world: { rack } }: Words): void => {
          rack.heal('srv-1', fault)
          rack.fault('srv-1', fault, lives)
        }
        it(`I1 ${fault}: its server is discovered all the same`, () =>
          story(
            async ({ then, world }) => {
              await then.server('srv-1', long, { state: 'Available' })
              expect(world.rack.machine('srv-1').power).toBe('Off')
            },
            { undiscovered: true, servers, prepare: rack => rack.fault('srv-1', fault, lives) },
          ))
        it(`I1 I32 ${fault}: ${chapters.map(([name]) => name).join('; ')}`, () =>
          story(
            async words => {
              for (const [, tell] of chapters) {
                begin(words)
                await tell(words)
              }
              expect(installations(words)).toBe(1)
            },
            { servers },
          ))
        // Where it arms another method, nothing is switched on: told by itself below.
        if (byAddress.includes(make) && fault !== 'uefihttp-becomes-pxe')
          it(`I1 ${fault}: a claim installs its server once, over HTTP, and it runs from disk`, () =>
            story(
              async words => {
                begin(words)
                await words.when.claims('c1')
                await words.then.server('srv-1', long, { boot: { step: 'Ended', outcome: 'Installed' } as never })
                await words.then.runsFrom('srv-1', 'Hdd', minutes(20))
                expect(installations(words)).toBe(1)
              },
              { servers },
            ))
      } else if ('stops' in bearing) {
        it(`I32 ${fault} for ever: ${bearing.stops}; undiscovered, it is not switched over and over`, () =>
          story(
            async words => {
              await words.when.passes(minutes(180))
              expect(installations(words)).toBe(0)
              expect(powered(words)).toBeLessThanOrEqual(12)
            },
            { undiscovered: true, servers, prepare: rack => rack.fault('srv-1', fault) },
          ))
        it(`I32 ${fault} for ever: ${bearing.stops}; claimed, it is switched on once at most`, () =>
          story(
            async words => {
              const { when, world, configuration, happened } = words
              world.rack.fault('srv-1', fault)
              // The BIOS has nothing of its own to boot: on some makes that would be PXE, too.
              world.rack.machine('srv-1').order = []
              await when.claims('c1', byPxe)
              const before = happened('srv-1').length
              await when.passes(minutes(180))
              const since = happened('srv-1').slice(before)
              // Who only lies about its power may be booted by chance, and then it truly is.
              const booted = since.some(event => event.what === 'runs' && event.from === 'Pxe')
              if (!booted) expect((await configuration('c1'))?.metadata.annotations).toBeUndefined()
              expect(booted && fault !== 'power-flapping').toBe(false)
              expect(installations(words)).toBeLessThanOrEqual(booted ? 1 : 0)
              expect(since.filter(event => event.what === 'power' && event.to === 'On').length).toBeLessThanOrEqual(1)
            },
            { servers },
          ))
        it(`I1 I18 ${fault} for ever: ${bearing.stops}; installed, it keeps its system and its claim`, () =>
          story(
            async words => {
              const { when, world, server } = words
              await chapters[0]![1](words)
              world.rack.fault('srv-1', fault)
              const before = powered(words)
              await when.passes(minutes(120))
              expect(powered(words)).toBe(before)
              expect((await server('srv-1')).spec.serverClaimRef?.name).toBe('c1')
              expect(installations(words)).toBe(1)
            },
            { servers },
          ))
      }
    }

    it('uefihttp-becomes-pxe: BP-005 I6 arms another method than it was told: it is never switched on, and the server says so', () =>
      story(async ({ world, when, happened, condition }) => {
        world.rack.fault('srv-1', 'uefihttp-becomes-pxe')
        const before = happened('srv-1').length
        await when.claims('c1')
        await when.passes(minutes(50))
        expect(happened('srv-1')).toHaveLength(before)
        expect(await condition('srv-1', 'BootOverrideHonoured')).toMatchObject({
          status: 'False',
          reason: 'ReadBackDiffers',
          message: 'UefiHttp shall be armed, Pxe (Once) was read back',
        })
      }))

    it('override-reverts: BP-005 a BMC that forgets one override is told again', () =>
      story(
        async words => {
          words.world.rack.fault('srv-1', 'override-reverts', { times: 1 })
          await chapters[0]![1](words)
          expect(installations(words)).toBe(1)
        },
        { servers },
      ))
  })
}
