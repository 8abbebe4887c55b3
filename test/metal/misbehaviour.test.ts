import { describe, expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import type { FaultName } from '../../src/sim/misbehaviour/catalogue.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import type { FaultOrder } from '../../src/sim/rack.ts'
import { story, type Words } from './story.ts'

/** One make by default: `RACKWRIGHT_MAKES=all` tries every one. */
const makes = process.env['RACKWRIGHT_MAKES'] === 'all' ? personalities.map(({ name }) => name) : ['generic']

/** Ways to misbehave that pass by themselves, or that must be lived with: the server gets where it should all the same. */
const livedWith: readonly (readonly [FaultName, FaultOrder])[] = [
  ['no-answer', { times: 3 }],
  ['flapping-link', {}],
  ['reset-mid-body', { times: 3 }],
  ['chunk-error', { times: 3 }],
  ['hold', { times: 2 }],
  ['truncated-json', { times: 3 }],
  ['duplicated-json', { times: 3 }],
  ['wrong-content-type', {}],
  ['wrong-types', { times: 3 }],
  ['proto-keys', { times: 3 }],
  ['deep-json', { times: 2 }],
  ['cyclic-links', { times: 3 }],
  ['stale-session', { times: 3 }],
  ['session-cap', { times: 2 }],
  ['login-throttle', {}],
  ['too-many-requests', { times: 4 }],
  ['server-error', { times: 4 }],
  ['conflict-after-off', {}],
  ['refuses-during-post', {}],
  ['weak-etag', {}],
  ['empty-etag', {}],
  ['changed-etag', { times: 2 }],
  ['redirects-elsewhere', { times: 2 }],
  ['power-null', { times: 5 }],
  ['power-unknown', { times: 5 }],
  ['power-lagging', {}],
  ['reset-ignored', { times: 1 }],
  ['override-reverts', { times: 1 }],
  ['once-not-consumed', { times: 1 }],
  ['members-reordered', {}],
]

const claimed = async ({ when, then }: Words): Promise<void> => {
  await when.claims('c1', { image: 'my-osimage:latest', bootPolicy: { firstBoot: 'Pxe', boot: 'Hdd' } })
  await then.server('srv-1', minutes(180), { boot: { step: 'Ended', outcome: 'Installed' } as never })
}
const installations = ({ happened }: Words) => happened('srv-1').filter(({ what }) => what === 'installed').length

for (const make of makes) {
  const servers = [{ name: 'srv-1', personality: make }]
  describe(`a BMC of ${make} that misbehaves`, () => {
    for (const [fault, order] of livedWith) {
      it(`${fault}: its server is discovered all the same`, () =>
        story(
          async ({ then, world }) => {
            await then.server('srv-1', minutes(240), { state: 'Available' })
            expect(world.rack.machine('srv-1').power).toBe('Off')
          },
          { undiscovered: true, servers, prepare: rack => rack.fault('srv-1', fault, order) },
        ))
      it(`${fault}: a claim installs its server once, and gives it back`, () =>
        story(
          async words => {
            words.world.rack.fault('srv-1', fault, order)
            await claimed(words)
            expect(installations(words)).toBe(1)
            await words.when.removes('c1')
            await words.then.server('srv-1', minutes(240), { state: 'Available' })
            expect(words.world.rack.machine('srv-1')).toMatchObject({ power: 'Off' })
          },
          { servers },
        ))
    }

    const stops: readonly (readonly [FaultName, why: string])[] = [
      ['override-reverts', 'BP-005 forgets every override: it is never switched on'],
      ['override-not-honoured', 'BP-005 boots by its BIOS order all the same: it is not taken for provisioned'],
      ['once-consumed-early', 'BP-005 drops the override at power-on: it is not taken for provisioned'],
    ]
    for (const [fault, why] of stops)
      it(`${fault}: ${why}`, () =>
        story(
          async words => {
            const { when, happened, configuration } = words
            words.world.rack.fault('srv-1', fault)
            // The BIOS has nothing of its own to boot: on some makes that would be PXE, too.
            words.world.rack.machine('srv-1').order = []
            await when.claims('c1', { image: 'my-osimage:latest', bootPolicy: { firstBoot: 'Pxe', boot: 'Hdd' } })
            const before = happened('srv-1').filter(({ what }) => what === 'power').length
            await when.passes(minutes(180))
            expect((await configuration('c1'))?.metadata.annotations).toBeUndefined()
            expect(installations(words)).toBe(0)
            // I32: whatever it does, it is not switched on over and over.
            expect(happened('srv-1').filter(({ what }) => what === 'power').length - before).toBeLessThanOrEqual(1)
          },
          { servers },
        ))

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

    it('power-flapping: I18 a server whose power seems to come and go is not switched over and over', () =>
      story(
        async words => {
          const { when, happened, world } = words
          await claimed(words)
          const before = happened('srv-1').length
          world.rack.fault('srv-1', 'power-flapping')
          await when.passes(minutes(120))
          expect(happened('srv-1')).toHaveLength(before)
        },
        { servers },
      ))
  })
}
