import { describe, expect, it } from 'vitest'
import { bmcs, claims, configurations, servers } from '../../../src/controllers/metal/resources.ts'
import { minutes, seconds } from '../../../src/core/duration.ts'
import { installerProgram, simImage } from '../../../src/sim/images/demo.ts'
import { generic } from '../../../src/sim/personalities/generic.ts'
import type { ServerOrder } from '../../../src/sim/rack.ts'
import { story, type Words } from '../story.ts'

const key = { name: 'srv-1-system-0' }
const claimKey = { name: 'c1', namespace: 'default' }
const parked = 'metal.ironcore.dev/parked'
const isParked = (words: Words) =>
  words.then.server('srv-1', minutes(15), found => found.metadata.annotations?.[parked] === 'true', 'is parked')
const installed = async ({ when, then }: Words): Promise<void> => {
  await when.claims('c1')
  await then.server('srv-1', minutes(30), { state: 'Reserved', boot: { step: 'Ended', outcome: 'Installed' } as never })
}
const losesStatus = ({ world }: Words) =>
  world.kube.patch(
    servers,
    key,
    { merge: { status: { state: null, stateSince: null, boot: null, stopping: null, powerState: null } } },
    { subresource: 'status' },
  )
const warnings = async ({ world }: Words): Promise<readonly string[]> =>
  (await world.kube.list({ group: '', version: 'v1', plural: 'events', namespaced: true })).items.flatMap(event =>
    event['type'] === 'Warning' ? [`${String(event['reason'])}: ${String(event['message'])}`] : [],
  )

describe('a claimed server', () => {
  it('#661 leaves Reserved where claim and configuration are gone without a word, once its BMC says that it is off', () =>
    story(async words => {
      const { when, then, world, happened } = words
      await installed(words)
      const before = happened('srv-1').length
      await world.kube.delete(claims, claimKey)
      await world.kube.patch(claims, claimKey, { merge: { metadata: { finalizers: null } } })
      await world.kube.delete(configurations, claimKey).catch(() => {})
      await world.clock.settle()
      expect(await world.kube.find(claims, claimKey)).toBeUndefined()
      await then.server('srv-1', minutes(15), { state: 'Released' })
      await then.server('srv-1', minutes(15), ({ spec }) => spec.serverClaimRef === undefined, 'is let go')
      expect(happened('srv-1').slice(before)).toContainEqual(expect.objectContaining({ what: 'power', to: 'Off' }))
      await then.server('srv-1', minutes(5), { state: 'Available', powerState: 'Off' })
      await when.claims('c2')
      await then.runsFrom('srv-1', 'Hdd', minutes(30))
    }))

  it('#247 is not switched on before its image can be served: an old disk is never started instead', () =>
    story(async words => {
      const { when, then, world, boots, condition } = words
      await installed(words)
      await when.removes('c1')
      await then.server('srv-1', minutes(15), { state: 'Available' })
      const before = boots('srv-1').length
      // Its manifest says all that is needed, and its bytes are not those that it promises.
      world.push(simImage('library/broken', '1', { uki: installerProgram('os-2') }))
      world.spoil('library/broken:1')
      await when.claims('c2', { image: 'broken:1' })
      await when.passes(minutes(30))
      expect((await world.kube.get(configurations, { ...claimKey, name: 'c2' })).status).toMatchObject({ state: 'Error' })
      expect(world.rack.machine('srv-1')).toMatchObject({ power: 'Off', armed: { lasts: 'Disabled' }, disk: { os: 'os-1' } })
      expect(boots('srv-1')).toHaveLength(before)
      expect(await condition('srv-1', 'UnexpectedPowerTransition')).toBeUndefined()
      world.spoil(undefined)
      await then.runsFrom('srv-1', 'Hdd', minutes(30))
      expect(world.rack.machine('srv-1').disk?.os).toBe('os-2')
    }))

  it('boots nothing that its claim does not want any more, although that is ready to be booted', () =>
    story(async ({ when, then, world, boots }) => {
      await when.claims('c1', { power: 'Off' })
      await world.until(minutes(5), 'its image is ready', async () => {
        return (await world.kube.find(configurations, claimKey))?.status?.state === 'Ready'
      })
      await world.kube.patch(claims, claimKey, { merge: { spec: { image: 'no-uki:1', power: 'On' } } })
      await when.passes(minutes(20))
      expect(boots('srv-1')).toEqual(['Pxe'])
      await world.kube.patch(claims, claimKey, { merge: { spec: { image: 'my-uki-osimage:latest' } } })
      await then.runsFrom('srv-1', 'Hdd', minutes(30))
    }))

  it('#1059 keeps what was armed for its boot until that boot was seen, however long firmware takes', () => {
    const { machine } = generic
    const slow = { ...generic, machine: { ...machine, times: { ...machine.times, post: minutes(6) } } }
    return story(
      async ({ when, then, world, happened }) => {
        await when.claims('c1')
        await then.server('srv-1', minutes(45), { boot: { step: 'Ended', outcome: 'Installed' } as never })
        await when.asks('srv-1', 'graceful-restart-server')
        await world.until(minutes(10), 'it is in POST', () => world.rack.machine('srv-1').stage === 'post')
        const [asked, told] = [world.calls.length, happened('srv-1').length]
        await when.passes(minutes(5))
        expect(world.rack.machine('srv-1')).toMatchObject({ stage: 'post', armed: { target: 'Hdd', lasts: 'Once' } })
        expect(world.calls.slice(asked).filter(({ method }) => method !== 'GET')).toEqual([])
        await then.runsFrom('srv-1', 'Hdd', minutes(5))
        expect(happened('srv-1').slice(told)).toContainEqual(expect.objectContaining({ what: 'boots', from: 'Hdd', by: 'override' }))
      },
      { servers: [{ name: 'srv-1', personality: slow }] },
    )
  })

  it('no. 17: one that does not go off holds up no other, however many they are', () => {
    const deaf = Array.from({ length: 7 }, (_, n): ServerOrder => ({ name: `srv-${n + 1}` }))
    return story(
      async ({ when, then, world, happened }) => {
        for (const [n, { name }] of deaf.entries()) await when.claims(`c${n}`, { serverRef: { name: `${name}-system-0` } })
        for (const { name } of deaf) await then.runsFrom(name, 'Hdd', minutes(40))
        for (const { name } of deaf.slice(1)) {
          world.rack.machine(name).deaf = true
          world.rack.fault(name, 'reset-ignored')
        }
        for (const n of deaf.keys()) await when.wantsPower(`c${n}`, 'Off')
        const asked = world.clock.now()
        await then.server('srv-1', minutes(2), { powerState: 'Off' })
        expect(happened('srv-1').filter(event => event.what === 'power' && event.to === 'Off' && event.at >= asked)).toHaveLength(1)
        expect(deaf.slice(1).filter(({ name }) => world.rack.machine(name).power === 'Off')).toEqual([])
      },
      { servers: deaf },
    )
  })
})

