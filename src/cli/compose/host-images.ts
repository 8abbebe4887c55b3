import { createHmac } from 'node:crypto'
import { notFound } from '../../boot/answers.ts'
import { openDiscovery } from '../../boot/discovery/configs.ts'
import { hostImageHandler } from '../../boot/host-images/handler.ts'
import { ignitionConfigs } from '../../boot/host-images/ignition-configs.ts'
import { nmstatectl } from '../../boot/host-images/nmstate.ts'
import { recordFolder } from '../../boot/host-images/record-folder.ts'
import { openShelf } from '../../boot/host-images/shelf.ts'
import { infraEnvController } from '../../controllers/assisted/infra-env/index.ts'
import { preprovisioningImageController } from '../../controllers/metal3/preprovisioning-image/index.ts'
import type { Millis } from '../../core/duration.ts'
import { httpTransport } from '../../net/client.ts'
import type { AgentSettings } from '../../policy/host-image/agent-ignition.ts'
import type { HttpRequest, HttpResponse, Transport } from '../../ports/index.ts'
import { type Controllers, openControllers } from '../../runtime/index.ts'
import type { HostsPorts } from './hosts.ts'
import { openLiveBases } from './live-bases.ts'

export interface HostImageOptions {
  /** Live ISOs of CoreOS by architecture. */
  readonly liveIsos: Readonly<Record<string, string>>
  /** Where machines reach what is served here. */
  readonly baseUrl: string
  /** At least 32 bytes that nobody else knows, the same after a restart. */
  readonly key: Uint8Array
  /** What images are made of is kept here, for nobody else to read: it outlives a restart. */
  readonly folder: string
  readonly agent: AgentSettings
  readonly minimal?: boolean
  readonly settling?: Millis
  /** How long images of hosts of InfraEnvs wait before they are built; a minute. */
  readonly linkedSettling?: Millis
  /** The assisted service that agents of InfraEnvs call; left out, InfraEnvs are left to the assisted service. */
  readonly assisted?: { readonly url: string; readonly agentImage: string }
  /** Images of InfraEnvs that an assisted service makes are taken over from it. */
  readonly takeOver?: boolean
  /** PEM of an authority to trust where somebody's Ignition is read. */
  readonly authority?: string
}

export interface HostImagesServing {
  readonly controllers: Controllers
  /** Undefined where a request is for somebody else. */
  readonly handler: (request: HttpRequest) => HttpResponse | undefined
  close(): Promise<void>
}

/** Builds and serves the images from which hosts are inspected and installed. Reads each live ISO once before it begins. */
export async function openHostImages(ports: HostsPorts, options: HostImageOptions): Promise<HostImagesServing> {
  const { kube, clock, ids, log, identity, lease } = ports
  const baseUrl = options.baseUrl.replace(/\/$/, '')
  const key = createHmac('sha256', options.key).update('host images').digest()
  const shelf = openShelf({ baseUrl, key })
  const bases = await openLiveBases({ clock, log, shelf }, baseUrl, options.liveIsos)
  const tls = options.authority === undefined ? {} : { tls: { authority: options.authority } }
  const discovery = openDiscovery({ baseUrl, key: createHmac('sha256', options.key).update('discovery').digest() })
  const own: Transport = async request => discovery.handler(request) ?? notFound
  const configs = ignitionConfigs({
    clock,
    // What is served here is read here: nobody has to reach himself.
    to: origin => (origin === new URL(baseUrl).origin ? own : httpTransport({ baseUrl: origin, wholeUpTo: 0, ...tls })),
  })
  const controllers = openControllers({ kube, clock, ids, log, identity, ...(lease ? { lease } : {}) })
  controllers.add(own =>
    preprovisioningImageController({
      kube: own,
      images: shelf,
      records: recordFolder(options.folder, createHmac('sha256', options.key).update('records of host images').digest(), log),
      configs,
      networks: nmstatectl(),
      agent: options.agent,
      log,
      settling: options.settling ?? 0,
      linkedSettling: options.linkedSettling,
      minimal: options.minimal ?? false,
      takeOver: options.takeOver ?? false,
      now: () => clock.now(),
    }),
  )
  const { assisted: service } = options
  if (service) controllers.add(kube => infraEnvController({ kube, configs: discovery, images: shelf, service }))
  const images = hostImageHandler(shelf)
  return {
    controllers,
    handler: request => discovery.handler(request) ?? images(request),
    async close() {
      await controllers.stop()
      await bases.close()
    },
  }
}
