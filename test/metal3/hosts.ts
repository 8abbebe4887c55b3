import type { Kind } from '../../src/api/kind.ts'
import { metal3Kinds } from '../../src/api/kinds.ts'
import { hostAccess } from '../../src/cli/compose/host-access.ts'
import { dataImageController } from '../../src/controllers/metal3/data-image/index.ts'
import { firmwareReadings } from '../../src/controllers/metal3/firmware-readings.ts'
import { hostController } from '../../src/controllers/metal3/host/index.ts'
import type { HostPorts } from '../../src/controllers/metal3/host/observe.ts'
import { hostFirmwareComponentsController } from '../../src/controllers/metal3/host-firmware-components/index.ts'
import { hostFirmwareSettingsController } from '../../src/controllers/metal3/host-firmware-settings/index.ts'
import { metal3Indexes } from '../../src/controllers/metal3/indexes.ts'
import { type BareMetalHost, hardwareData, hosts, secrets } from '../../src/controllers/metal3/resources.ts'
import { type Millis, minutes, seconds } from '../../src/core/duration.ts'
import type { BmcPool, NewObject } from '../../src/ports/index.ts'
import type { DiscCheck, Provisioner, RamdiskFiles, RamdiskLogs } from '../../src/ports/provisioner.ts'
import { directEngine } from '../../src/provisioner/direct/index.ts'
import { bmcPool } from '../../src/redfish/index.ts'
import type { Controllers } from '../../src/runtime/index.ts'
import type { BootWorld } from '../../src/sim/machine/world.ts'
import { openRack, type Rack, type RackEvent, type ServerOrder } from '../../src/sim/rack.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'
import { type TestWorld, testWorld } from '../runtime/world.ts'
import type { ImageStudio } from './image-studio.ts'
import { liveIso, ramdiskLane, ramdiskWorld } from './ramdisk-world.ts'

export const namespace = 'default'
export { liveIso }

/** Simulated machines, the real Redfish client, the direct engine and the controller of hosts over the embedded API. */
export interface Hosts extends TestWorld {
  readonly rack: Rack
  /** As its controllers reach management controllers. */
  readonly pool: BmcPool
  readonly events: RackEvent[]
  make(name: string, spec?: Partial<NonNullable<BareMetalHost['spec']>>, metadata?: object): Promise<void>
  change(name: string, merge: object): Promise<void>
  remove(name: string): Promise<void>
  host(name: string): Promise<BareMetalHost | undefined>
  state(name: string): Promise<string | undefined>
  reaches(name: string, state: string, within?: Millis): Promise<void>
  until(within: Millis, words: string, so: () => boolean | Promise<boolean>): Promise<void>
  hardware(name: string): Promise<Record<string, unknown> | undefined>
  /** Its controllers end, and others begin that know nothing but what is written down. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export interface HostOptions extends Pick<HostPorts, 'builds' | 'atOnce'> {
  /** In place of the direct engine, or around it. */
  engine?(direct: Provisioner): Provisioner
  /** What is booted to work on hosts; nothing where it is missing. */
  readonly ramdisk?: RamdiskFiles
  /** Who builds a ramdisk for each host. */
  readonly studio?: ImageStudio
  /** Keeps what ramdisks wrote. */
  readonly logs?: RamdiskLogs
  /** What else is there: kinds, controllers, and what answers on the network. */
  readonly beside?: {
    readonly kinds: readonly Kind[]
    controllers(running: Controllers, world: TestWorld): void
    before(world: BootWorld, at: TestWorld): BootWorld
  }
  /** Looks at discs; nobody does where it is missing. */
  readonly discs?: DiscCheck
}

export async function openHosts(servers: readonly ServerOrder[] = [{ name: 'srv-1' }], options: HostOptions = {}): Promise<Hosts> {
  const world = await testWorld([...metal3Kinds, ...(options.beside?.kinds ?? [])])
  const { clock, log, kube } = world
  const { ramdisk, studio, discs, beside, logs, ...ports } = options
  const lane = ramdisk && ramdiskLane(kube, clock, () => rack, ramdisk, logs)
  const network = ramdiskWorld(() => lane?.desk)
  const around = studio ? studio.before(network) : network
  const rack = openRack({
    clock,
    ids: seededIds(seeded('hosts')),
    servers,
    password: 'c4n4ry',
    world: beside?.before(around, world) ?? around,
  })
  const events: RackEvent[] = []
  rack.onEvent(event => void events.push(event))
  const pool = bmcPool({ clock, log, access: hostAccess(kube), transport: ({ address }) => rack.transport(new URL(address).hostname) })
  const start = (): Controllers => {
    const direct = directEngine(pool, lane)
    const engine = options.engine?.(direct) ?? direct
    const begun = world.controllers({ indexes: metal3Indexes })
    begun.add(own => hostController({ ...ports, kube: own, engine, now: () => clock.now() }))
    if (studio) begun.add(own => studio.controller(own, clock, log))
    const readings = firmwareReadings({ engine, now: () => clock.now() })
    begun.add(own => hostFirmwareSettingsController({ kube: own, readings }))
    begun.add(own => hostFirmwareComponentsController({ kube: own, readings }))
    begun.add(own => dataImageController({ kube: own, engine, ...(discs ? { discs } : {}) }))
    beside?.controllers(begun, world)
    begun.start()
    return begun
  }
  let running = start()
  await clock.settle()
  const until: Hosts['until'] = async (within, words, so) => {
    for (let passed = 0; passed <= within; passed += seconds(5)) {
      if (await so()) return
      await clock.advance(seconds(5))
    }
    throw new Error(`Cannot go on with the story: "${words}" is not so after ${within / minutes(1)} minutes`)
  }
  const state = async (name: string) => (await kube.find(hosts, { name, namespace }))?.status?.provisioning?.state
  return {
    ...world,
    rack,
    pool,
    events,
    until,
    state,
    async make(name, spec = {}, metadata = {}) {
      const data = { username: btoa(rack.username), password: btoa('c4n4ry') }
      if (!(await kube.find(secrets, { name: `${name}-bmc`, namespace })))
        await kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: `${name}-bmc`, namespace }, data })
      await kube.create(hosts, {
        apiVersion: 'metal3.io/v1alpha1',
        kind: 'BareMetalHost',
        metadata: { name, namespace, ...metadata },
        spec: {
          online: true,
          bmc: { address: `redfish-virtualmedia://${name}`, credentialsName: `${name}-bmc` },
          inspectionMode: 'fast',
          automatedCleaningMode: 'disabled',
          ...spec,
        },
      } as unknown as NewObject<BareMetalHost>)
      await clock.settle()
    },
    async change(name, merge) {
      await kube.patch(hosts, { name, namespace }, { merge })
      await clock.settle()
    },
    async remove(name) {
      await kube.delete(hosts, { name, namespace })
      await clock.settle()
    },
    host: name => kube.find(hosts, { name, namespace }),
    reaches: (name, wanted, within = minutes(20)) => until(within, `${name} is ${wanted}`, async () => (await state(name)) === wanted),
    hardware: async name => (await kube.find(hardwareData, { name, namespace }))?.spec.hardware as Record<string, unknown> | undefined,
    async restart() {
      const ended = running.stop()
      await clock.advance(minutes(2))
      await ended
      running = start()
      await clock.settle()
    },
    async stop() {
      const ended = running.stop().then(() => pool.close())
      await clock.advance(minutes(2))
      await ended
      await world.close()
    },
  }
}
