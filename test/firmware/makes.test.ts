import { describe, expect, it } from 'vitest'
import { serverBioses } from '../../src/controllers/firmware/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { firmwareVersion } from '../../src/sim/machine/machine.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import type { BiosEntry, Personality } from '../../src/sim/personalities/personality.ts'
import { firmwareStory } from './story.ts'

/** One setting of each type, applied in each make's own way. */
const entries: readonly BiosEntry[] = [
  { name: 'StoryFlag', type: 'Boolean', value: true },
  { name: 'StoryMode', type: 'Enumeration', value: 'Slow', values: ['Slow', 'Fast'] },
  { name: 'StoryDelay', type: 'Integer', value: 5, minimum: 0, maximum: 60 },
  { name: 'StoryTag', type: 'String', value: 'of the factory', readOnly: true },
]
const values = Object.fromEntries(entries.map(({ name, value }) => [name, value]))
const withEntries = (make: Personality): Personality => ({
  ...make,
  bios: { ...make.bios, entries: [...make.bios.entries, ...entries] },
  machine: { ...make.machine, bios: { ...make.machine.bios, ...values } },
})
const wish = { StoryFlag: false, StoryMode: 'Fast', StoryDelay: 10 }

describe.each(personalities.map(make => [make.name, make] as const))('a server of make %s', (make, personality) => {
  const one = { servers: [{ name: 'srv', personality: withEntries(personality) }] }

  it('X-020 T-30 T-36 gets a boolean, an enumeration and an integer with one reset; read-only and unknown settings are refused without any', () =>
    firmwareStory(async ({ wishes, inSync, says, happened, world }) => {
      const resets = () => happened('srv').filter(({ what }) => what === 'reset').length
      const before = resets()
      await wishes('srv', { settings: wish })
      expect((await inSync('srv', minutes(90))).status?.bios?.settings).toEqual(wish)
      expect(world.rack.machine('srv').bios).toMatchObject(wish)
      expect(resets() - before).toBe(1)
      for (const [settings, words] of [
        [{ StoryTag: 'mine' }, 'StoryTag is read-only'],
        [{ StoryTag: null, NoSuchThing: 1 }, 'no setting NoSuchThing'],
      ] as const) {
        await world.kube.patch(serverBioses, { name: 'srv' }, { merge: { spec: { bios: { settings } } } })
        await says('srv', minutes(60), ({ status }) => status?.trouble?.message?.includes(words) ?? false, `it is refused: ${words}`)
      }
      expect(resets() - before, 'nothing more was restarted').toBe(1)
    }, one))

  it('I9 X-020 whose update stays at 99 % is told so, and nothing is switched meanwhile', () =>
    firmwareStory(async ({ wishes, offers, says, happened, world }) => {
      await offers('BIOS', 'BIOS', '2.4.1')
      world.rack.fault('srv', 'stuck-at-99')
      const before = happened('srv').length
      await wishes('srv', { version: '2.4.1' })
      const { status } = await says('srv', minutes(120), ({ status: now }) => now?.lastJob?.outcome === 'Failed', 'the job gives up')
      expect(status?.lastJob?.message).toMatch(/99 % for 20 minutes.*stuck/)
      expect(status?.bios?.version).not.toBe('2.4.1')
      expect(
        happened('srv')
          .slice(before)
          .filter(({ what }) => what === 'reset' || what === 'power'),
      ).toEqual([])
    }, one))

  it('X-018 whose job is killed in the middle gets its version by the next try', () =>
    firmwareStory(async ({ wishes, offers, inSync, runs, world, firmware }) => {
      await offers('BIOS', 'BIOS', '2.4.1')
      await wishes('srv', { version: '2.4.1' })
      await world.until(minutes(30), 'its BMC is at work', () => world.rack.busy('srv'))
      firmware.kill()
      await inSync('srv', minutes(120))
      expect(runs('srv')).toBe('2.4.1')
    }, one))

  it('FW-055 FW-062 FW-063 FW-065 goes from a scan of its components through drift to the wanted firmware', () =>
    firmwareStory(async ({ wishesFirmware, offers, partsInSync, server, world }) => {
      const { id, name, kind } = world.rack.machine('srv').model.firmware.find(part => part.kind === 'BMC')!
      const called = make === 'dell' ? id : name
      await offers(called, make === 'hpe' ? kind : id, '9.9.9')
      await wishesFirmware('srv', [{ name: called, manufacturer: personality.manufacturer, version: '9.9.9' }])
      const { status } = await partsInSync('srv', minutes(120))
      expect(status?.firmwares).toContainEqual({ name: called, manufacturer: personality.manufacturer, version: '9.9.9' })
      expect(firmwareVersion(world.rack.machine('srv'), id)).toBe('9.9.9')
      await world.until(minutes(5), 'the server is given back', async () => (await server('srv')).spec.updateRef === undefined)
      expect((await server('srv')).spec.firmwareRef).toEqual({ name: 'srv' })
      expect(world.rack.machine('srv').power).toBe('Off')
    }, one))
})
