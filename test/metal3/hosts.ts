import { metal3Kinds } from '../../src/api/kinds.ts'
import { hostController } from '../../src/controllers/metal3/host/index.ts'
import { metal3Indexes } from '../../src/controllers/metal3/indexes.ts'
import { type BareMetalHost, hardwareData, hosts, secrets } from '../../src/controllers/metal3/resources.ts'
import { type Millis, minutes, seconds } from '../../src/core/duration.ts'
import type { NewObject } from '../../src/ports/index.ts'
import { directEngine } from '../../src/provisioner/direct/index.ts'
import { bmcPool } from '../../src/redfish/index.ts'
import { openRack, type Rack, type RackEvent, type ServerOrder } from '../../src/sim/rack.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'
import { type TestWorld, testWorld } from '../runtime/world.ts'

export const namespace = 'default'
export const liveIso = 'https://images.example/live.iso'

/** Simulated machines, the real Redfish client, the direct engine and the controller of hosts over the embedded API. */
export interface Hosts extends TestWorld {
  readonly rack: Rack
  readonly events: RackEvent[]
  make(name: string, spec?: Partial<NonNullable<BareMetalHost['spec']>>, metadata?: object): Promise<void>
  change(name: string, merge: object): Promise<void>
  host(name: string): Promise<BareMetalHost | undefined>
  state(name: string): Promise<string | undefined>
  reaches(name: string, state: string, within?: Millis): Promise<void>
  until(within: Millis, words: string, so: () => boolean | Promise<boolean>): Promise<void>
  hardware(name: string): Promise<Record<string, unknown> | undefined>
  stop(): Promise<void>
}

export async function openHosts(servers: readonly ServerOrder[] = [{ name: 'srv-1' }]): Promise<Hosts> {
  const world = await testWorld(metal3Kinds)
  const { clock, log, kube } = world
  const disc = new TextEncoder().encode('live')
  const rack = openRack({
    clock,
    ids: seededIds(seeded('hosts')),
    servers,
    world: {
      fetch: async ({ url }) => ({ status: url === liveIso ? 200 : 404, headers: { 'content-length': String(disc.length) }, body: disc }),
      program: () => [],
    },
  })
  const events: RackEvent[] = []
  rack.onEvent(event => void events.push(event))
  const server = (pooled: string): string => pooled.split('/').at(-1) ?? ''
  const pool = bmcPool({
    clock,
    log,
    access: async name => ({
      address: `https://${server(name)}`,
      tls: { trust: 'System' },
      credentials: async () => ({ username: rack.username, password: rack.password(server(name)) }),
    }),
    transport: ({ address }) => rack.transport(new URL(address).hostname),
  })
  const running = world.controllers({ indexes: metal3Indexes })
  running.add(own => hostController({ kube: own, engine: directEngine(pool), now: () => clock.now() }))
  running.start()
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
    events,
    until,
    state,
    async make(name, spec = {}, metadata = {}) {
      const data = { username: btoa('admin'), password: btoa('c4n4ry') }
      if (!(await kube.find(secrets, { name: `${name}-bmc`, namespace })))
        await kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: `${name}-bmc`, namespace }, data })
      await kube.create(hosts, {
        apiVersion: 'metal3.io/v1alpha1',
        kind: 'BareMetalHost',
        metadata: { name, namespace, ...metadata },
        spec: {
          online: true,
          bmc: { address: `redfish-virtualmedia://${name}/redfish/v1/Systems/1`, credentialsName: `${name}-bmc` },
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
    host: name => kube.find(hosts, { name, namespace }),
    reaches: (name, wanted, within = minutes(20)) => until(within, `${name} is ${wanted}`, async () => (await state(name)) === wanted),
    hardware: async name => (await kube.find(hardwareData, { name, namespace }))?.spec.hardware as Record<string, unknown> | undefined,
    async stop() {
      const ended = running.stop().then(() => pool.close())
      await clock.advance(minutes(2))
      await ended
      await world.close()
    },
  }
}
