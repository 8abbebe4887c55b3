import { describe, expect, it } from 'vitest'
import { images, type PreprovisioningImage } from '../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import type { HostOrder, Provisioner } from '../../src/ports/provisioner.ts'
import { type Hosts, namespace, openHosts } from './hosts.ts'

const key = { name: 'srv-1', namespace }
const image = { url: 'https://images.example/os.qcow2', checksum: 'abc', format: 'qcow2' as const }
const inventory = { manufacturer: 'x', model: 'y', processors: [{ architecture: 'x86' }], nics: [], disks: [] } as never

/** An engine whose ramdisk always works, and notes what it was told to boot. */
const booting =
  (orders: HostOrder[]) =>
  (direct: Provisioner): Provisioner => ({
    ...direct,
    look: (host, work, memory, signal) =>
      ['inspect', 'deploy', 'clean'].includes(work) ? Promise.resolve(undefined) : direct.look(host, work, memory, signal),
    judge(host, work, memory, sight, now) {
      if (!['inspect', 'deploy', 'clean'].includes(work)) return direct.judge(host, work, memory, sight, now)
      orders.push(host)
      return { is: 'done', because: 'its ramdisk did it', ...(work === 'inspect' ? { inventory } : {}) }
    },
  })

const built = (generation: number, more: object = {}) => ({
  imageUrl: 'https://builder/srv-1.iso',
  format: 'iso',
  architecture: 'x86_64',
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      reason: 'ImageSuccess',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      observedGeneration: generation,
    },
  ],
  ...more,
})
const find = (world: Hosts): Promise<PreprovisioningImage | undefined> => world.kube.find(images, key)
const appears = (world: Hosts) => world.until(minutes(5), 'its image is asked for', async () => (await find(world)) !== undefined)
async function build(world: Hosts, other?: object): Promise<void> {
  const status = other ?? built((await find(world))?.metadata.generation ?? 0)
  await world.kube.patch(images, key, { merge: { status } }, { subresource: 'status' })
  await world.clock.settle()
}

async function open(spec: object = {}, metadata: object = {}) {
  const orders: HostOrder[] = []
  const world = await openHosts(undefined, { builds: true, engine: booting(orders) })
  await world.make('srv-1', { online: true, inspectionMode: undefined, automatedCleaningMode: 'metadata', ...spec } as never, metadata)
  return { world, orders }
}

