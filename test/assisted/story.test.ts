import { describe, expect, it } from 'vitest'
import { firmwareSettings, secrets } from '../../src/controllers/metal3/resources.ts'
import { conditionOf } from '../../src/core/condition.ts'
import { hours, minutes, seconds } from '../../src/core/duration.ts'
import { rootfsOf } from '../../src/sim/machine/coreos-disc.ts'
import { makes as makeTraits } from '../contracts/bmc/makes.ts'
import { makesUnlessSaid } from '../makes.ts'
import { liveIso, namespace } from '../metal3/hosts.ts'
import { expectMinimal } from '../metal3/minimal.ts'
import { osImage } from '../metal3/ramdisk-world.ts'
import { base } from '../scenarios/host-images/base.ts'
import { type Assisted, bmac, openAssisted } from './world.ts'

const makes = makesUnlessSaid('generic', 'dell')
const ways = ['full ISO', 'minimal ISO', 'iPXE'] as const
const method = { method: 'start_assisted_install' }

const boots = ({ events }: Assisted, server = 'srv-1') =>
  events.flatMap(event => (event.what === 'boots' && event.server === server ? [event.from] : []))
const unitsBooted = ({ studio }: Assisted) =>
  (studio.booted[0] as { systemd: { units: { name: string; enabled: boolean }[] } }).systemd.units.map(({ name, enabled }) => [
    name,
    enabled,
  ])

/** From where it stands until a person has said which cluster it joins, and it runs from its disk. */
async function installs(world: Assisted): Promise<void> {
  await world.says('WaitingForPerson', hours(2))
  await world.bind()
  await world.reaches('srv-1', 'provisioned', hours(1))
}

