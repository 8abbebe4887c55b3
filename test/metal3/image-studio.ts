import { type DiscoveryServing, openDiscovery } from '../../src/boot/discovery/configs.ts'
import { hostImageHandler } from '../../src/boot/host-images/handler.ts'
import { ignitionConfigs } from '../../src/boot/host-images/ignition-configs.ts'
import { openShelf } from '../../src/boot/host-images/shelf.ts'
import { preprovisioningImageController } from '../../src/controllers/metal3/preprovisioning-image/index.ts'
import type { HostImages } from '../../src/ports/host-images.ts'
import type { Clock, ControllerKube, HttpRequest, HttpResponse, Log } from '../../src/ports/index.ts'
import { imageRecords } from '../../src/sim/images/image-records.ts'
import { ignitionIn, liveCoreos } from '../../src/sim/machine/coreos-disc.ts'
import type { BootWorld, Loaded } from '../../src/sim/machine/world.ts'
import { base, baseUrl } from '../scenarios/host-images/base.ts'
import { openWeb, type Web } from '../scenarios/host-images/web.ts'

/** Builds images of hosts, serves them to simulated machines, and is the CoreOS that starts from them. */
export interface ImageStudio {
  readonly web: Web
  readonly images: HostImages
  /** Configurations of assisted agents, which are served beside the images. */
  readonly discovery: DiscoveryServing
  controller(kube: ControllerKube, clock: Clock, log: Log): ReturnType<typeof preprovisioningImageController>
  /** A network on which the images are, too. */
  before(world: BootWorld): BootWorld
  /** The Ignitions that machines have booted with, the last one last. */
  readonly booted: Readonly<Record<string, unknown>>[]
  /** What they were loaded from, and what they have asked for. */
  readonly loaded: Loaded[]
  readonly asked: string[]
}

export function openImageStudio(agents: string): ImageStudio {
  const web = openWeb()
  const shelf = openShelf({ baseUrl, key: Buffer.alloc(32, 'k'), pack: bytes => bytes })
  shelf.add('x86_64', base)
  const discovery = openDiscovery({ baseUrl, key: Buffer.alloc(32, 'd') })
  const images = hostImageHandler(shelf)
  const handler = (request: HttpRequest): HttpResponse => discovery.handler(request) ?? images(request)!
  const booted: Readonly<Record<string, unknown>>[] = []
  const loads: Loaded[] = []
  const asked: string[] = []
  return {
    web,
    images: shelf,
    discovery,
    booted,
    loaded: loads,
    asked,
    controller: (kube, clock, log) =>
      preprovisioningImageController({
        kube,
        images: shelf,
        records: imageRecords(),
        configs: ignitionConfigs({ clock, to: origin => (origin === baseUrl ? async request => handler(request) : web.to(origin)) }),
        networks: { keyfiles: async () => ({ wrong: 'nobody here knows nmstate' }) },
        agent: { apiUrl: agents, callbackUrl: `${agents}/v1/continue_inspection`, image: 'registry.example/ironic-agent:1' },
        log,
        settling: 0,
        minimal: false,
        now: () => clock.now(),
      }),
    before: world => ({
      ...world,
      async fetch(request) {
        if (!request.url.startsWith(baseUrl)) return world.fetch(request)
        asked.push(request.url)
        const { status, headers, body } = handler({
          method: request.method,
          url: request.url.slice(baseUrl.length),
          headers: request.headers,
        })
        const parts: Uint8Array[] = []
        for await (const part of body instanceof Uint8Array ? [body] : body) parts.push(part)
        return { status, headers, body: Buffer.concat(parts) }
      },
      program(loaded) {
        if (!loaded.url.startsWith(baseUrl)) return world.program?.(loaded)
        booted.push(ignitionIn(loaded.bytes)!)
        loads.push(loaded)
        return liveCoreos(loaded)
      },
    }),
  }
}