describe('parking', () => {
  it('a free server whose status is lost is parked again by its annotation, and not discovered', () =>
    story(async words => {
      const { when, then, boots, world } = words
      await when.asks('srv-1', 'park')
      await isParked(words)
      await losesStatus(words)
      await then.server('srv-1', minutes(5), { state: 'Parked' })
      await when.passes(minutes(60))
      expect(boots('srv-1')).toEqual(['Pxe'])
      expect(world.rack.machine('srv-1').power).toBe('Off')
    }))

  it('a claimed server whose status is lost is parked again by its annotation, and stays bound', () =>
    story(async words => {
      const { when, then, boots, server } = words
      await installed(words)
      await when.asks('srv-1', 'park')
      await isParked(words)
      const before = boots('srv-1').length
      await losesStatus(words)
      await then.server('srv-1', minutes(5), { state: 'Parked' })
      await when.passes(minutes(60))
      expect(boots('srv-1')).toHaveLength(before)
      expect((await server('srv-1')).spec.serverClaimRef?.name).toBe('c1')
    }))

  it('somebody may switch a parked server on by hand, and off: nothing is done about it', () =>
    story(async words => {
      const { when, world, server, happened } = words
      await when.asks('srv-1', 'park')
      await isParked(words)
      when.byHand('srv-1', 'On')
      await when.passes(minutes(60))
      expect(world.rack.machine('srv-1').power).toBe('On')
      expect((await server('srv-1')).status).toMatchObject({ state: 'Parked', powerState: 'On' })
      expect(happened('srv-1').filter(event => event.what === 'power' && event.to === 'Off' && event.by === 'ForceOff')).toEqual([])
    }))

  it('a parked server can be deleted, and is not switched', () =>
    story(async words => {
      const { when, world, happened } = words
      await when.asks('srv-1', 'park')
      await isParked(words)
      const before = happened('srv-1').length
      // Without its BMC, or it would be found again, as a new one.
      await world.kube.delete(bmcs, { name: 'srv-1' })
      await world.kube.delete(servers, key)
      await when.passes(minutes(15))
      expect(await world.kube.find(servers, key)).toBeUndefined()
      expect(happened('srv-1')).toHaveLength(before)
    }))

  it('is not kept for later where it cannot be done now: while a server is being discovered it is refused, and said so', () =>
    story(
      async words => {
        const { when, then, server } = words
        await then.server('srv-1', minutes(10), { state: 'Discovery' })
        await when.asks('srv-1', 'park')
        await when.passes(seconds(10))
        expect((await server('srv-1')).metadata.annotations?.['metal.ironcore.dev/operation']).toBeUndefined()
        expect(await warnings(words)).toContainEqual(
          expect.stringContaining('UnsupportedOperation: operation park is for servers in state'),
        )
        await then.server('srv-1', minutes(30), { state: 'Available' })
      },
      { undiscovered: true },
    ))

  it('a restart that is asked for while it is parked is taken away with a warning, and not done', () =>
    story(async words => {
      const { when, server, happened } = words
      await when.asks('srv-1', 'park')
      await isParked(words)
      const before = happened('srv-1').length
      await when.asks('srv-1', 'hard-restart-server')
      await when.passes(minutes(10))
      expect((await server('srv-1')).metadata.annotations?.['metal.ironcore.dev/operation']).toBeUndefined()
      expect(await warnings(words)).toContainEqual(expect.stringContaining('UnsupportedOperation: operation hard-restart-server'))
      expect(happened('srv-1')).toHaveLength(before)
    }))
})
