import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { kinds } from '../../src/api/kinds.ts'
import { minutes } from '../../src/core/duration.ts'
import { disarmed } from '../../src/sim/machine/machine.ts'
import type { BmcCall } from './rack.ts'
import { story, type Words } from './story.ts'

const source = join(import.meta.dirname, '../../src')
/** A change of what is booted next. */
const overrides = (asked: readonly BmcCall[]): readonly string[] =>
  asked.flatMap(({ method, body }) => {
    const target = (body as { readonly Boot?: { readonly BootSourceOverrideTarget?: string } } | undefined)?.Boot?.BootSourceOverrideTarget
    return method === 'PATCH' && target !== undefined ? [target] : []
  })
const isReset = ({ path }: BmcCall): boolean => path.endsWith('ComputerSystem.Reset')
const isRead = ({ method, path }: BmcCall): boolean => method === 'GET' && /\/Systems\/[^/]+$/.test(path)

describe('firstBoot', () => {
  const kernel = 'my-osimage:latest'
  const uki = 'my-uki-osimage:latest'
  it.each([
    ['Pxe', kernel, uki, 'kernel'],
    ['UefiHttp', uki, kernel, 'uki'],
  ] as const)('BP-022 %s says what the image must have, and what the first boot is told; boot says the others', (method, fits, not, role) =>
    story(async ({ when, then, world, configuration, boots }) => {
      const bootPolicy = { firstBoot: method, boot: 'Hdd' }
      await when.claims('c1', { image: not, bootPolicy })
      await when.passes(minutes(5))
      expect(await configuration('c1')).toBeUndefined()
      const refused = await then.claim('c1', 0, () => true, 'is there')
      expect(refused.status?.conditions).toContainEqual(
        expect.objectContaining({ type: 'ImageValid', status: 'False', message: expect.stringContaining(role) }),
      )
      await when.removes('c1')
      await when.passes(minutes(1))
      world.calls.length = 0
      await when.claims('c2', { image: fits, bootPolicy })
      await then.server('srv-1', minutes(30), { boot: { step: 'Ended', outcome: 'Installed' } as never })
      expect(overrides(world.calls)[0]).toBe(method)
      expect(boots('srv-1').slice(1)).toEqual([method, 'Hdd'])
      world.calls.length = 0
      await when.wantsPower('c2', 'Off')
      await then.server('srv-1', minutes(10), { powerState: 'Off' })
      await when.wantsPower('c2', 'On')
      await then.server('srv-1', minutes(20), { boot: { method: 'Hdd', outcome: 'Started' } as never })
      expect(new Set(overrides(world.calls).filter(target => target !== 'None'))).toEqual(new Set(['Hdd']))
    }),
  )
})

describe('whatever is armed', () => {
  it.each(['Pxe', 'UefiHttp', 'VirtualMedia'])(
    'BP-012 is armed for one boot: from its discovery to a first boot by %s, its disk and its release',
    method =>
      story(
        async ({ when, then, world }) => {
          const image = method === 'Pxe' ? 'my-osimage:latest' : 'my-uki-osimage:latest'
          await when.claims('c1', { image, bootPolicy: { firstBoot: method, boot: 'Hdd' } })
          await then.server('srv-1', minutes(60), { boot: { step: 'Ended', outcome: 'Installed' } as never })
          await when.wantsPower('c1', 'Off')
          await then.server('srv-1', minutes(10), { powerState: 'Off' })
          await when.wantsPower('c1', 'On')
          await then.server('srv-1', minutes(20), { boot: { method: 'Hdd', outcome: 'Started' } as never })
          await when.removes('c1')
          await then.server('srv-1', minutes(30), { state: 'Available' })
          const armed = world.calls.flatMap(({ body }) => {
            const { BootSourceOverrideEnabled: lasts, BootSourceOverrideTarget: target } =
              (body as { readonly Boot?: Readonly<Record<string, string>> } | undefined)?.Boot ?? {}
            return target === undefined || target === 'None' ? [] : [`${target} ${lasts}`]
          })
          const first = method === 'VirtualMedia' ? 'Cd' : method
          expect(new Set(armed)).toEqual(new Set(['Pxe Once', `${first} Once`, 'Hdd Once']))
        },
        { undiscovered: true },
      ),
  )
})

