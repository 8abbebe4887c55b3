import {
  type BareMetalHost,
  firmwareComponents,
  firmwareSettings,
  type HostFirmwareComponents,
  type HostFirmwareSettings,
  updatePolicies,
} from '../../src/controllers/metal3/resources.ts'
import { conditionOf } from '../../src/core/condition.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { type HostOptions, type Hosts, namespace, openHosts } from './hosts.ts'
import { firmwareAt, liveIso } from './ramdisk-world.ts'

export const imageOf = (part: string, version: string): string => `${firmwareAt}/${part}-${version}.bin`

/** Stories about the firmware of one host. */
export interface FirmwareWorld extends Hosts {
  settings(): Promise<HostFirmwareSettings | undefined>
  components(): Promise<HostFirmwareComponents | undefined>
  /** Makes or changes what is wanted. */
  sets(settings: Readonly<Record<string, unknown>>): Promise<void>
  flashes(updates: readonly { component: string; url: string }[]): Promise<void>
  policy(spec: object): Promise<void>
  says(type: string): Promise<string>
  saysOfUpdates(type: string): Promise<string>
  installed(): Promise<void>
  restarts(): Promise<void>
  srv(): Promise<BareMetalHost>
  holds(): Readonly<Record<string, unknown>>
  pending(): Readonly<Record<string, unknown>>
  runs(part: string): string | undefined
}

export async function openFirmware(make = 'generic', options: HostOptions = {}): Promise<FirmwareWorld> {
  const world = await openHosts([{ name: 'srv-1', personality: make }], options)
  const { kube, clock } = world
  const key = { name: 'srv-1', namespace }
  const put = async (of: typeof firmwareSettings, kind: string, spec: object): Promise<void> => {
    const found = await kube.find(of, key)
    if (found) await kube.patch(of, key, { json: [{ op: 'add', path: '/spec', value: spec }] })
    else await kube.create(of, { apiVersion: 'metal3.io/v1alpha1', kind, metadata: key, spec } as never)
    await clock.settle()
  }
  const said = (of: unknown, type: string): string => {
    const found = conditionOf(of, type)
    return found ? `${found.status} ${found.reason}` : 'nothing'
  }
  const machine = () => world.rack.machine('srv-1')
  const fw: FirmwareWorld = {
    ...world,
    settings: () => kube.find(firmwareSettings, key),
    components: () => kube.find(firmwareComponents, key),
    sets: settings => put(firmwareSettings, 'HostFirmwareSettings', { settings }),
    flashes: updates => put(firmwareComponents as never, 'HostFirmwareComponents', { updates }),
    policy: spec => put(updatePolicies as never, 'HostUpdatePolicy', spec),
    says: async type => said((await fw.settings())?.status, type),
    saysOfUpdates: async type => said((await fw.components())?.status, type),
    async srv() {
      const found = await world.host('srv-1')
      if (!found) throw new Error('Cannot go on with the story: there is no host')
      return found
    },
    async installed() {
      await world.make('srv-1', { image: { url: liveIso, format: 'live-iso' } })
      await world.reaches('srv-1', 'provisioned', hours(1))
      await world.until(minutes(20), 'it runs', () => machine().stage === 'running')
      await world.until(minutes(5), 'it is said to be on', async () => (await fw.srv()).status?.poweredOn === true)
      await world.until(minutes(5), 'its components are known', async () => (await fw.components())?.status?.components !== undefined)
    },
    restarts: () => world.change('srv-1', { metadata: { annotations: { 'reboot.metal3.io': '' } } }),
    holds: () => ({ ...machine().model.bios, ...machine().bios }),
    pending: () => Object.fromEntries(Object.entries(machine().biosPending ?? {}).filter(([name, value]) => fw.holds()[name] !== value)),
    runs: part => {
      const found = machine().model.firmware.find(({ kind }) => kind === part)
      return found && (machine().firmware?.[found.id] ?? found.version)
    },
  }
  return fw
}
