import { describe, expect, it } from 'vitest'
import { hosts, images, secrets } from '../../src/controllers/metal3/resources.ts'
import { hours, minutes, seconds } from '../../src/core/duration.ts'
import { makesUnlessSaid } from '../makes.ts'
import { json } from '../scenarios/host-images/web.ts'
import { type Hosts, namespace, openHosts } from './hosts.ts'
import { type ImageStudio, openImageStudio } from './image-studio.ts'
import { expectMinimal } from './minimal.ts'
import { agentsUrl } from './ramdisk-world.ts'

const key = { name: 'srv-1', namespace }
const infraEnv = { 'infraenvs.agent-install.openshift.io': 'edge' }
const page = 'https://assisted.example/discovery.ign'
const assisted = { ignition: { version: '3.1.0' }, systemd: { units: [{ name: 'agent.service', enabled: false }] } }
const spec = { inspectionMode: 'agent', automatedCleaningMode: 'metadata', customDeploy: { method: 'start_assisted_install' } } as const

async function open(
  make = 'generic',
  labels: Readonly<Record<string, string>> = infraEnv,
): Promise<{ readonly world: Hosts; readonly studio: ImageStudio }> {
  const studio = openImageStudio(agentsUrl)
  studio.web.pages.set(page, json(assisted))
  const world = await openHosts([{ name: 'srv-1', personality: make }], { builds: true, ramdisk: {}, studio })
  await world.make('srv-1', spec, { labels })
  return { world, studio }
}
const image = (world: Hosts) => world.kube.find(images, key)
const asked = (world: Hosts) => world.until(minutes(10), 'its image is asked for', async () => (await image(world)) !== undefined)
/** What BMAC does. */
const annotate = (world: Hosts) =>
  world.kube.patch(images, key, { merge: { metadata: { annotations: { 'baremetal.openshift.io/ignition-override-uri': page } } } })
const gone = (world: Hosts, within = hours(1)) =>
  world.until(within, 'nothing is left', async () => (await world.host('srv-1')) === undefined && (await image(world)) === undefined)
const discs = ({ rack }: Hosts): readonly string[] =>
  Object.values(rack.machine('srv-1').media ?? {}).flatMap(({ image: disc }) => disc ?? [])

/** The whole way of every make is told in test/assisted. */
const makes = makesUnlessSaid('generic', 'openbmc')

