import { memoryBlobs } from '../../../src/boot/blobs/memory.ts'
import { openFetcher } from '../../../src/boot/fetcher.ts'
import { type BootServer, openBootServer } from '../../../src/boot/server.ts'
import { bootTickets } from '../../../src/boot/tickets.ts'
import { seconds } from '../../../src/core/duration.ts'
import { parseReference } from '../../../src/oci/reference.ts'
import { imageResolver } from '../../../src/oci/resolve.ts'
import { verified } from '../../../src/oci/verify.ts'
import type { BmcPool } from '../../../src/ports/bmc.ts'
import type { BootArtifacts, BootTickets } from '../../../src/ports/boot-artifacts.ts'
import type { ImageResolver } from '../../../src/ports/images.ts'
import { type Clock, type HttpResponse, type Kube, silent } from '../../../src/ports/index.ts'
import { bmcPool } from '../../../src/redfish/index.ts'
import { installerProgram, liveProgram, probeProgram, simImage } from '../../../src/sim/images/demo.ts'
import { memoryImages } from '../../../src/sim/images/layout.ts'
import { bootServerWorld } from '../../../src/sim/machine/world-boot.ts'
import { generic } from '../../../src/sim/personalities/generic.ts'
import type { Personality } from '../../../src/sim/personalities/personality.ts'
import { openRack, type Rack, type RackEvent } from '../../../src/sim/rack.ts'
import { type Random, seededIds } from '../../../src/sim/seed.ts'

const baseUrl = 'https://boot.example'
const key = Buffer.alloc(32, 7)

/** A file that left the boot server, and for whom. */
export interface Handed {
  readonly path: string
  readonly status: number
}

/** The machines of a story, and what stands beside them: images, and a boot server that is nobody's victim. */
export interface Lab {
  readonly rack: Rack
  readonly happened: RackEvent[]
  readonly handed: Handed[]
  readonly images: ImageResolver
  readonly artifacts: BootArtifacts
  readonly tickets: BootTickets
  /** The real client. It is part of the world: what a process that died had asked for still arrives. */
  readonly pool: BmcPool
  /** The story begins with a server that was installed before it. */
  begunInstalled: boolean
  /** Begins to serve; until then, nobody answers machines. */
  serve(kube: Kube): void
  /** How far the boot server is, for a clock that waits for it. */
  readonly beside: Pick<BootServer, 'busy' | 'caches'>
  stop(): Promise<void>
}

/** By the book, and in a hurry: a story with faults is played thousands of times. */
const quick: Personality = {
  ...generic,
  machine: {
    ...generic.machine,
    // The order that the seed wants: EFI shell, disk, network.
    bootOrder: ['Boot0000', 'Boot0001', 'Boot0002'],
    times: { ...generic.machine.times, post: seconds(40), osStart: seconds(10), install: seconds(60), graceful: seconds(10) },
  },
}

const pxe = (program: readonly string[]) => ({ kernel: program, initramfs: [] })
const shelf = [
  simImage('library/probe', '1', pxe(probeProgram)),
  simImage('library/os', '1', { uki: installerProgram('os-1') }),
  simImage('library/live', '1', { uki: liveProgram }),
]

export function openLab({ clock, random }: { readonly clock: Clock; readonly random: Random }, machines: readonly string[]): Lab {
  const source = memoryImages(shelf)
  const blobs = memoryBlobs(verified)
  const happened: RackEvent[] = []
  const handed: Handed[] = []
  let boot: BootServer | undefined
  const handler: BootServer['handler'] = async (request, from) => {
    const answer: HttpResponse = (await boot?.handler(request, from)) ?? { status: 503, headers: {}, body: new Uint8Array() }
    handed.push({ path: request.url, status: answer.status })
    return answer
  }
  const rack = openRack({
    clock,
    ids: seededIds(random.fork('rack')),
    servers: machines.map(name => ({ name, personality: quick })),
    world: bootServerWorld({ baseUrl, handler: () => handler }),
  })
  rack.onEvent(event => void happened.push(event))
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
  return {
    pool,
    rack,
    happened,
    handed,
    images: imageResolver(() => source),
    artifacts: openFetcher({ blobs, baseUrl, open: (reference, digest) => source.blob(parseReference(reference).repository, digest) }),
    tickets: bootTickets({ key, baseUrl }),
    begunInstalled: false,
    serve(kube) {
      boot = openBootServer({ kube, clock, log: silent, blobs, key, baseUrl })
      boot.start()
    },
    beside: { busy: () => boot?.busy(), caches: () => boot?.caches() ?? [] },
    async stop() {
      await boot?.stop()
      await pool.close()
    },
  }
}
