import { describe, expect, it } from 'vitest'
import { endpointController } from '../../../src/controllers/metal/endpoint/index.ts'
import { bmcs, configurations, type Endpoint, endpoints, type Server, servers } from '../../../src/controllers/metal/resources.ts'
import { minutes, seconds } from '../../../src/core/duration.ts'
import { secrets, system } from '../rack.ts'
import { story, type Words } from '../story.ts'

const metal = 'metal.ironcore.dev/v1alpha1'
const bmcKey = { name: 'srv-1' }
const key = { name: 'srv-1-system-0' }
const operation = 'metal.ironcore.dev/operation'
const prefixes = [
  {
    macPrefix: '52:54:00',
    manufacturer: 'QEMU',
    protocol: { name: 'Redfish', port: 443 },
    credentials: { name: 'factory', kind: 'BMCSecret' },
  } as const,
]

describe('a BMC', () => {
  it('of an Endpoint that DHCP saw gets a Server, which is discovered', () =>
    story(
      async ({ world, then }) => {
        await world.kube.delete(bmcs, bmcKey)
        const more = world.controllers()
        more.add(kube => endpointController({ kube, prefixes }))
        more.start()
        await world.kube.create(endpoints, {
          apiVersion: metal,
          kind: 'Endpoint',
          metadata: bmcKey,
          spec: { macAddress: '52:54:00:00:00:01', ip: '10.1.0.7' },
        } as Endpoint)
        await then.server('srv-1', minutes(30), { state: 'Available' })
        expect(await world.kube.get(bmcs, bmcKey)).toMatchObject({
          spec: { endpointRef: { name: 'srv-1' } },
          status: { ip: '10.1.0.7' },
        })
        await more.stop()
      },
      { undiscovered: true },
    ))

  it('hands its labels to the Server that is made for it; what somebody says of the Server later stays', () =>
    story(
      async ({ world, when, server }) => {
        const ofRack = { rack: 'rack-1' }
        await world.kube.delete(bmcs, bmcKey)
        await world.kube.create(bmcs, {
          apiVersion: metal,
          kind: 'BMC',
          metadata: { ...bmcKey, labels: ofRack },
          spec: { access: { ip: '10.1.0.1' }, bmcSecretRef: { name: 'srv-1' }, protocol: { name: 'Redfish', port: 443 } },
        } as never)
        await when.passes(minutes(1))
        expect((await server('srv-1')).metadata.labels).toEqual(ofRack)
        await world.kube.patch(servers, key, { merge: { metadata: { labels: { rack: 'moved' } } } })
        await when.passes(minutes(10))
        expect((await server('srv-1')).metadata.labels).toEqual({ rack: 'moved' })
      },
      { undiscovered: true },
    ))

  const asks = async ({ world }: Words, what: string): Promise<void> => {
    await world.kube.patch(bmcs, bmcKey, { merge: { metadata: { annotations: { [operation]: what } } } })
    await world.clock.settle()
  }
  it('is restarted once when somebody asks, and its machine runs on', () =>
    story(async words => {
      const { world, when, then, happened } = words
      await when.claims('c1')
      await then.runsFrom('srv-1', 'Hdd', minutes(25))
      await asks(words, 'graceful-restart-bmc')
      await when.passes(minutes(20))
      expect(happened('srv-1').filter(({ what }) => what === 'bmc-restarts')).toHaveLength(1)
      expect((await world.kube.get(bmcs, bmcKey)).metadata.annotations?.[operation]).toBeUndefined()
      expect(world.rack.machine('srv-1')).toMatchObject({ power: 'On', stage: 'running' })
      await then.server('srv-1', 0, { state: 'Reserved' })
    }))
  it('that is asked for something nobody knows says so once, and is not restarted', () =>
    story(async words => {
      const { world, when, happened } = words
      await asks(words, 'force-ssh-reset-bmc')
      await when.passes(minutes(5))
      expect((await world.kube.get(bmcs, bmcKey)).metadata.annotations?.[operation]).toBeUndefined()
      const events = (await world.kube.list({ group: '', version: 'v1', plural: 'events', namespaced: true })).items
      expect(events.filter(event => event['reason'] === 'UnsupportedOperation')).toHaveLength(1)
      expect(happened('srv-1').filter(({ what }) => what === 'bmc-restarts')).toEqual([])
    }))
})

describe('a Server', () => {
  it('that names no BMC object waits, and says that it needs one, also where it has an address of its own', () =>
    story(async ({ world, when }) => {
      const access = { address: '10.1.0.9', protocol: { name: 'Redfish', port: 443 }, bmcSecretRef: { name: 'srv-9' } }
      for (const [name, bmc] of [
        ['plain', undefined],
        ['inline', access],
      ] as const)
        await world.kube.create(servers, {
          apiVersion: metal,
          kind: 'Server',
          metadata: { name },
          spec: { systemUUID: `5111ac4e-0000-4000-8000-00000000000${name.length}`, ...(bmc ? { bmc } : {}) },
        } as unknown as Server)
      await when.passes(minutes(5))
      for (const name of ['plain', 'inline']) {
        const { status } = await world.kube.get(servers, { name })
        expect(status).toMatchObject({ state: 'Initial' })
        expect(status?.conditions).toContainEqual(
          expect.objectContaining({ type: 'Reachable', status: 'False', message: expect.stringContaining('spec.bmcRef') }),
        )
      }
    }))

  it('no. 20: makes nothing anew while it is being discovered: one configuration, which stays as it is, and no secret', () =>
    story(
      async ({ world, then, when }) => {
        await then.server('srv-1', minutes(10), { state: 'Discovery', boot: { step: 'Running' } as never })
        const uids = new Set<string | undefined>()
        for (let n = 0; n < 12; n += 1) {
          const found = await world.kube.find(configurations, { namespace: system, name: `discovery-${key.name}` })
          if (found) uids.add(`${found.metadata.uid} ${found.metadata.generation}`)
          await when.passes(seconds(10))
        }
        await then.server('srv-1', minutes(20), { state: 'Available' })
        expect(uids.size).toBe(1)
        expect((await world.kube.list(secrets, { namespace: system })).items).toEqual([])
        const made = world.asked.filter(({ method, path }) => method === 'POST' && path.includes('/serverbootconfigurations'))
        expect(made).toHaveLength(1)
      },
      { undiscovered: true },
    ))
})
