import { kinds } from '../../src/api/kinds.ts'
import { memoryBlobs } from '../../src/boot/blobs/memory.ts'
import { openFetcher } from '../../src/boot/fetcher.ts'
import { type BootServer, openBootServer } from '../../src/boot/server.ts'
import { bootTickets } from '../../src/boot/tickets.ts'
import { bmcController } from '../../src/controllers/metal/bmc/index.ts'
import { bootConfigurationController } from '../../src/controllers/metal/boot-configuration/index.ts'
import { metalIndexes } from '../../src/controllers/metal/indexes.ts'
import { type BMC, bmcs } from '../../src/controllers/metal/resources.ts'
import { type ServerPorts, serverController } from '../../src/controllers/metal/server/index.ts'
import { serverClaimController } from '../../src/controllers/metal/server-claim/index.ts'
import { serverMaintenanceController } from '../../src/controllers/metal/server-maintenance/index.ts'
import { type Millis, minutes, seconds } from '../../src/core/duration.ts'
import type { Fault } from '../../src/core/fault.ts'
import { parseReference } from '../../src/oci/reference.ts'
import { imageResolver } from '../../src/oci/resolve.ts'
import { verified } from '../../src/oci/verify.ts'
import type { ResourceRef } from '../../src/ports/index.ts'
import { bmcPool } from '../../src/redfish/index.ts'
import type { Controllers } from '../../src/runtime/index.ts'
import { installerProgram, liveProgram, probeProgram, silentInstallerProgram, simImage } from '../../src/sim/images/demo.ts'
import type { SimImage } from '../../src/sim/images/image.ts'
import { memoryImages } from '../../src/sim/images/layout.ts'
import { bootServerWorld } from '../../src/sim/machine/world-boot.ts'
import { openRack, type Rack, type RackEvent, type ServerOrder } from '../../src/sim/rack.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'
import { type TestWorld, testWorld } from '../runtime/world.ts'
import { canary, leaksIn, said } from './canaries.ts'

const baseUrl = 'https://boot.example'
const key = Buffer.alloc(32, 7)
const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
export const secrets: ResourceRef = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
export const system = 'rackwright-system'

const pxe = (program: readonly string[]) => ({ kernel: program, initramfs: [] })

/** Images by the names that the examples use, and some that are not as they should be. */
const images: readonly SimImage[] = [
  simImage('library/probe', '1', pxe(probeProgram)),
  simImage('library/my-osimage', 'latest', pxe(installerProgram('os-1'))),
  simImage('library/my-uki-osimage', 'latest', { uki: installerProgram('os-1') }),
  simImage('library/quiet', '1', { ...pxe(silentInstallerProgram('os-1')), uki: silentInstallerProgram('os-1') }),
  simImage('library/live', '1', { ...pxe(liveProgram), uki: liveProgram }),
  simImage('library/no-uki', '1', pxe(installerProgram('os-1'))),
]

export interface RackOptions {
  readonly servers?: readonly ServerOrder[]
  readonly images?: readonly SimImage[]
  readonly server?: Partial<ServerPorts>
  /** What BMCs find at other addresses: firmware, for those that fetch it themselves. */
  readonly files?: ReadonlyMap<string, Uint8Array>
  /** The story begins before anything is discovered. */
  readonly undiscovered?: boolean
  /** Before anything is looked at. */
  prepare?(rack: Rack): void
}

