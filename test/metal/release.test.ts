import { describe, expect, it } from 'vitest'
import { claims, configurations, servers } from '../../src/controllers/metal/resources.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { generic } from '../../src/sim/personalities/generic.ts'
import { story, type Words } from './story.ts'

const bound = async ({ when, then }: Words): Promise<void> => {
  await when.claims('c1')
  await then.server('srv-1', minutes(30), { state: 'Reserved', boot: { step: 'Ended', outcome: 'Installed' } as never })
}
const key = { name: 'c1', namespace: 'default' }

describe('a claim that goes', () => {
  it('X-011 I5 BP-038 lets its server go only when its BMC says that it is off, with nothing armed; then its configuration goes too', () =>
    story(async words => {
      const { when, then, world, condition, server } = words
      await bound(words)
      const still: string[] = []
      world.rack.onEvent(event => void (event.what === 'power' && event.to === 'Off' && still.push('off')))
      await when.removes('c1')
      await then.server('srv-1', minutes(10), ({ spec }) => spec.serverClaimRef === undefined, 'is let go')
      expect(still).toEqual(['off'])
      expect(world.rack.machine('srv-1')).toMatchObject({ power: 'Off', armed: { lasts: 'Disabled' } })
      await then.server('srv-1', minutes(2), { state: 'Available' })
      expect(await condition('srv-1', 'Sanitized')).toMatchObject({ status: 'False' })
      await when.passes(minutes(1))
      expect(await world.kube.find(claims, key)).toBeUndefined()
      expect(await world.kube.find(configurations, key)).toBeUndefined()
      expect((await server('srv-1')).status?.boot?.step).toBe('Ended')
    }))

  it('BP-037 a claim that comes after it begins with a first boot', () =>
    story(async words => {
      const { when, then, boots } = words
      await bound(words)
      await when.removes('c1')
      await then.server('srv-1', minutes(10), { state: 'Available' })
      await when.claims('c2')
      await then.runsFrom('srv-1', 'Hdd', minutes(30))
      expect(boots('srv-1')).toEqual(['Pxe', 'UefiHttp', 'Hdd', 'UefiHttp', 'Hdd'])
    }))

  it('leaves a server whose reclaim policy is Retain in Released, off, until somebody says Recycle', () =>
    story(async words => {
      const { when, then, world } = words
      await bound(words)
      await world.kube.patch(servers, { name: 'srv-1-system-0' }, { merge: { spec: { reclaimPolicy: 'Retain' } } })
      await when.removes('c1')
      await when.passes(minutes(60))
      await then.server('srv-1', 0, { state: 'Released', powerState: 'Off' })
      expect(await world.kube.find(claims, key)).toBeUndefined()
      await world.kube.patch(servers, { name: 'srv-1-system-0' }, { merge: { spec: { reclaimPolicy: 'Recycle' } } })
      await then.server('srv-1', minutes(5), { state: 'Available' })
    }))

  it('I8 is not a reason to cut the power of a system that was never asked, because its BMC did not answer when it should have been', () =>
    story(async ({ when, then, world, happened }) => {
      await when.claims('c1')
      await then.server('srv-1', minutes(30), { boot: { step: 'Ended', outcome: 'Installed' } as never })
      // What was noted never reaches the machine, and nobody answers the next looks either.
      world.rack.fault('srv-1', 'no-answer', { method: 'POST', times: 1 })
      await when.removes('c1')
      await when.passes(seconds(1))
      world.rack.fault('srv-1', 'no-answer', { method: 'GET', times: 2 })
      await then.server('srv-1', minutes(40), { state: 'Available', powerState: 'Off' })
      expect(
        happened('srv-1')
          .filter(({ what }) => what === 'power')
          .at(-1),
      ).toMatchObject({ to: 'Off', by: 'GracefulShutdown' })
    }))

  it('I8 a system that cannot be asked to shut down, although its BMC answers, keeps its power until somebody decides; that is said', () =>
    story(async ({ when, then, world, happened, condition }) => {
      await when.claims('c1')
      await then.server('srv-1', minutes(30), { boot: { step: 'Ended', outcome: 'Installed' } as never })
      world.rack.fault('srv-1', 'server-error', { method: 'POST', path: 'Reset' })
      await when.removes('c1')
      await when.passes(minutes(60))
      expect(world.rack.machine('srv-1').power).toBe('On')
      expect(await condition('srv-1', 'ShutdownAsked')).toMatchObject({ status: 'False', reason: 'BmcError' })
      world.rack.heal('srv-1')
      await then.server('srv-1', minutes(20), { state: 'Available', powerState: 'Off' })
      expect(happened('srv-1').findLast(({ what }) => what === 'power')).toMatchObject({ to: 'Off', by: 'GracefulShutdown' })
      expect(await condition('srv-1', 'ShutdownAsked')).toMatchObject({ status: 'True' })
    }))

  it('I8 is answered by cutting the power where a BMC has no way to ask, after five minutes and with a word about it', () => {
    const { power } = generic
    const offers = power.resetTypes.filter(type => !['GracefulShutdown', 'PushPowerButton'].includes(type))
    const blunt = { ...generic, power: { ...power, resetTypes: offers } }
    return story(
      async ({ when, then, happened }) => {
        await when.claims('c1')
        await then.server('srv-1', minutes(40), { boot: { step: 'Ended', outcome: 'Installed' } as never })
        await when.removes('c1')
        const asked = happened('srv-1').length
        await when.passes(minutes(4.5))
        expect(happened('srv-1')).toHaveLength(asked)
        await then.server('srv-1', minutes(15), { state: 'Available', powerState: 'Off' })
        expect(happened('srv-1').slice(asked)).toMatchObject([{ what: 'power', to: 'Off', by: 'ForceOff' }])
      },
      { servers: [{ name: 'srv-1', personality: blunt }] },
    )
  })

  it('X-038 I5 waits for a BMC that is dead, until somebody releases its server by force; then it is set aside', () =>
    story(async words => {
      const { when, then, world, condition } = words
      await bound(words)
      world.rack.fault('srv-1', 'no-answer')
      await when.removes('c1')
      await when.passes(minutes(120))
      await then.server('srv-1', 0, ({ spec, status }) => spec.serverClaimRef !== undefined && status?.state === 'Released')
      expect((await world.kube.get(claims, key)).metadata.deletionTimestamp).toBeDefined()
      await when.asks('srv-1', 'force-release')
      await then.server('srv-1', minutes(10), { state: 'Error' })
      await when.passes(minutes(30))
      expect(await world.kube.find(claims, key)).toBeUndefined()
      expect(await condition('srv-1', 'Quarantined')).toMatchObject({ status: 'True', reason: 'ForceReleased' })
      world.rack.heal('srv-1')
      await when.passes(minutes(60))
      await then.server('srv-1', 0, { state: 'Error' })
    }))

  it('during the installation ends the boot: nothing is served for it any more, and nothing is installed', () =>
    story(async words => {
      const { when, then, happened, world } = words
      await when.claims('c1')
      await then.server('srv-1', minutes(5), { boot: { step: 'Running', purpose: 'Claim' } as never })
      await when.removes('c1')
      await then.server('srv-1', minutes(20), { state: 'Available', boot: { step: 'Ended' } as never })
      expect(happened('srv-1').filter(({ what }) => what === 'installed')).toEqual([])
      expect(world.rack.machine('srv-1').power).toBe('Off')
    }))
})

describe('a server that is deleted', () => {
  it('X-038 I23 is forgotten without being switched off', () =>
    story(async words => {
      const { when, world } = words
      await bound(words)
      await world.kube.delete(servers, { name: 'srv-1-system-0' })
      await when.passes(minutes(1))
      // Its BMC is still there, so it is found again, as new; what runs is not touched.
      await when.passes(minutes(60))
      expect(world.rack.machine('srv-1').power).toBe('On')
    }))

  it('X-038 I23 waits no longer than ten minutes for its BMC', () =>
    story(async words => {
      const { when, world, server } = words
      const { uid } = (await server('srv-1')).metadata
      world.rack.fault('srv-1', 'no-answer')
      await world.kube.delete(servers, { name: 'srv-1-system-0' })
      await when.passes(minutes(14))
      expect((await world.kube.find(servers, { name: 'srv-1-system-0' }))?.metadata.uid).not.toBe(uid)
    }))
})
