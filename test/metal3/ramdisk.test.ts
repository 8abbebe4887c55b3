import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { secrets } from '../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import type { ServerOrder } from '../../src/sim/rack.ts'
import { type Hosts, namespace, openHosts } from './hosts.ts'
import { md5Image, netboot, osImage, ramdiskIso } from './ramdisk-world.ts'

const discs = ({ rack }: Hosts): readonly string[] => Object.values(rack.machine('srv-1').media ?? {}).flatMap(({ image }) => image ?? [])
const withRamdisk = (servers?: readonly ServerOrder[]) => openHosts(servers, { ramdisk: { iso: ramdiskIso } })
const failure = async (world: Hosts) => (await world.host('srv-1'))?.status?.errorMessage ?? ''
const boots = ({ events }: Hosts): readonly string[] => events.flatMap(event => (event.what === 'boots' ? event.from : []))

describe('a host with a ramdisk', () => {
  it.each(personalities.map(({ name }) => name))(
    'of %s is inspected, installed with an image, booted from its disk and cleaned when it is given back',
    async make => {
      const world = await withRamdisk([{ name: 'srv-1', personality: make }])
      await world.make('srv-1', { online: false, inspectionMode: 'agent', automatedCleaningMode: 'metadata' })
      await world.reaches('srv-1', 'available', hours(1))
      expect(await world.hardware('srv-1')).toMatchObject({
        hostname: 'srv-1',
        cpu: { arch: 'x86_64', count: 128, flags: ['vmx', 'aes'] },
        storage: expect.arrayContaining([expect.objectContaining({ name: '/dev/nvme0', wwn: expect.any(String), hctl: '0:0:0:0' })]),
      })
      expect(world.rack.machine('srv-1').power, 'it is left off').toBe('Off')
      expect(discs(world), 'I15 no disc stays').toEqual([])

      await world.change('srv-1', { spec: { online: true, image: osImage } })
      await world.reaches('srv-1', 'provisioned', hours(2))
      await world.until(minutes(20), 'it runs what was installed', () =>
        world.events.some(event => event.what === 'runs' && event.os === osImage.url && event.from === 'Hdd'),
      )
      expect(discs(world), 'ZT-005 ZT-050 the disc is out').toEqual([])
      // Whatever restarts it from now on, it never boots the ramdisk by itself.
      const before = boots(world).length
      await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io': '' } } })
      await world.until(minutes(40), 'it has booted again', () => boots(world).length > before)
      expect(boots(world).slice(before)).toEqual(['Hdd'])

      await world.change('srv-1', { spec: { image: null } })
      await world.reaches('srv-1', 'available', hours(2))
      expect(world.rack.machine('srv-1').disk, 'its disk looks empty').toBeUndefined()
      expect(discs(world)).toEqual([])
      await world.stop()
    },
  )
  it('is said to be on while its ramdisk runs, and off when it was left', async () => {
    const world = await withRamdisk()
    await world.make('srv-1', { online: false, inspectionMode: 'agent' })
    const status = async () => (await world.host('srv-1'))?.status
    await world.until(minutes(30), 'its agent works', async () => (await status())?.engine?.stage === 'agent')
    expect(await status()).toMatchObject({ poweredOn: true })
    await world.reaches('srv-1', 'available', hours(1))
    expect(await status()).toMatchObject({ poweredOn: false })
    await world.stop()
  })
  it.each([
    ['ZT-049 by PXE, with the token on its kernel’s command line', 'redfish', { ...netboot }, 'Pxe'],
    ['over HTTP, from a disc that firmware fetches', 'redfish-uefihttp', { iso: ramdiskIso }, 'UefiHttp'],
  ] as const)('boots it %s', async (_, scheme, ramdisk, from) => {
    const world = await openHosts(undefined, { ramdisk })
    const bmc = { address: `${scheme}://srv-1/redfish/v1/Systems/1`, credentialsName: 'srv-1-bmc' }
    await world.make('srv-1', { inspectionMode: 'agent', image: osImage, bmc })
    await world.reaches('srv-1', 'provisioned', hours(2))
    await world.until(minutes(20), 'it runs what was installed', () =>
      world.events.some(event => event.what === 'runs' && event.from === 'Hdd'),
    )
    expect(boots(world)).toEqual([from, from, 'Hdd'])
    await world.stop()
  })
  it('ZT-029 ZT-044 is installed by a step of the agent’s own, with customDeploy there from the start', async () => {
    const world = await withRamdisk()
    await world.make('srv-1', { inspectionMode: 'agent', customDeploy: { method: 'start_assisted_install' } })
    await world.reaches('srv-1', 'provisioned', hours(2))
    expect(world.rack.machine('srv-1').disk?.os).toBe('assisted')
    expect((await world.host('srv-1'))?.status?.provisioning?.customDeploy).toEqual({ method: 'start_assisted_install' })
    await world.stop()
  })
  it('what its Secrets say is on its config drive, and nowhere else', async () => {
    const world = await withRamdisk()
    const secret = (name: string, data: object) =>
      world.kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data } as never)
    await secret('user', { userData: btoa('#cloud-config c4n4ry') })
    await secret('network', { value: btoa('links: [{id: eth7}]') })
    await secret('meta', { metaData: btoa('{"rack":"r7"}') })
    await world.make('srv-1', { image: md5Image, userData: { name: 'user' }, networkData: { name: 'network' }, metaData: { name: 'meta' } })
    await world.reaches('srv-1', 'provisioned', hours(2))
    const drive = gunzipSync(Buffer.from(world.rack.machine('srv-1').disk?.configDrive ?? '', 'base64')).toString('latin1')
    for (const told of ['#cloud-config c4n4ry', '{"links":[{"id":"eth7"}]}', '"rack":"r7"', '"metal3-name":"srv-1"'])
      expect(drive).toContain(told)
    expect(JSON.stringify([await world.host('srv-1'), world.logged])).not.toContain('c4n4ry')
    await world.stop()
  })
  it('what the ramdisk is told of its network is on the config drive, too, unless the system is told otherwise', async () => {
    const world = await withRamdisk()
    const data = { networkData: btoa('{"links":[{"id":"eth3"}]}') }
    await world.kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'ramdisk', namespace }, data } as never)
    await world.make('srv-1', { image: osImage, preprovisioningNetworkDataName: 'ramdisk' })
    await world.reaches('srv-1', 'provisioned', hours(2))
    const drive = gunzipSync(Buffer.from(world.rack.machine('srv-1').disk?.configDrive ?? '', 'base64')).toString('latin1')
    expect(drive).toContain('{"links":[{"id":"eth3"}]}')
    await world.stop()
  })
  it('a Secret that is missing is told before anything is written, and waited for', async () => {
    const world = await withRamdisk()
    await world.make('srv-1', { image: osImage, userData: { name: 'user' } })
    await world.until(hours(1), 'it is told', async () => (await failure(world)).includes('Secret user is not there'))
    expect(world.rack.machine('srv-1').disk).toBeUndefined()
    await world.kube.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'user', namespace },
      data: { userData: btoa('x') },
    } as never)
    await world.reaches('srv-1', 'provisioned', hours(3))
    await world.stop()
  })
  it('an image with another checksum is not taken', async () => {
    const world = await withRamdisk()
    await world.make('srv-1', { image: { ...osImage, checksum: '0'.repeat(64) } })
    await world.until(hours(1), 'it is told', async () => (await failure(world)).includes('checksum'))
    await world.stop()
  })
  it('BMO-1284 BMO-1472 BMO-1706 an agent that never calls is waited for half an hour, then told; the next try works', async () => {
    const world = await withRamdisk()
    world.rack.machine('srv-1').agentManners = { 'never calls': 1 }
    await world.make('srv-1', { online: false, inspectionMode: 'agent' })
    await world.until(hours(1), 'it is told', async () => (await failure(world)).includes('no agent called'))
    expect((await world.host('srv-1'))?.status?.errorType).toBe('inspection error')
    await world.reaches('srv-1', 'available', hours(2))
    expect((await world.host('srv-1'))?.status).toMatchObject({ errorMessage: '', errorCount: 0 })
    await world.stop()
  })
  it('a step that fails is told with the agent’s own words; the host is given back and tried again', async () => {
    const world = await withRamdisk()
    world.rack.machine('srv-1').agentManners = { 'fails a step': 1 }
    await world.make('srv-1', { image: osImage })
    await world.until(hours(1), 'it is told', async () => (await failure(world)).includes('the disk does not answer'))
    await world.until(hours(1), 'it is given back', async () => (await world.host('srv-1'))?.status?.provisioningFailCount === 1)
    await world.reaches('srv-1', 'provisioned', hours(3))
    expect((await world.host('srv-1'))?.status?.provisioningFailCount).toBe(0)
    await world.stop()
  })
  it('T-70 an agent that hangs in the middle is lost after five minutes of silence', async () => {
    const world = await withRamdisk()
    world.rack.machine('srv-1').agentManners = { hangs: 1 }
    await world.make('srv-1', { image: osImage })
    await world.until(hours(1), 'it is given back', async () => (await world.host('srv-1'))?.status?.provisioningFailCount === 1)
    await world.reaches('srv-1', 'provisioned', hours(3))
    await world.stop()
  })
  it('a method that fails is tried five times and no more, although there is no image (baremetal-operator 0.14 tries for ever)', async () => {
    const world = await withRamdisk()
    world.rack.machine('srv-1').agentManners = { 'fails a step': 100 }
    await world.make('srv-1', { customDeploy: { method: 'start_assisted_install' } })
    await world.until(hours(20), 'it is given up', async () => (await world.host('srv-1'))?.status?.provisioningFailCount === 5)
    await world.reaches('srv-1', 'available', hours(2))
    await world.clock.advance(hours(1))
    expect(boots(world).filter(from => from === 'Cd')).toHaveLength(5)
    await world.change('srv-1', { spec: { customDeploy: { method: 'erase_devices_metadata' } } })
    await world.reaches('srv-1', 'provisioning', hours(1))
    await world.stop()
  })
  it('a step that the agent does not have is told with those that it has', async () => {
    const world = await withRamdisk()
    await world.make('srv-1', { customDeploy: { method: 'install_coreos' } })
    await world.until(hours(1), 'it is told', async () => (await failure(world)).includes('no deploy step install_coreos; it has'))
    await world.stop()
  })
  it('a controller that never takes the disc is asked four times, later and later, and then that is told', async () => {
    const world = await withRamdisk()
    world.rack.fault('srv-1', 'server-error', { path: 'InsertMedia' })
    await world.make('srv-1', { online: false, inspectionMode: 'agent' })
    await world.until(hours(1), 'it is told', async () => (await failure(world)).includes('stays empty, although it was asked 4 times'))
    await world.stop()
  })
  it('without a ramdisk it says what is missing', async () => {
    const world = await openHosts()
    await world.make('srv-1', { online: false, inspectionMode: 'agent' })
    await world.until(minutes(5), 'it is told', async () => (await failure(world)).includes('no ramdisk is set up'))
    await world.stop()
  })
})
