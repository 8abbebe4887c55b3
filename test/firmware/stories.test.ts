import { describe, expect, it } from 'vitest'
import { jobRunners, jobs, type ServerBIOS, serverBioses } from '../../src/controllers/firmware/resources.ts'
import { servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import { makes } from '../contracts/bmc/makes.ts'
import { makesUnlessSaid } from '../makes.ts'
import { firmwareStory } from './story.ts'

const onA = (personality: string) => ({ servers: [{ name: 'srv', personality }] })

describe.each(personalities.map(({ name }) => name))('firmware of a discovered server of make %s', make => {
  const change = makes[make]!.bios!.change!

  it('FW-001 FW-002 FW-004 FW-048 FW-052 goes from a scan through drift, version and settings to being in sync, off and free again (T-02)', () =>
    firmwareStory(async ({ wishes, offers, inSync, runs, server, world, boots }) => {
      const before = boots('srv').length
      await offers('BIOS', 'BIOS', '2.4.1')
      await wishes('srv', { version: '2.4.1', settings: change })
      const { status } = await inSync('srv', minutes(90))
      expect(status?.bios).toEqual({ version: '2.4.1', settings: change })
      expect(runs('srv')).toBe('2.4.1')
      await world.until(minutes(5), 'the server is given back', async () => (await server('srv')).spec.updateRef === undefined)
      expect(world.rack.machine('srv').power).toBe('Off')
      const { spec, status: now } = await server('srv')
      expect(spec.biosRef).toEqual({ name: 'srv' })
      expect(now?.state).toBe('Available')
      expect(now?.conditions?.filter(({ type }) => type === 'UnexpectedPowerTransition')).toEqual([])
      expect(boots('srv').slice(before), 'nothing is booted from the network').not.toContain('Pxe')
    }, onA(make)))

  it.each(['bmc-reboots-mid-update', 'task-lost', 'two-jobs'] as const)('I10 comes to the same end with a BMC that has %s', fault =>
    firmwareStory(async ({ wishes, offers, inSync, runs, world }) => {
      await offers('BIOS', 'BIOS', '2.4.1')
      world.rack.fault('srv', fault, { times: 1 })
      await wishes('srv', { version: '2.4.1' })
      await inSync('srv', minutes(120))
      expect(runs('srv')).toBe('2.4.1')
    }, onA(make)),
  )

  it('I10 is never said to be done where the old version runs although the BMC reported success', () =>
    firmwareStory(async ({ wishes, offers, says, sync, runs, world }) => {
      const old = runs('srv')
      await offers('BIOS', 'BIOS', '2.4.1')
      world.rack.fault('srv', 'old-version')
      await wishes('srv', { version: '2.4.1' })
      const { status } = await says('srv', minutes(300), ({ status: now }) => now?.trouble !== undefined, 'it failed')
      expect(runs('srv')).toBe(old)
      expect(status?.bios?.version).not.toBe('2.4.1')
      expect((await sync('srv'))?.status).not.toBe('True')
    }, onA(make)))
})

/** One make by the book and one with habits of its own by default. */
const chosen = makesUnlessSaid('generic', 'dell')

describe.each(chosen)('firmware of a server of make %s that somebody wants', make => {
  it('FW-046 T-03 is left alone while a claim has it, and no claim gets it while a job does', () =>
    firmwareStory(async ({ wishes, offers, says, inSync, sync, when, then, world, server, runs }) => {
      await offers('BIOS', 'BIOS', '2.4.1')
      await wishes('srv', { version: '2.4.1' })
      await world.until(minutes(20), 'a job has it', async () => (await server('srv')).spec.updateRef !== undefined)
      await when.claims('c1')
      await world.clock.advance(minutes(1))
      expect((await server('srv')).spec.serverClaimRef).toBeUndefined()
      await inSync('srv', minutes(60))
      const { spec } = await then.claim('c1', minutes(60), ({ status }) => status?.phase === 'Bound', 'is bound when the job is over')
      expect(spec.serverRef?.name).toBe('srv-system-0')
      await offers('BIOS', 'BIOS', '2.5.0')
      await world.kube.patch(serverBioses, { name: 'srv' }, { merge: { spec: { bios: { version: '2.5.0' } } } })
      await says(
        'srv',
        minutes(60),
        ({ status }) => status?.conditions?.some(one => one.reason === 'ServerNotAvailable') ?? false,
        'it stops',
      )
      expect((await sync('srv'))?.message).toMatch(/server srv-system-0 is (Available|Reserved), claimed by default\/c1/)
      await world.clock.advance(minutes(60))
      expect(runs('srv')).toBe('2.4.1')
    }, onA(make)))

  it('goes on where its Job was deleted by hand in the middle of the update', () =>
    firmwareStory(async ({ wishes, offers, inSync, bios, world, runs }) => {
      await offers('BIOS', 'BIOS', '2.4.1')
      await wishes('srv', { version: '2.4.1' })
      await world.until(minutes(30), 'its BMC is at work', () => world.rack.busy('srv'))
      await world.kube.delete(jobs, (await bios('srv')).status!.runningJob!)
      await inSync('srv', minutes(120))
      expect(runs('srv')).toBe('2.4.1')
    }, onA(make)))

  it('I23 lets a server be deleted in the middle of a job: the job stops, nothing is switched off', () =>
    firmwareStory(async ({ wishes, offers, says, bios, world, happened, server }) => {
      await offers('BIOS', 'BIOS', '2.4.1')
      await wishes('srv', { version: '2.4.1' })
      await world.until(minutes(30), 'its BMC is at work', () => world.rack.busy('srv'))
      const { uid } = (await server('srv')).metadata
      const counted = (await bios('srv')).status?.jobs ?? 0
      const before = happened('srv').length
      await world.kube.delete(servers, { name: 'srv-system-0' })
      // What needs no more leave may end well; whatever would need it stops.
      const ended = ({ status }: ServerBIOS): boolean =>
        ['Succeeded', 'Stopped'].includes(status?.lastJob?.outcome ?? '') &&
        (status?.lastJob?.program === 'bios-version-update' || (status?.jobs ?? 0) > counted)
      await says('srv', minutes(60), ended, 'its job is over')
      expect(
        happened('srv')
          .slice(before)
          .filter(({ what }) => what === 'reset'),
      ).toEqual([])
      await world.until(
        minutes(30),
        'its BMC has a new Server',
        async () => ![undefined, uid].includes((await world.kube.find(servers, { name: 'srv-system-0' }))?.metadata.uid),
      )
    }, onA(make)))

  it('FW-035 waits while nobody runs the image of its jobs, says which, and goes on when that is set right', () =>
    firmwareStory(async ({ wishes, offers, says, inSync, world, runs }) => {
      const image = (to: string) => world.kube.patch(jobRunners, { name: 'default' }, { merge: { spec: { image: to } } })
      const { spec } = await world.kube.get(jobRunners, { name: 'default' })
      await offers('BIOS', 'BIOS', '2.4.1')
      await image('nobody/has:this')
      await wishes('srv', { version: '2.4.1' })
      const waits = ({ status }: ServerBIOS): boolean => status?.conditions?.some(one => one.message.includes('nobody/has:this')) ?? false
      await says('srv', minutes(10), waits, 'its Job has not begun')
      await image(spec.image)
      await inSync('srv', minutes(120))
      expect(runs('srv')).toBe('2.4.1')
    }, onA(make)))

  it('FW-035 finishes the job that runs as it was begun where its runner changes meanwhile', () =>
    firmwareStory(async ({ wishes, offers, inSync, bios, world, runs }) => {
      await offers('BIOS', 'BIOS', '2.4.1')
      await wishes('srv', { version: '2.4.1' })
      await world.until(minutes(30), 'its BMC is at work', () => world.rack.busy('srv'))
      const before = (await bios('srv')).status?.runningJob
      const { spec } = await world.kube.get(jobRunners, { name: 'default' })
      await world.kube.patch(jobRunners, { name: 'default' }, { merge: { spec: { image: 'acme/jobs:1' } } })
      await world.until(minutes(120), 'that job is over', async () => (await bios('srv')).status?.runningJob?.name !== before?.name)
      expect(runs('srv')).toBe('2.4.1')
      await world.kube.patch(jobRunners, { name: 'default' }, { merge: { spec: { image: spec.image } } })
      await inSync('srv', minutes(120))
    }, onA(make)))

  it('I11 of two objects for it the older one has it, and the other says so and touches nothing', () =>
    firmwareStory(async ({ wishes, offers, inSync, says, world, runs }) => {
      await offers('BIOS', 'BIOS', '2.4.1')
      await offers('BIOS', 'BIOS', '2.5.0')
      await wishes('srv', { version: '2.4.1' })
      await world.clock.advance(minutes(1))
      await wishes('srv', { version: '2.5.0' }, 'second')
      const refused = ({ status }: ServerBIOS): boolean =>
        status?.conditions?.some(one => one.type === 'Accepted' && one.status === 'False') ?? false
      const { status } = await says('second', minutes(10), refused, 'it is refused')
      expect(JSON.stringify(status?.conditions)).toContain('srv')
      await inSync('srv', minutes(120))
      await world.clock.advance(minutes(60))
      expect([runs('srv'), (await world.kube.get(serverBioses, { name: 'second' })).status?.runningJob]).toEqual(['2.4.1', undefined])
    }, onA(make)))

  it('I13 X-020 hands no image with another digest to a BMC, and says so', () =>
    firmwareStory(async ({ wishes, offers, says, world, runs }) => {
      const old = runs('srv')
      await offers('BIOS', 'BIOS', '2.4.1', { other: true })
      await wishes('srv', { version: '2.4.1' })
      const { status } = await says('srv', minutes(60), ({ status: now }) => now?.trouble !== undefined, 'it is refused')
      expect(status?.trouble?.message).toMatch(/digest|sha256/i)
      expect(world.rack.busy('srv')).toBe(false)
      expect(runs('srv')).toBe(old)
    }, onA(make)))

  it('X-020 T-36 resets nothing for a setting that the machine does not have', () =>
    firmwareStory(async ({ wishes, says, happened }) => {
      const before = happened('srv').length
      await wishes('srv', { settings: { NoSuchThing: 1 } })
      const { status } = await says('srv', minutes(60), ({ status: now }) => now?.trouble !== undefined, 'it is refused')
      expect(status?.trouble?.message).toContain('no setting NoSuchThing')
      expect(happened('srv').slice(before)).toEqual([])
    }, onA(make)))
})
