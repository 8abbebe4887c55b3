import { describe, expect, it } from 'vitest'
import { claims, servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { story, type Words } from './story.ts'

const key = { name: 'srv-1-system-0' }
const bootsOf = ({ happened }: Words): number => happened('srv-1').filter(({ what }) => what === 'boots').length

describe('parking', () => {
  it('X-001 a claimed server is switched off once, stays bound, and is left alone until it is taken back', () =>
    story(async words => {
      const { when, then, world } = words
      await when.claims('c1')
      await then.runsFrom('srv-1', 'Hdd', minutes(25))
      await when.asks('srv-1', 'park')
      await then.server('srv-1', minutes(15), server => server.metadata.annotations?.['metal.ironcore.dev/parked'] === 'true', 'is parked')
      const before = bootsOf(words)
      await world.clock.advance(minutes(60))
      expect(bootsOf(words)).toBe(before)
      expect(await words.server('srv-1')).toMatchObject({
        spec: { serverClaimRef: { name: 'c1' } },
        status: { state: 'Parked', powerState: 'Off' },
      })
      await when.asks('srv-1', 'unpark')
      await then.server('srv-1', minutes(5), { state: 'Reserved' })
      await then.runsFrom('srv-1', 'Hdd', minutes(20))
    }))
  it('X-001 its claim can go while it is parked; it stays parked', () =>
    story(async ({ when, then, world, server }) => {
      await when.claims('c1', { power: 'Off' })
      await then.server('srv-1', minutes(5), { state: 'Reserved' })
      await when.asks('srv-1', 'park')
      await then.server('srv-1', minutes(15), found => found.metadata.annotations?.['metal.ironcore.dev/parked'] === 'true', 'is parked')
      await when.removes('c1')
      await world.until(
        minutes(20),
        'the claim is gone',
        async () => (await world.kube.find(claims, { name: 'c1', namespace: 'default' })) === undefined,
      )
      expect((await server('srv-1')).status?.state).toBe('Parked')
      await when.asks('srv-1', 'unpark')
      await then.server('srv-1', minutes(10), { state: 'Available' })
    }))
  it('I15 ends a boot that was about to begin, and leaves nothing armed', () =>
    story(async ({ when, then, world, server, boots }) => {
      // It is armed, and does not come on.
      world.rack.fault('srv-1', 'server-error', { method: 'POST', path: 'Reset' })
      await when.claims('c1')
      await then.server('srv-1', minutes(5), { boot: { purpose: 'Claim', step: 'Starting' } as never })
      expect(world.rack.machine('srv-1').armed).toMatchObject({ target: 'UefiHttp' })
      world.rack.heal('srv-1')
      await when.asks('srv-1', 'park')
      await then.server('srv-1', minutes(15), found => found.metadata.annotations?.['metal.ironcore.dev/parked'] === 'true', 'is parked')
      expect((await server('srv-1')).status).toMatchObject({ state: 'Parked', boot: { step: 'Ended', serves: false } })
      expect(world.rack.machine('srv-1').armed).toMatchObject({ lasts: 'Disabled' })
      when.byHand('srv-1', 'On')
      await when.passes(minutes(20))
      expect(boots('srv-1')).not.toContain('UefiHttp')
      when.byHand('srv-1', 'ForceOff')
      await when.asks('srv-1', 'unpark')
      await then.runsFrom('srv-1', 'Hdd', minutes(40))
    }))
  it('X-040 a server whose claim went while it was parked is not free before it is wiped', () =>
    story(
      async ({ when, then, server, condition }) => {
        await when.claims('c1', { power: 'Off' })
        await then.server('srv-1', minutes(5), { state: 'Reserved' })
        await when.asks('srv-1', 'park')
        await then.server('srv-1', minutes(15), found => found.metadata.annotations?.['metal.ironcore.dev/parked'] === 'true', 'is parked')
        await when.removes('c1')
        await then.server('srv-1', minutes(20), ({ spec }) => spec.serverClaimRef === undefined, 'is let go')
        expect(await condition('srv-1', 'Sanitized')).toMatchObject({ status: 'False', reason: 'NotWiped' })
        await when.asks('srv-1', 'unpark')
        await when.passes(minutes(30))
        expect((await server('srv-1')).status?.state).toBe('Released')
      },
      { server: { requireSanitized: true } },
    ))
  it('X-040 a server that nobody ever had is free again when it is taken back, wiped or not', () =>
    story(
      async ({ when, then }) => {
        await when.asks('srv-1', 'park')
        await then.server('srv-1', minutes(15), found => found.metadata.annotations?.['metal.ironcore.dev/parked'] === 'true', 'is parked')
        await when.asks('srv-1', 'unpark')
        await then.server('srv-1', minutes(5), { state: 'Available' })
      },
      { server: { requireSanitized: true } },
    ))
  it('an operation that nobody knows is taken away with a word about it, also while it is parked', () =>
    story(async ({ when, then, server }) => {
      await when.asks('srv-1', 'park')
      await then.server('srv-1', minutes(15), { state: 'Parked' })
      await when.asks('srv-1', 'make-coffee')
      await then.server(
        'srv-1',
        minutes(5),
        found => found.metadata.annotations?.['metal.ironcore.dev/operation'] === undefined,
        'it is taken away',
      )
      expect((await server('srv-1')).status?.state).toBe('Parked')
    }))
})

describe('wiping', () => {
  it('X-040 with requireSanitized nobody gets a released server before something says that it was wiped', () =>
    story(
      async ({ when, then, world }) => {
        await when.claims('c1', { power: 'Off' })
        await then.server('srv-1', minutes(5), { state: 'Reserved' })
        await when.removes('c1')
        await then.server(
          'srv-1',
          minutes(20),
          ({ spec, status }) => status?.state === 'Released' && spec.serverClaimRef === undefined,
          'is released',
        )
        await world.clock.advance(minutes(30))
        expect((await world.kube.get(servers, key)).status?.state).toBe('Released')
        const { status } = await world.kube.get(servers, key)
        const conditions = (status?.conditions ?? []).map(one =>
          one.type === 'Sanitized' ? { ...one, status: 'True', reason: 'Wiped' } : one,
        )
        await world.kube.patch(servers, key, { merge: { status: { conditions } } }, { subresource: 'status' })
        await then.server('srv-1', minutes(10), { state: 'Available' })
      },
      { server: { requireSanitized: true } },
    ))
  it('X-040 X-038 nor one that was released by force, when it is tried again and looked at anew', () =>
    story(
      async ({ when, then, world, server }) => {
        await when.claims('c1', { power: 'Off' })
        await then.server('srv-1', minutes(5), { state: 'Reserved' })
        world.rack.fault('srv-1', 'no-answer')
        await when.removes('c1')
        await when.passes(minutes(5))
        await when.asks('srv-1', 'force-release')
        await then.server('srv-1', minutes(10), { state: 'Error' })
        world.rack.heal('srv-1')
        await when.asks('srv-1', 'retry')
        await then.server('srv-1', minutes(60), { state: 'Released' })
        await when.passes(minutes(30))
        expect((await server('srv-1')).status?.state).toBe('Released')
      },
      { server: { requireSanitized: true } },
    ))
  it('X-040 without it a server is free again, and says that it was not wiped', () =>
    story(async ({ when, then, condition }) => {
      await when.claims('c1', { power: 'Off' })
      await then.server('srv-1', minutes(5), { state: 'Reserved' })
      await when.removes('c1')
      await then.server('srv-1', minutes(20), { state: 'Available' })
      expect(await condition('srv-1', 'Sanitized')).toMatchObject({ status: 'False', reason: 'NotWiped' })
    }))
})

describe('the order of the BIOS', () => {
  const networkFirst = {
    prepare(rack: Words['world']['rack']) {
      rack.machine('srv-1').order = ['Boot0002', 'Boot0001', 'Boot0000']
    },
  }
  it('X-009 BP-010 BP-011 is reported, and left as it is', () =>
    story(async ({ world, condition }) => {
      await world.clock.advance(minutes(15))
      expect(await condition('srv-1', 'BootOrderCompliant')).toMatchObject({ status: 'False', reason: 'WrongOrder' })
      expect(world.rack.machine('srv-1').order?.[0]).toBe('Boot0002')
    }, networkFirst))
  it('X-009 is set right where somebody asked for that, while the server is off', () =>
    story(async ({ world, condition }) => {
      await world.kube.patch(servers, key, { merge: { spec: { bootOrderPolicy: 'Enforce' } } })
      await world.clock.advance(minutes(80))
      expect(world.rack.machine('srv-1').order).toEqual(['Boot0000', 'Boot0001', 'Boot0002'])
      expect(await condition('srv-1', 'BootOrderCompliant')).toMatchObject({ status: 'True' })
    }, networkFirst))
})
