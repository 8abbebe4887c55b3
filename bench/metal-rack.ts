import { memoryBlobs } from '../src/boot/blobs/memory.ts'
import { openFetcher } from '../src/boot/fetcher.ts'
import { openBootServer } from '../src/boot/server.ts'
import { bootTickets } from '../src/boot/tickets.ts'
import { bmcController } from '../src/controllers/metal/bmc/index.ts'
import { bootConfigurationController } from '../src/controllers/metal/boot-configuration/index.ts'
import { metalIndexes } from '../src/controllers/metal/indexes.ts'
import { type BMC, bmcs } from '../src/controllers/metal/resources.ts'
import { serverController } from '../src/controllers/metal/server/index.ts'
import { serverClaimController } from '../src/controllers/metal/server-claim/index.ts'
import { randomIds } from '../src/net/random-ids.ts'
import { parseReference } from '../src/oci/reference.ts'
import { imageResolver } from '../src/oci/resolve.ts'
import { verified } from '../src/oci/verify.ts'
import { silent } from '../src/ports/index.ts'
import { bmcPool } from '../src/redfish/index.ts'
import { type Controllers, openControllers } from '../src/runtime/index.ts'
import { demoImages, discoveryImage } from '../src/sim/images/demo.ts'
import { memoryImages } from '../src/sim/images/layout.ts'
import { bootServerWorld } from '../src/sim/machine/world-boot.ts'
import { openRack, type Rack } from '../src/sim/rack.ts'
import { seeded, seededIds } from '../src/sim/seed.ts'
import { type MetalWorld, metalWorld } from './metal.ts'

const baseUrl = 'https://boot.example'
const key = Buffer.alloc(32, 7)

export interface BenchRack extends MetalWorld {
  readonly rack: Rack
  readonly controllers: Controllers
  start(): Promise<void>
  /** Starts, and tells the API of every BMC. */
  enrol(): Promise<void>
  stop(): Promise<void>
}

/** All controllers, the Redfish client and the boot server over a rack whose BMCs answer at once, in simulated time and without a socket. */
export async function benchRack(count: number): Promise<BenchRack> {
  const world = await metalWorld()
  const { clock, counted: kube } = world
  const source = memoryImages(demoImages)
  const blobs = memoryBlobs(verified)
  const artifacts = openFetcher({ blobs, baseUrl, open: (reference, digest) => source.blob(parseReference(reference).repository, digest) })
  const boot = openBootServer({ kube, clock, log: silent, blobs, key, baseUrl })
  const rack = openRack({
    clock,
    ids: seededIds(seeded('bench')),
    servers: Array.from({ length: count }, (_, n) => ({ name: `server-${n}` })),
    world: bootServerWorld({ baseUrl, handler: () => boot.handler }),
  })
  const pool = bmcPool({
    clock,
    log: silent,
    access: async name => ({
      address: `https://${name}`,
      tls: { trust: 'System' },
      credentials: async () => ({ username: rack.username, password: rack.password(name) }),
    }),
    transport: ({ address }) => rack.transport(new URL(address).hostname),
  })
  const images = imageResolver(() => source)
  const controllers = openControllers({ kube, clock, ids: randomIds, log: silent, identity: 'bench', indexes: metalIndexes })
  const tickets = bootTickets({ key, baseUrl })
  controllers.add(own => bmcController({ kube: own, pool }))
  controllers.add(own =>
    serverController({ kube: own, pool, tickets, identity: 'bench', namespace: 'rackwright-system', probeImage: discoveryImage }),
  )
  controllers.add(own => serverClaimController({ kube: own, images }))
  controllers.add(own => bootConfigurationController({ kube: own, images, artifacts }))
  const start = async (): Promise<void> => {
    boot.start()
    controllers.start()
    await clock.settle()
  }
  return {
    ...world,
    rack,
    controllers,
    start,
    async enrol() {
      await start()
      for (const [n, name] of rack.servers.entries()) {
        await world.kube.create(bmcs, bmcOf(name, n))
        if (n % 1_000 === 999) console.error(`  ${n + 1} BMCs are told to the API`)
      }
    },
    async stop() {
      await world.passing(controllers.stop())
      await boot.stop()
      await world.passing(pool.close())
      await world.close()
    },
  }
}

export function bmcOf(name: string, n: number): BMC {
  const spec = {
    access: { ip: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` },
    bmcSecretRef: { name },
    protocol: { name: 'Redfish', port: 443 },
  }
  return { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'BMC', metadata: { name }, spec } as unknown as BMC
}