describe('provisionedWhen', () => {
  const policy = { firstBoot: 'UefiHttp', boot: 'Hdd' }
  const marked = async ({ configuration }: Words): Promise<boolean> =>
    (await configuration('c1'))?.metadata.annotations?.['metal.ironcore.dev/provisioned'] === 'true'
  const served = async ({ configuration }: Words) => ((await configuration('c1'))?.status?.served?.fetches ?? []).filter(({ done }) => done)

  it('X-005 T-10 BootReported in a claim: not when its image was fetched, but when its system has reported', () =>
    story(async words => {
      const { when, then, world, configuration } = words
      await when.claims('c1', { bootPolicy: { ...policy, provisionedWhen: 'BootReported' } })
      await world.until(minutes(15), 'the image was fetched', async () => (await served(words)).length > 0)
      expect(await marked(words)).toBe(false)
      await then.isProvisioned('c1', minutes(15))
      expect((await configuration('c1'))?.status?.served?.reports).toContainEqual(expect.objectContaining({ state: 'Installed' }))
    }))
  it('X-005 T-11 BootReported in a claim whose installer says nothing: it is never booted from the network again by itself', () =>
    story(async words => {
      const { when, then, boots } = words
      await when.claims('c1', { image: 'quiet:1', bootPolicy: { ...policy, provisionedWhen: 'BootReported' } })
      await when.passes(minutes(180))
      expect(await marked(words)).toBe(false)
      expect(boots('srv-1').filter(from => from === 'UefiHttp')).toHaveLength(1)
      await then.server('srv-1', 0, { boot: { step: 'Ended' } as never })
    }))
  it.each([
    ['in a claim', { provisionedWhen: 'PowerOn' }, {}],
    ['as the manager’s setting', {}, { provisionedWhen: 'PowerOn' }],
  ] as const)('X-005 BP-047 PowerOn %s: as soon as it is on, and its next commanded boot is from disk', (_, said, server) =>
    story(
      async words => {
        const { when, then, boots } = words
        await when.claims('c1', { bootPolicy: { ...policy, ...said } })
        await then.isProvisioned('c1', minutes(2))
        expect(await served(words)).toEqual([])
        await when.wantsPower('c1', 'Off')
        await then.server('srv-1', minutes(10), { powerState: 'Off' })
        await when.wantsPower('c1', 'On')
        await then.server('srv-1', minutes(10), { boot: { method: 'Hdd' } as never })
        await when.passes(minutes(20))
        expect(boots('srv-1').filter(from => from === 'UefiHttp').length).toBeLessThanOrEqual(1)
      },
      { server },
    ),
  )
  it('X-005 a claim’s word counts more than the manager’s', () =>
    story(
      async words => {
        await words.when.claims('c1', { bootPolicy: { ...policy, provisionedWhen: 'ArtifactServed' } })
        await words.then.isProvisioned('c1', minutes(15))
        expect(await served(words)).not.toEqual([])
      },
      { server: { provisionedWhen: 'PowerOn' } },
    ))
})

describe('an override', () => {
  const byPxe = { image: 'my-osimage:latest', bootPolicy: { firstBoot: 'Pxe', boot: 'Hdd' } }
  it('X-007 is read before it is written and after, and the machine is switched on only then', () =>
    story(async ({ when, then, world }) => {
      world.calls.length = 0
      await when.claims('c1', byPxe)
      await then.runsFrom('srv-1', 'Pxe', minutes(15))
      const { calls: asked } = world
      const written = asked.findIndex(one => overrides([one]).length > 0)
      const on = asked.findIndex(isReset)
      expect(asked.slice(0, written).some(isRead)).toBe(true)
      expect(asked.slice(written + 1, on).some(isRead)).toBe(true)
      expect(overrides(asked.slice(0, on))).toEqual(['Pxe'])
      // It is not taken back before the boot that uses it up was seen.
      expect(overrides(asked)).toEqual(['Pxe'])
    }))

  it('X-007 that is there already is not written again', () =>
    story(async ({ when, then, world }) => {
      world.rack.machine('srv-1').armed = { ...disarmed, target: 'Pxe', lasts: 'Once' }
      world.calls.length = 0
      await when.claims('c1', byPxe)
      await then.runsFrom('srv-1', 'Pxe', minutes(15))
      expect(overrides(world.calls)).toEqual([])
    }))

  it('X-007 that is refused during POST is written again until it is taken', () =>
    story(async ({ when, then, world, boots }) => {
      await when.claims('c1', byPxe)
      await then.server('srv-1', minutes(30), { boot: { step: 'Ended', outcome: 'Installed' } as never })
      await when.wantsPower('c1', 'Off')
      await then.server('srv-1', minutes(10), { powerState: 'Off' })
      // As its BMC says for a while: the power is off, and POST goes on.
      const machine = world.rack.machine('srv-1')
      world.rack.fault('srv-1', 'refuses-during-post')
      machine.stage = 'post'
      world.calls.length = 0
      await when.wantsPower('c1', 'On')
      await when.passes(minutes(3))
      expect(machine.power).toBe('Off')
      machine.stage = 'off'
      await then.server('srv-1', minutes(40), { boot: { method: 'Hdd', outcome: 'Started' } as never })
      expect(overrides(world.calls).filter(target => target === 'Hdd').length).toBeGreaterThan(1)
      expect(boots('srv-1').at(-1)).toBe('Hdd')
    }))
})

describe('DHCP', () => {
  it('BP-009 is nobody of ours: nothing here speaks it, and no kind describes it', () => {
    const speaks = globSync('**/*.ts', { cwd: source }).filter(file => readFileSync(join(source, file), 'utf8').includes("'node:dgram'"))
    expect(speaks).toEqual([])
    expect(kinds.map(({ kind }) => kind).filter(kind => /dhcp|subnet|dns/i.test(kind))).toEqual([])
  })
  it('BP-009 is not needed by a machine that takes an address: it boots where DHCP knows nothing of us', () =>
    story(async ({ when, then, world, boots }) => {
      world.dhcp.answers = false
      await when.claims('c1')
      await then.server('srv-1', minutes(30), { boot: { step: 'Ended', outcome: 'Installed' } as never })
      expect(boots('srv-1').slice(1)).toEqual(['UefiHttp', 'Hdd'])
    }))
})
