import { describe, expect, it } from 'vitest'
import { bmcs, claims, configurations, maintenances, servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import type { ResourceRef } from '../../src/ports/index.ts'
import { secrets } from './rack.ts'
import { story, type Words } from './story.ts'

const metal = 'metal.ironcore.dev/v1alpha1'
const key = (name: string) => ({ name, namespace: 'default' })
const events: ResourceRef = { group: 'events.k8s.io', version: 'v1', plural: 'events', namespaced: true }
const canary = (of: string): string => `canary-${of}-5c1f0e`

const secret = ({ world }: Words, name: string, ignition: string) =>
  world.kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: key(name), stringData: { ignition } })
const userData = (of: string): string =>
  JSON.stringify({ ignition: { version: '3.4.0' }, passwd: { users: [{ name: 'core', passwordHash: canary(of) }] } })

/** Everything that this program said in a story, to whomever: what it logged, wrote, counted and answered for itself. */
async function said({ world }: Words): Promise<string> {
  const { items } = await world.kube.list(events)
  const kept = await Promise.all([bmcs, servers, claims, configurations, maintenances].map(of => world.kube.list(of as ResourceRef)))
  return JSON.stringify([
    world.logged,
    world.asked.filter(({ method }) => method !== 'GET'),
    items,
    kept.map(list => list.items),
    await world.running.metrics(),
    world.boot.metrics(),
  ])
}

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
      await secret(words, 'claim', userData('claim'))
      await secret(words, 'work', userData('work'))
      await when.claims('c1', { ignitionSecretRef: { name: 'claim' } })
      await then.runsFrom('srv-1', 'Hdd', minutes(40))
      for (const fault of ['stale-session', 'session-cap', 'server-error'] as const) world.rack.fault('srv-1', fault, { times: 2 })
      await maintain(words)
      await then.runsFrom('srv-1', 'UefiHttp', minutes(40))
      await then.server('srv-1', minutes(10), { state: 'Maintenance' })
      await world.kube.delete(maintenances, key('work'))
      await then.server('srv-1', minutes(40), { state: 'Reserved' })
      await then.runsFrom('srv-1', 'Hdd', minutes(40))
      const text = await said(words)
      const fetched = (await words.configuration('c1'))?.status?.served?.fetches?.map(({ what }) => what)
      expect(text, 'its BMC really refused').toMatch(/Cannot/)
      expect(fetched, 'its user data was really fetched').toContain('ignition')
      expect(text.match(/canary-\w+/g) ?? []).toEqual([])
      expect(text.match(/\/boot\/[\w-]+\.[\w-]+/g) ?? [], 'no ticket').toEqual([])
    }))
  it('also where user data cannot be read: it is said that they are wrong, and not what they are', () =>
    story(async words => {
      await secret(words, 'claim', `{"ignition": {"version": "3.4.0"}, "passwd": ${canary('broken')}`)
      await words.when.claims('c1', { ignitionSecretRef: { name: 'claim' } })
      await words.world.clock.advance(minutes(30))
      const text = await said(words)
      expect(text, 'it is said').toContain('User data cannot be served')
      expect(text.match(/canary-\w+/g) ?? []).toEqual([])
    }))
})