describe('a host of an InfraEnv', () => {
  it.each(makes)(
    'ZT-005 ZT-012 ZT-014 ZT-016 ZT-025 ZT-036 ZT-044 ZT-050 of %s: its image waits for the annotation, both Ignitions are booted, it is installed from disk, the image is gone, and all of it again',
    async make => {
      const { world, studio } = await open(make)
      await asked(world)
      await world.clock.advance(minutes(5))
      expect([studio.booted.length, await world.state('srv-1')], 'it waits').toEqual([0, 'inspecting'])
      await annotate(world)
      await world.reaches('srv-1', 'provisioned', hours(2))
      const units = (studio.booted[0] as { systemd: { units: { name: string }[] } }).systemd.units.map(({ name }) => name)
      expect(units).toEqual(['ironic-agent.service', 'agent.service'])
      expect(world.rack.machine('srv-1').disk?.os).toBe('assisted')
      await world.until(minutes(5), 'its image is gone', async () => (await image(world)) === undefined)
      expect(discs(world)).toEqual([])
      // Given back and taken again, as when it is unbound.
      await world.change('srv-1', { spec: { customDeploy: null } })
      await asked(world)
      await annotate(world)
      await world.reaches('srv-1', 'available', hours(2))
      await world.change('srv-1', { spec: { customDeploy: { method: 'start_assisted_install' } } })
      await world.until(minutes(10), 'its image is asked for again', async () => (await image(world)) !== undefined)
      await annotate(world)
      await world.reaches('srv-1', 'provisioned', hours(2))
      await world.stop()
    },
  )
  it('ZT-019 boots the minimal disc where it asks for that', async () => {
    const { world, studio } = await open('generic', { ...infraEnv, 'metal.rackwright.dev/live-iso': 'minimal' })
    await asked(world)
    await annotate(world)
    await world.reaches('srv-1', 'provisioned', hours(2))
    expectMinimal(studio)
    await world.stop()
  })
  it('ZT-021 ZT-022 waits while its Ignition cannot be read, and says so on the host', async () => {
    const { world, studio } = await open()
    studio.web.pages.delete(page)
    await asked(world)
    await annotate(world)
    await world.until(minutes(10), 'it is told', async () => ((await world.host('srv-1'))?.status?.errorMessage ?? '').includes('404'))
    studio.web.pages.set(page, json(assisted))
    await world.reaches('srv-1', 'provisioned', hours(3))
    await world.stop()
  })

  /** Brings a host to a state and holds it there. */
  const until: Readonly<Record<string, (world: Hosts) => Promise<void>>> = {
    registering: async () => {},
    'inspecting, without the annotation': asked,
    'inspecting, while it is built': async world => {
      await asked(world)
      await annotate(world)
      await world.clock.advance(seconds(30))
    },
    provisioning: async world => {
      await asked(world)
      await annotate(world)
      await world.reaches('srv-1', 'provisioning', hours(1))
    },
    provisioned: async world => {
      await asked(world)
      await annotate(world)
      await world.reaches('srv-1', 'provisioned', hours(2))
    },
    deprovisioning: async world => {
      await until['provisioned']!(world)
      await world.change('srv-1', { spec: { customDeploy: null } })
      await asked(world)
    },
  }
  for (const [state, bring] of Object.entries(until)) {
    it(`T-67 I23 is deleted while it is ${state}, the annotation never set again: the deletion ends, and nothing is left`, async () => {
      const { world } = await open()
      await bring(world)
      await world.remove('srv-1')
      await gone(world, hours(3))
      expect(discs(world)).toEqual([])
      await world.stop()
    })
    it(`T-67 I23 its namespace is deleted while it is ${state}: everything in it goes`, async () => {
      const { world } = await open()
      await bring(world)
      // As whoever empties a namespace does it: all at once, in no order.
      const all = [hosts, images, secrets]
      for (const of of all)
        for (const { metadata } of await world.kube.list(of, { namespace }).then(({ items }) => items))
          await world.kube.delete(of, { namespace, name: metadata.name })
      await gone(world, hours(3))
      await world.stop()
    })
    it(`T-67 loses its InfraEnv while it is ${state}: it goes on without`, async () => {
      const { world } = await open()
      await bring(world)
      await world.change('srv-1', { metadata: { labels: { 'infraenvs.agent-install.openshift.io': null } } })
      await world.until(hours(3), 'it has come to rest', async () =>
        ['provisioned', 'available'].includes((await world.state('srv-1')) ?? ''),
      )
      await world.remove('srv-1')
      await gone(world, hours(3))
      await world.stop()
    })
    it(`T-67 its image is deleted in the foreground while it is ${state}: it ends, or is made anew`, async () => {
      const { world } = await open()
      await bring(world)
      const before = (await image(world))?.metadata.uid
      if (before !== undefined) await world.kube.delete(images, key, { propagation: 'Foreground' })
      await world.until(
        hours(1),
        'it is gone or another',
        async () => (await image(world))?.metadata.uid !== before || before === undefined,
      )
      await world.remove('srv-1')
      await gone(world, hours(3))
      await world.stop()
    })
  }
})

it('a host whose management controller refuses the disc is told so after a few tries, not asked without end', async () => {
  const world = await openHosts([{ name: 'srv-1', personality: 'openbmc' }])
  // Its firmware takes https alone, and says so.
  await world.make('srv-1', { image: { url: 'http://images.example/live.iso', format: 'live-iso' } })
  await world.until(hours(1), 'it is told', async () => (await world.host('srv-1'))?.status?.errorType === 'provisioning error')
  await world.stop()
})
