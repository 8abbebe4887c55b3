import { type DataImage, dataImages } from '../../src/controllers/metal3/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import type { DataMedia, Provisioner } from '../../src/ports/provisioner.ts'
import { type HostOptions, type Hosts, namespace, openHosts } from './hosts.ts'

export const config = 'https://10.0.0.9/config.iso'
export const other = 'https://10.0.0.9/other.iso'
export const key = { name: 'srv-1', namespace }
export const find = (world: Hosts): Promise<DataImage | undefined> => world.kube.find(dataImages, key)
export const discs = ({ rack }: Hosts): readonly string[] =>
  Object.values(rack.machine('srv-1').media ?? {}).flatMap(({ image, leaving }) => (leaving ? [] : (image ?? [])))
export const power = ({ rack }: Hosts) => rack.machine('srv-1').power
export const attach = async (world: Hosts, spec: object = { url: config }): Promise<void> => {
  await world.kube.create(dataImages, { apiVersion: 'metal3.io/v1alpha1', kind: 'DataImage', metadata: key, spec } as never)
  await world.clock.settle()
}
export const detach = async (world: Hosts): Promise<void> => {
  await world.kube.delete(dataImages, key)
  await world.clock.settle()
}
export const attached = async (world: Hosts) => (await find(world))?.status?.attachedImage?.url
export const condition = async (world: Hosts, type: string) => (await find(world))?.status?.conditions?.find(one => one.type === type)
export const told = (world: Hosts, reason: string) =>
  world
    .writes()
    .filter(({ path, method, body }) => method === 'POST' && path.includes('/events') && (body as { reason?: string }).reason === reason)
export const online = (world: Hosts, to: boolean) => world.change('srv-1', { spec: { online: to } })
export const isOn = (world: Hosts, within = minutes(20)) => world.until(within, 'it is on', () => power(world) === 'On')
export const isOff = (world: Hosts) => world.until(minutes(15), 'it is off', () => power(world) === 'Off')

/** A host with an installed system, switched off. */
export async function waiting(options: HostOptions = {}, spec: object = {}, make?: string): Promise<Hosts> {
  const world = await openHosts([{ name: 'srv-1', ...(make ? { personality: make } : {}) }], options)
  await world.make('srv-1', { externallyProvisioned: true, online: false, ...spec } as never)
  await world.reaches('srv-1', 'externally provisioned')
  await world.clock.advance(minutes(2))
  return world
}
/** The direct engine with other drives. */
export const media =
  (change: (right: DataMedia) => Partial<DataMedia>) =>
  (direct: Provisioner): Provisioner => ({ ...direct, media: { ...direct.media!, ...change(direct.media!) } })
/** Restarted as somebody asks for it. */
export const restart = async (world: Hosts): Promise<void> => {
  await world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io': '' } } })
  await isOff(world)
  await isOn(world)
}
/** Its deletion has ended. */
export const isGone = (world: Hosts, within = minutes(2)) =>
  world.until(within, 'it is gone', async () => (await find(world)) === undefined)
