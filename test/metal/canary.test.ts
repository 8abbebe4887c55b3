import { describe, expect, it } from 'vitest'
import { maintenances } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { canary, canaryUserData, leaksIn, said } from './canaries.ts'
import { openMetalRack, secrets } from './rack.ts'
import { story, type Words } from './story.ts'

const metal = 'metal.ironcore.dev/v1alpha1'
const key = (name: string) => ({ name, namespace: 'default' })

const secret = ({ world }: Words, name: string, ignition: string) =>
  world.kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: key(name), stringData: { ignition } })
async function maintain({ world }: Words): Promise<void> {
  await world.kube.create(maintenances, {
    apiVersion: metal,
    kind: 'ServerMaintenance',
    metadata: key('work'),
    spec: {
      serverRef: { name: 'srv-1-system-0' },
      policy: 'Enforced',
      priority: 0,
      serverPower: 'On',
      serverBootConfigurationTemplate: {
        spec: { image: 'live:1', ignitionSecretRef: { name: 'work' }, bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' } },
      },
    },
  } as never)
  await world.clock.settle()
}

describe('S11 I30 a secret is in no log, event, status, metric or error', () => {
  it('of a claim, of a maintenance over it, and of their BMC, which refuses us now and then', () =>
    story(async words => {
      const { when, then, world } = words
      world.rack.setPassword('srv-1', canary('bmc'))
      await secret(words, 'claim', canaryUserData('claim'))
      await secret(words, 'work', canaryUserData('work'))
      await when.claims('c1', { ignitionSecretRef: { name: 'claim' } })
      await then.runsFrom('srv-1', 'Hdd', minutes(40))
      for (const fault of ['stale-session', 'session-cap', 'server-error'] as const) world.rack.fault('srv-1', fault, { times: 2 })
      await maintain(words)
      await then.runsFrom('srv-1', 'UefiHttp', minutes(40))
      await then.server('srv-1', minutes(10), { state: 'Maintenance' })
      await world.kube.delete(maintenances, key('work'))
      await then.server('srv-1', minutes(40), { state: 'Reserved' })
      await then.runsFrom('srv-1', 'Hdd', minutes(40))
      const text = await said(words.world)
      const fetched = (await words.configuration('c1'))?.status?.served?.fetches?.map(({ what }) => what)
      expect(text, 'its BMC really refused').toMatch(/Cannot/)
      expect(fetched, 'its user data was really fetched').toContain('ignition')
      expect(leaksIn(text)).toEqual([])
      expect(text.match(/\/boot\/[\w-]+\.[\w-]+/g) ?? [], 'no ticket').toEqual([])
    }))
  it('also where user data cannot be read: it is said that they are wrong, and not what they are', () =>
    story(async words => {
      await secret(words, 'claim', `{"ignition": {"version": "3.4.0"}, "passwd": ${canary('broken')}`)
      await words.when.claims('c1', { ignitionSecretRef: { name: 'claim' } })
      await words.world.clock.advance(minutes(30))
      const text = await said(words.world)
      expect(text, 'it is said').toContain('User data cannot be served')
      expect(leaksIn(text)).toEqual([])
    }))
  it('and a story in which one is told fails', async () => {
    const world = await openMetalRack()
    world.log.info('logs in', { password: world.rack.password('srv-1') })
    await expect(world.stop()).rejects.toThrow('S11 I30 a secret was told: canary-bmc')
  })
})