export interface BmcCall {
  readonly machine: string
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** A simulated rack, the real Redfish client, the real controllers and the real boot server over the embedded API; no socket, and time that stands. */
export interface MetalRack extends TestWorld {
  readonly rack: Rack
  readonly boot: BootServer
  readonly events: RackEvent[]
  /** What BMCs were asked, in order; changes with what they were to change. */
  readonly calls: BmcCall[]
  /** Whether the network has a DHCP server that knows our boot server. It is nobody of ours. */
  readonly dhcp: { answers: boolean }
  readonly running: Controllers
  /** Tags that point elsewhere from now on. */
  push(image: SimImage): void
  /** From now on the files of this image are not what its manifest promises; with nothing, all are again. */
  spoil(image: string | undefined): void
  /** From now on the registry answers so; with nothing, as it should. */
  refuses(fault: Fault | undefined): void
  /** Lets time pass until it is so; a story that never gets there fails with these words. */
  until(within: Millis, words: string, so: () => boolean | Promise<boolean>): Promise<void>
  stop(): Promise<void>
}

export async function openMetalRack(options: RackOptions = {}): Promise<MetalRack> {
  const world = await testWorld(kinds)
  const { clock, log, controllersKube: kube } = world
  const shelf = new Map([...images, ...(options.images ?? [])].map(image => [`${image.repository}:${image.tag}`, image]))
  let source = memoryImages([...shelf.values()])
  let spoilt: string | undefined
  let refusal: Fault | undefined
  const answered = () => {
    if (refusal) throw refusal
    return source
  }
  const blobs = memoryBlobs(verified)
  const artifacts = openFetcher({ blobs, baseUrl, open: (reference, digest) => opened(reference, digest) })
  async function* opened(reference: string, digest: string): AsyncIterable<Uint8Array> {
    const { repository } = parseReference(reference)
    for await (const bytes of answered().blob(repository, digest))
      yield spoilt?.startsWith(`${repository}:`) ? bytes.map((byte, n) => (n === 0 ? byte ^ 1 : byte)) : bytes
  }
  const boot = openBootServer({ kube, clock, log, blobs, key, baseUrl })
  const network = bootServerWorld({ baseUrl, handler: () => boot.handler })
  const dhcp = { answers: true }
  const rack = openRack({
    clock,
    ids: seededIds(seeded('rack')),
    servers: options.servers ?? [{ name: 'srv-1' }],
    password: canary('bmc'),
    world: {
      ...network,
      async fetch(request) {
        const body = options.files?.get(request.url)
        return body ? { status: 200, headers: {}, body } : network.fetch(request)
      },
      dhcp: booter => (dhcp.answers ? network.dhcp?.(booter) : undefined),
    },
  })
  const events: RackEvent[] = []
  const calls: BmcCall[] = []
  rack.onEvent(event => void events.push(event))
  options.prepare?.(rack)
  const pool = bmcPool({
    clock,
    log,
    access: async name => ({
      address: `https://${name}`,
      tls: { trust: 'System' },
      credentials: async () => ({ username: rack.username, password: rack.password(name) }),
    }),
    transport: ({ address }) => {
      const machine = new URL(address).hostname
      return request => {
        const { method, url: path, body } = request
        calls.push({ machine, method, path, body: method === 'PATCH' && body ? JSON.parse(Buffer.from(body).toString()) : undefined })
        return rack.transport(machine)(request)
      }
    },
  })
  const resolver = imageResolver(() => ({
    document: async (repository, name) => answered().document(repository, name),
    blob: (repository, digest) => answered().blob(repository, digest),
  }))
  const running = world.controllers({ indexes: metalIndexes })
  running.add(own => bmcController({ kube: own, pool }))
  running.add(own =>
    serverController({
      kube: own,
      pool,
      tickets: bootTickets({ key, baseUrl }),
      identity: 'test-1',
      namespace: system,
      probeImage: 'probe:1',
      ...options.server,
    }),
  )
  running.add(own => serverClaimController({ kube: own, images: resolver }))
  running.add(own => serverMaintenanceController({ kube: own, images: resolver }))
  const serves = options.server?.servesBoots ?? true
  running.add(own => {
    const ours = bootConfigurationController({ kube: own, images: resolver, artifacts })
    return serves ? ours : onlyDiscovery(ours)
  })
  if (!(await world.kube.find(namespaces, { name: system })))
    await world.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: system } })
  boot.start()
  running.start()
  await clock.settle()
  for (const [n, name] of rack.servers.entries()) await world.kube.create(bmcs, bmcOf(name, n))
  const open = {
    ...world,
    rack,
    boot,
    events,
    calls,
    dhcp,
    running,
    push(image: SimImage) {
      shelf.set(`${image.repository}:${image.tag}`, image)
      source = memoryImages([...shelf.values()])
    },
    spoil(image: string | undefined) {
      spoilt = image
    },
    refuses(fault: Fault | undefined) {
      refusal = fault
    },
    async until(within: Millis, words: string, so: () => boolean | Promise<boolean>) {
      for (let passed = 0; passed <= within; passed += seconds(5)) {
        if (await so()) return
        await clock.advance(seconds(5))
      }
      throw new Error(`Cannot go on with the story: "${words}" is not so after ${within / minutes(1)} minutes`)
    },
  }
  return {
    ...open,
    async stop() {
      const leaks = leaksIn(await said(open))
      const ended = running
        .stop()
        .then(() => boot.stop())
        .then(() => pool.close())
      // A BMC that does not answer is waited for a while.
      await clock.advance(minutes(2))
      await ended
      await world.close()
      // In every story, whatever it is about.
      if (leaks.length > 0) throw new Error(`S11 I30 a secret was told: ${leaks.join(', ')}`)
    },
  }
}

/** Stands for somebody else's boot operator as far as the probe goes, so that there are servers to tell of; the rest is the story's. */
const onlyDiscovery = (ours: ReturnType<typeof bootConfigurationController>): typeof ours => ({
  ...ours,
  observe: async (object, look) => ({ ...(await ours.observe(object, look)), deleting: object.metadata.namespace !== system }),
})

const bmcOf = (name: string, n: number): BMC =>
  ({
    apiVersion: 'metal.ironcore.dev/v1alpha1',
    kind: 'BMC',
    metadata: { name },
    spec: { access: { ip: `10.1.${n >> 8}.${n & 255}` }, bmcSecretRef: { name }, protocol: { name: 'Redfish', port: 443 } },
  }) as unknown as BMC
