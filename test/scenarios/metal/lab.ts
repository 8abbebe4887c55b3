import { createHash } from 'node:crypto'
import { memoryBlobs } from '../../../src/boot/blobs/memory.ts'
import { openFetcher } from '../../../src/boot/fetcher.ts'
import { type BootServer, openBootServer } from '../../../src/boot/server.ts'
import { bootTickets } from '../../../src/boot/tickets.ts'
import { seconds } from '../../../src/core/duration.ts'
import { parseReference } from '../../../src/oci/reference.ts'
import { type ImageSource, imageResolver } from '../../../src/oci/resolve.ts'
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
  /** Of all of it, once all of it is out. */
  digest?: string
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

/** Adds up the digest of what passes; its machine has it when the last byte is out. */
async function* weighed(note: Handed, body: HttpResponse['body']): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const bytes of body instanceof Uint8Array ? [body] : body) {
    hash.update(bytes)
    yield bytes
  }
  note.digest = `sha256:${hash.digest('hex')}`
}

const lying = (source: ImageSource): ImageSource => ({
  ...source,
  async *blob(repository, digest) {
    for await (const bytes of source.blob(repository, digest)) yield bytes.map((byte, n) => (n === 0 ? byte ^ 1 : byte))
  },
})

/** Its self test is over before anybody looks twice; its BMC writes for longer than anybody may take an empty list of tasks for an answer. */
export const hasty: Personality = {
  ...quick,
  machine: { ...quick.machine, times: { ...quick.machine.times, post: seconds(8), update: seconds(90) } },
}

const pxe = (program: readonly string[]) => ({ kernel: program, initramfs: [] })
const shelf = [
  simImage('library/probe', '1', pxe(probeProgram)),
  simImage('library/os', '1', { uki: installerProgram('os-1') }),
  simImage('library/pxe', '1', pxe(installerProgram('os-1'))),
  // It takes its time: whose system nobody saw running is not brought anywhere, and waits for somebody.
  simImage('library/quiet', '1', { uki: ['install os-1', 'wait 600', 'reboot', 'disk'] }),
  simImage('library/live', '1', { uki: liveProgram }),
]

export interface LabOptions {
  /** For mutants: a registry that sends other bytes than it promises, and nobody who looks. */
  readonly unverified?: true
  readonly personality?: Personality
  /** What BMCs find at addresses other than the boot server's. */
  readonly files?: Readonly<Record<string, Uint8Array>>
}

export function openLab(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  machines: readonly string[],
  { unverified, personality = quick, files = {} }: LabOptions = {},
): Lab {
  const source = unverified ? lying(memoryImages(shelf)) : memoryImages(shelf)
  const blobs = memoryBlobs(unverified ? bytes => bytes : verified)
  const happened: RackEvent[] = []
  const handed: Handed[] = []
  let boot: BootServer | undefined
  const handler: BootServer['handler'] = async (request, from) => {
    const answer: HttpResponse = (await boot?.handler(request, from)) ?? { status: 503, headers: {}, body: new Uint8Array() }
    const note: Handed = { path: request.url, status: answer.status }
    handed.push(note)
    return request.method === 'GET' && answer.status === 200 ? { ...answer, body: weighed(note, answer.body) } : answer
  }
  const network = bootServerWorld({ baseUrl, handler: () => handler })
  const rack = openRack({
    clock,
    ids: seededIds(random.fork('rack')),
    servers: machines.map(name => ({ name, personality })),
    world: {
      ...network,
      fetch: async request => (files[request.url] ? { status: 200, headers: {}, body: files[request.url]! } : network.fetch(request)),
    },
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