describe('a host of an InfraEnv, from its management controller to a node on disk', () => {
  it.each(makes.flatMap(make => ways.map(way => [make, way] as const)))(
    'ZT-001 ZT-002 ZT-005 ZT-006 ZT-007 ZT-009 ZT-011 ZT-061 ZT-037 ZT-048 T-73 ZT-025 ZT-029 ZT-031 ZT-036 ZT-042 ZT-050 ZT-057 ZT-018 ZT-019 BM-12 of %s by %s: inspected, installed by its agent, unbound, given back, installed again',
    async (make, way) => {
      const world = await openAssisted([{ name: 'srv-1', personality: make }])
      const settings = makeTraits[make]!.bios!.change! as Readonly<Record<string, string | number>>
      const bios = () => ({ ...world.rack.machine('srv-1').model.bios, ...world.rack.machine('srv-1').bios })
      expect(bios()).not.toMatchObject(settings)
      await world.kube.create(firmwareSettings, {
        apiVersion: 'metal3.io/v1alpha1',
        kind: 'HostFirmwareSettings',
        metadata: { name: 'srv-1', namespace },
        spec: { settings },
      } as never)
      const raid = { softwareRAIDVolumes: [{ level: '1', sizeGibibytes: 100 }, { level: '0' }] }
      const bmc = way === 'iPXE' ? { bmc: { address: 'redfish://srv-1', credentialsName: 'srv-1-bmc' } } : {}
      await world.link('srv-1', { raid, ...bmc }, way === 'minimal ISO' ? { labels: { 'metal.rackwright.dev/live-iso': 'minimal' } } : {})
      await world.until(minutes(10), 'its image is asked for', async () => (await world.image()) !== undefined)
      await world.clock.advance(seconds(50))
      expect(world.studio.booted, 'ZT-016 ZT-017 its image is not a minute old').toEqual([])
      await world.until(hours(1), 'its volumes are made', () => world.rack.machine('srv-1').volumes?.length === 2)
      expect(
        [(await world.hardware('srv-1')) !== undefined, await world.agent()],
        'ZT-037 it is inspected and set up, and no assisted agent has run',
      ).toEqual([true, undefined])
      await world.says('WaitingForPerson', hours(2))
      expect(unitsBooted(world), 'ZT-009 ZT-038 ZT-061 two agents, of which the boot starts one').toEqual([
        ['ironic-agent.service', true],
        ['agent.service', false],
        ['assisted-autostart.service', true],
      ])
      expect(await world.hardware('srv-1'), 'ZT-032 what it is made of comes from its inspection').toMatchObject({ ramMebibytes: 262_144 })
      expect(bios(), 'ZT-011 ZT-048 its firmware is as it is wanted, before anybody has approved of it').toMatchObject(settings)
      expect(world.rack.machine('srv-1').volumes, 'ZT-002 and so are its volumes').toHaveLength(2)
      await world.bind()
      await world.reaches('srv-1', 'provisioned', hours(1))
      expect([world.rack.machine('srv-1').disk?.os, world.discs()]).toEqual(['assisted', []])
      await world.until(minutes(20), 'it runs what was installed', () => boots(world).at(-1) === 'Hdd')
      await world.until(minutes(5), 'its image is gone', async () => (await world.image()) === undefined)
      await world.says('Installed')
      const written = (await world.host('srv-1'))?.metadata
      expect(
        Object.keys(written?.annotations ?? {}),
        'ZT-028 ZT-030 BM-10 nothing is written on the host but its wish, and it is not detached',
      ).toEqual([])
      await world.service().unbind({ name: (await world.agent())?.metadata.name ?? '', namespace })
      await world.reaches('srv-1', 'deprovisioning', minutes(5))
      await world.until(hours(1), 'ZT-007 a step of the agent’s own managers empties its disk', () =>
        world.events.some(({ what }) => what === 'wiped'),
      )
      await installs(world)
      expect(world.discs()).toEqual([])
      await world.until(minutes(20), 'it runs what was installed', () => boots(world).at(-1) === 'Hdd')
      expect(new Set(boots(world)), 'it boots from there and from its disk, and from nowhere else').toEqual(
        new Set([way === 'iPXE' ? 'Pxe' : 'Cd', 'Hdd']),
      )
      if (way === 'minimal ISO') expectMinimal(world.studio)
      await world.stop()
    },
  )
  it.each(makes)(
    'ZT-002 ZT-018 ZT-049 ZT-057 AP-03 of %s boots by iPXE where it has no virtual media, with the same two Ignitions',
    async make => {
      const world = await openAssisted([{ name: 'srv-1', personality: make }])
      const bmc = { address: 'redfish://srv-1', credentialsName: 'srv-1-bmc' }
      await world.link('srv-1', { bmc })
      await installs(world)
      await world.until(minutes(20), 'it runs what was installed', () => boots(world).at(-1) === 'Hdd')
      expect(boots(world)).toEqual(['Pxe', 'Pxe', 'Hdd'])
      expect(unitsBooted(world).map(([name]) => name)).toContain('agent.service')
      await world.stop()
    },
  )
  it('ZT-044 BM-05 BM-08 with customDeploy there from the very beginning, and with what it says of its Agent', async () => {
    const world = await openAssisted()
    const annotations = { [bmac('role')]: 'master', [bmac('hostname')]: 'edge-0', [bmac('cluster-reference')]: `${namespace}/edge` }
    await world.link('srv-1', { customDeploy: method, rootDeviceHints: { rotational: false } }, { annotations })
    await world.reaches('srv-1', 'provisioned', hours(2))
    const agent = await world.agent()
    expect(agent?.spec).toMatchObject({
      approved: true,
      role: 'master',
      hostname: 'edge-0',
      installation_disk_id: expect.stringContaining('wwn'),
    })
    expect(agent?.metadata.labels).toMatchObject({ 'agent-install.openshift.io/bmh': 'srv-1' })
    const { resourceVersion } = agent!.metadata
    await world.clock.advance(hours(1))
    expect((await world.agent())?.metadata.resourceVersion, 'BM-05 another look writes nothing').toBe(resourceVersion)
    await world.stop()
  })
  it('ZT-052 ZT-054 a host with a live ISO and one without InfraEnv beside it are installed as ever', async () => {
    const world = await openAssisted([{ name: 'srv-1' }, { name: 'srv-2' }, { name: 'srv-3' }])
    const disc = { url: liveIso, format: 'live-iso' as const }
    await world.link('srv-1')
    await world.link('srv-2', { image: disc, inspectionMode: 'fast', automatedCleaningMode: 'disabled' })
    await world.make('srv-3', { image: disc })
    await world.reaches('srv-2', 'provisioned', hours(1))
    await world.reaches('srv-3', 'provisioned', hours(1))
    await installs(world)
    expect((await world.said('srv-2'))?.reason).toBe('OwnImage')
    expect(await world.said('srv-3')).toBeUndefined()
    expect([world.discs('srv-2'), world.discs('srv-3')]).toEqual([[liveIso], [liveIso]])
    for (const name of ['srv-2', 'srv-3']) expect((await world.host(name))?.spec?.customDeploy).toBeUndefined()
    await world.stop()
  })
  it('ZT-008 passes the states of any host that an agent installs, and no others', async () => {
    const world = await openAssisted([{ name: 'srv-1' }, { name: 'srv-2' }], { infraEnv: { clusterRef: { name: 'edge', namespace } } })
    const spec = { inspectionMode: 'agent', automatedCleaningMode: 'metadata' } as const
    await world.link('srv-1', spec)
    await world.make('srv-2', { ...spec, image: osImage })
    const passed = { 'srv-1': new Set<string>(), 'srv-2': new Set<string>() }
    await world.until(hours(2), 'both are installed', async () => {
      for (const name of ['srv-1', 'srv-2'] as const) passed[name].add((await world.state(name)) ?? '')
      return passed['srv-1'].has('provisioned') && passed['srv-2'].has('provisioned')
    })
    const history = async (name: string) => Object.keys((await world.host(name))?.status?.operationHistory ?? {})
    expect(await history('srv-1')).toEqual(await history('srv-2'))
    const usual = ['', 'registering', 'inspecting', 'preparing', 'available', 'provisioning', 'provisioned']
    for (const states of Object.values(passed)) expect(usual).toEqual(expect.arrayContaining([...states]))
    await world.stop()
  })
  it('ZT-020 T-73 boots the hub’s CoreOS, whatever version its InfraEnv names, and that is said', async () => {
    const world = await openAssisted(undefined, { infraEnv: { osImageVersion: '4.99' } })
    await world.link('srv-1', {}, { labels: { 'metal.rackwright.dev/live-iso': 'minimal' } })
    await installs(world)
    for (const loaded of world.studio.loaded) expect(rootfsOf(loaded)).toContain(`/${base.digest}/`)
    expect(conditionOf((await world.infraEnv())?.status, 'ImageCreated')?.message).toContain('not followed: osImageVersion')
    await world.stop()
  })
  it('T-72 ZT-010 network data of its own is not used, and that is said', async () => {
    const world = await openAssisted()
    const data = { nmstate: btoa('interfaces: []') }
    await world.kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'net', namespace }, data })
    await world.link('srv-1', { preprovisioningNetworkDataName: 'net' })
    await world.says('WaitingForPerson', hours(2))
    const told = (await world.image())?.status?.conditions?.find(({ type }) => type === 'NetworkDataIgnored')
    expect(told).toMatchObject({ status: 'True', reason: 'InfraEnv' })
    await world.stop()
  })
})
