import { describe, expect, it } from 'vitest'
import { claims, maintenances, servers } from '../../../src/controllers/metal/resources.ts'
import { minutes } from '../../../src/core/duration.ts'
import { story, type Words } from '../story.ts'

const metal = 'metal.ironcore.dev/v1alpha1'
const key = (name: string) => ({ name, namespace: 'default' })
const serverKey = { name: 'srv-1-system-0' }

async function maintain({ world }: Words, name: string, spec: object = {}): Promise<void> {
  const template = { spec: { image: 'live:1', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' } } }
  await world.kube.create(maintenances, {
    apiVersion: metal,
    kind: 'ServerMaintenance',
    metadata: key(name),
    spec: { serverRef: serverKey, policy: 'Enforced', serverPower: 'On', serverBootConfigurationTemplate: template, ...spec },
  } as never)
  await world.clock.settle()
}
const end = async ({ world }: Words, name: string): Promise<void> => {
  await world.kube.delete(maintenances, key(name))
  await world.clock.settle()
}
const stateOf = async ({ world }: Words, name: string) => (await world.kube.get(maintenances, key(name))).status?.state
const gone = ({ world }: Words, name: string) =>
  world.until(minutes(20), `${name} is gone`, async () => (await world.kube.find(maintenances, key(name))) === undefined)
const holder = async ({ server }: Words) => (await server('srv-1')).spec.serverMaintenanceRef?.name
const runsLive = ({ world }: Words) =>
  world.until(minutes(20), 'its image runs', () => {
    const { stage, source } = world.rack.machine('srv-1')
    return stage === 'running' && source === 'UefiHttp'
  })

const said = ({ world }: Words) => world.running.history(servers, serverKey).map(({ because }) => because)

describe('a maintenance', () => {
  it('of a server that nobody has claimed leads back to Initial when it is over, and the server is discovered anew', () =>
    story(async words => {
      const { then, boots } = words
      await maintain(words, 'work')
      await then.server('srv-1', minutes(10), { state: 'Maintenance' })
      await runsLive(words)
      await end(words, 'work')
      await gone(words, 'work')
      await then.server('srv-1', minutes(20), { state: 'Available', powerState: 'Off' })
      expect(said(words)).toContain('Maintenance → Initial: the maintenance is over')
      expect(boots('srv-1')).toEqual(['Pxe', 'UefiHttp', 'Pxe'])
    }))

  it('waits for a server that is being discovered, also where it is enforced, and begins when that is over', () =>
    story(
      async words => {
        const { then, world } = words
        await then.server('srv-1', minutes(10), { state: 'Discovery' })
        await maintain(words, 'work')
        expect(await stateOf(words, 'work')).toBe('Pending')
        expect((await world.kube.get(maintenances, key('work'))).status?.conditions).toContainEqual(
          expect.objectContaining({ type: 'Held', status: 'False', reason: 'ServerNotReady' }),
        )
        await then.server('srv-1', minutes(20), { state: 'Maintenance' })
        expect(await stateOf(words, 'work')).toBe('InMaintenance')
      },
      { undiscovered: true },
    ))

  it('for a server that is not there is Pending, and goes when it is deleted', () =>
    story(async words => {
      const { then, world } = words
      await maintain(words, 'work', { serverRef: { name: 'srv-9-system-0' } })
      expect(await stateOf(words, 'work')).toBe('Pending')
      await end(words, 'work')
      await gone(words, 'work')
      expect(await world.kube.find(maintenances, key('work'))).toBeUndefined()
      expect(await holder(words)).toBeUndefined()
      await then.server('srv-1', 0, { state: 'Available' })
    }))

  for (const [first, second] of [
    ['OwnerApproval', 'Enforced'],
    ['Enforced', 'OwnerApproval'],
  ] as const)
    it(`#775 #969 an ${second} one of the highest priority takes nothing from an ${first} one; the server stays in Maintenance between the two`, () =>
      story(async words => {
        const { then, boots } = words
        await maintain(words, 'work', { policy: first })
        await runsLive(words)
        await maintain(words, 'urgent', { policy: second, priority: 100 })
        await words.when.passes(minutes(10))
        expect([await holder(words), await stateOf(words, 'work'), await stateOf(words, 'urgent')]).toEqual([
          'work',
          'InMaintenance',
          'Pending',
        ])
        const states = new Set<string | undefined>()
        await end(words, 'work')
        await then.server(
          'srv-1',
          minutes(20),
          ({ spec, status }) => {
            states.add(status?.state)
            return spec.serverMaintenanceRef?.name === 'urgent'
          },
          'the next one holds it',
        )
        expect([...states]).toEqual(['Maintenance'])
        await runsLive(words)
        await end(words, 'urgent')
        await then.server('srv-1', minutes(30), { state: 'Available' })
        expect(boots('srv-1').filter(from => from === 'UefiHttp')).toHaveLength(2)
      }))

  it('of several the highest priority goes first, and one without counts as 0', () =>
    story(async words => {
      const order: string[] = []
      await maintain(words, 'first')
      await runsLive(words)
      await maintain(words, 'plain')
      await maintain(words, 'low', { priority: -1 })
      await maintain(words, 'high', { priority: 1 })
      for (let held = await holder(words); held !== undefined && order.length < 4; held = await holder(words)) {
        order.push(held)
        await end(words, held)
        await words.then.server('srv-1', minutes(20), ({ spec }) => spec.serverMaintenanceRef?.name !== held, 'is let go')
        if (order.length < 4)
          await words.then.server('srv-1', minutes(5), ({ spec }) => spec.serverMaintenanceRef !== undefined, 'is taken')
      }
      expect(order).toEqual(['first', 'high', 'plain', 'low'])
    }))

  it('whose server is deleted ends when it is deleted, too, and its server is not switched off by that', () =>
    story(async words => {
      const { world, when } = words
      await maintain(words, 'work')
      await runsLive(words)
      await world.kube.delete({ group: 'metal.ironcore.dev', version: 'v1alpha1', plural: 'bmcs', namespaced: false }, { name: 'srv-1' })
      await world.kube.delete(servers, serverKey)
      await when.passes(minutes(12))
      expect(await world.kube.find(servers, serverKey)).toBeUndefined()
      expect(await stateOf(words, 'work')).toBe('Pending')
      expect(world.rack.machine('srv-1').power).toBe('On')
      await end(words, 'work')
      await gone(words, 'work')
    }))

  it('that goes without a word, its finalizer taken off by somebody, lets its server go all the same: off, nothing armed', () =>
    story(async words => {
      const { world, then, happened } = words
      await maintain(words, 'work')
      await runsLive(words)
      const before = world.clock.now()
      await world.kube.delete(maintenances, key('work'))
      await world.kube.patch(maintenances, key('work'), { merge: { metadata: { finalizers: null } } })
      await world.clock.settle()
      expect(await world.kube.find(maintenances, key('work'))).toBeUndefined()
      await then.server('srv-1', minutes(30), { state: 'Available' })
      const steps = ['nothing stays armed', 'its maintenance is over: it is let go']
      expect(said(words).filter(because => steps.includes(because))).toEqual(steps)
      expect(happened('srv-1').find(event => event.what === 'power' && event.at > before)).toMatchObject({
        to: 'Off',
        by: 'GracefulShutdown',
      })
    }))

  it('whose server loses its status goes on: the server is not discovered under it', () =>
    story(async words => {
      const { world, then, boots } = words
      await maintain(words, 'work')
      await runsLive(words)
      const lost = { state: null, stateSince: null, boot: null, stopping: null, powerState: null }
      await world.kube.patch(servers, serverKey, { merge: { status: lost } }, { subresource: 'status' })
      await then.server('srv-1', minutes(5), { state: 'Maintenance' })
      await then.server('srv-1', minutes(20), { boot: { purpose: 'Maintenance', step: 'Running' } as never })
      expect(boots('srv-1').slice(1)).not.toContain('Pxe')
    }))

  it('#300 #455 a claim’s wish for power counts for nothing while it lasts, nor between it and the next', () =>
    story(async words => {
      const { when, then, world, boots } = words
      await when.claims('c1')
      await then.runsFrom('srv-1', 'Hdd', minutes(25))
      await maintain(words, 'work', { serverPower: 'Off', serverBootConfigurationTemplate: undefined })
      await then.server('srv-1', minutes(15), { state: 'Maintenance', powerState: 'Off' })
      const before = boots('srv-1').length
      await world.kube.patch(claims, key('c1'), { merge: { spec: { power: 'Off' } } })
      await world.kube.patch(claims, key('c1'), { merge: { spec: { power: 'On' } } })
      await when.passes(minutes(60))
      expect(boots('srv-1')).toHaveLength(before)
      await end(words, 'work')
      await then.runsFrom('srv-1', 'Hdd', minutes(20))
      expect(boots('srv-1').slice(before)).toEqual(['Hdd'])
    }))

  it('#989 the owner’s agreement holds for the whole queue, and is taken back with the last of it', () =>
    story(async words => {
      const { when, then, world } = words
      await when.claims('c1')
      await then.runsFrom('srv-1', 'Hdd', minutes(25))
      await maintain(words, 'one', { policy: 'OwnerApproval' })
      await maintain(words, 'two', { policy: 'OwnerApproval' })
      const approved = { 'metal.ironcore.dev/maintenance-approved': 'true' }
      await world.kube.patch(claims, key('c1'), { merge: { metadata: { labels: approved } } })
      await then.server('srv-1', minutes(15), ({ spec }) => spec.serverMaintenanceRef?.name === 'one', 'the first has it')
      await runsLive(words)
      await end(words, 'one')
      await then.server('srv-1', minutes(20), ({ spec }) => spec.serverMaintenanceRef?.name === 'two', 'the second has it')
      await end(words, 'two')
      await gone(words, 'two')
      await then.runsFrom('srv-1', 'Hdd', minutes(20))
      expect(Object.keys((await world.kube.get(claims, key('c1'))).metadata.labels ?? {})).toEqual([])
    }))
})