describe('the PreprovisioningImage of a host', () => {
  it('T-66 is asked for when the host is inspected, with its labels, and booted when it is built; not before', async () => {
    const { world, orders } = await open({}, { labels: { 'infraenvs.agent-install.openshift.io': 'edge' } })
    await appears(world)
    const asked = await find(world)
    expect(asked).toMatchObject({
      metadata: {
        labels: { 'infraenvs.agent-install.openshift.io': 'edge' },
        finalizers: ['baremetalhost.metal3.io/preprovisioningImage'],
        ownerReferences: [{ kind: 'BareMetalHost', name: 'srv-1', controller: true }],
      },
      spec: { architecture: 'x86_64', acceptFormats: ['iso', 'initrd'] },
    })
    await world.clock.advance(hours(1))
    expect(orders).toEqual([])
    expect(await world.state('srv-1')).toBe('inspecting')
    // One that was built for an earlier wish is not booted.
    await build(world, built((asked?.metadata.generation ?? 1) - 1))
    await world.clock.advance(minutes(6))
    expect(orders).toEqual([])
    await build(world)
    await world.reaches('srv-1', 'available', minutes(1))
    expect(orders.at(-1)?.ramdisk).toEqual({ format: 'iso', url: 'https://builder/srv-1.iso' })
    await world.stop()
  })
  it('ZT-025 ZT-026 T-67 is taken away when the host is provisioned, and made anew when it is given back', async () => {
    const { world } = await open({ image })
    await appears(world)
    await build(world)
    await world.reaches('srv-1', 'provisioned')
    await world.until(minutes(2), 'its image is gone', async () => (await find(world)) === undefined)
    const writes = world.writes().length
    await world.clock.advance(hours(1))
    expect(
      world
        .writes()
        .slice(writes)
        .filter(({ path }) => path.includes('preprovisioningimages')),
      'I26',
    ).toEqual([])
    await world.change('srv-1', { spec: { image: null } })
    await appears(world)
    expect(await world.state('srv-1')).toBe('deprovisioning')
    await build(world)
    await world.reaches('srv-1', 'available')
    await world.remove('srv-1')
    await world.until(
      minutes(20),
      'all is gone',
      async () => (await world.host('srv-1')) === undefined && (await find(world)) === undefined,
    )
    await world.stop()
  })
  it('ZT-021 ZT-022 that cannot be built is told on the host, and the host goes on when it is mended', async () => {
    const { world } = await open()
    await appears(world)
    const error = {
      type: 'Error',
      status: 'True',
      reason: 'ConfigurationError',
      message: 'no such architecture',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    }
    await build(world, { conditions: [error] })
    await world.until(minutes(2), 'it is told', async () => (await world.host('srv-1'))?.status?.errorType === 'registration error')
    expect((await world.host('srv-1'))?.status?.errorMessage).toContain('no such architecture')
    await world.clock.advance(minutes(30))
    expect(await world.state('srv-1')).toBe('inspecting')
    await build(world)
    await world.reaches('srv-1', 'available', hours(1))
    expect((await world.host('srv-1'))?.status).toMatchObject({ operationalStatus: 'OK', errorMessage: '' })
    await world.stop()
  })
  it('follows what the host boots from: another architecture, network settings of its own, an initrd for PXE', async () => {
    const { world } = await open({ bmc: { address: 'redfish://srv-1', credentialsName: 'srv-1-bmc' } })
    await appears(world)
    expect((await find(world))?.spec?.acceptFormats).toEqual(['initrd'])
    await world.change('srv-1', { spec: { architecture: 'aarch64', preprovisioningNetworkDataName: 'srv-1-net' } })
    await world.clock.advance(minutes(6))
    expect((await find(world))?.spec).toMatchObject({ architecture: 'aarch64', networkDataName: 'srv-1-net' })
    await world.stop()
  })
  it('T-67 I23 that is never built keeps a deletion for thirty minutes; then the host goes with a Warning', async () => {
    const { world } = await open({ image })
    await appears(world)
    await build(world)
    await world.reaches('srv-1', 'provisioned')
    await world.clock.advance(minutes(2))
    await world.remove('srv-1')
    await appears(world)
    await world.clock.advance(minutes(20))
    expect(await world.state('srv-1')).toBe('deprovisioning')
    await world.until(minutes(30), 'it is gone', async () => (await world.host('srv-1')) === undefined)
    expect(world.rack.machine('srv-1').power).toBe('Off')
    const events = world.writes().filter(({ path, method }) => method === 'POST' && path.includes('/events'))
    expect(events.map(({ body }) => (body as { readonly reason?: string }).reason)).toContain('CleaningSkipped')
    await world.until(minutes(2), 'nothing is left', async () => (await find(world)) === undefined)
    await world.stop()
  })
  it('BMO-3354 that somebody deletes while it is booted stays until the host needs it no more', async () => {
    let works = true
    const slow = (direct: Provisioner): Provisioner => {
      const quick = booting([])(direct)
      const waits = { is: 'progress', because: 'its ramdisk works', again: minutes(1) } as const
      return { ...quick, judge: (host, work, ...of) => (work === 'inspect' && works ? waits : quick.judge(host, work, ...of)) }
    }
    const world = await openHosts(undefined, { builds: true, engine: slow })
    await world.make('srv-1', { online: false, inspectionMode: undefined, automatedCleaningMode: 'disabled' } as never)
    await appears(world)
    await build(world)
    await world.kube.delete(images, key)
    await world.clock.advance(minutes(10))
    expect((await find(world))?.metadata.deletionTimestamp).toBeDefined()
    works = false
    await world.reaches('srv-1', 'available')
    await world.until(minutes(5), 'it is let go', async () => (await find(world)) === undefined)
    await world.stop()
  })
  it('is not asked for where nobody builds any, nor by hosts that boot none', async () => {
    const { world } = await open({ inspectionMode: 'fast', automatedCleaningMode: 'disabled' })
    await world.reaches('srv-1', 'available')
    expect(await find(world)).toBeUndefined()
    await world.stop()
  })
})
