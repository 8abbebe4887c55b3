import { join } from 'node:path'
import { crdOf } from '../../api/crd.ts'
import type { AssistedSettings } from '../../controllers/assisted/settings.ts'
import type { Millis } from '../../core/duration.ts'
import { kubeClient, loadConnection } from '../../kube/index.ts'
import { randomIds } from '../../net/random-ids.ts'
import { wallClock } from '../../net/wall-clock.ts'
import type { Kube } from '../../ports/index.ts'
import type { RamdiskFiles } from '../../ports/provisioner.ts'
import type { BootWishes } from '../boot-wishes.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../embedded.ts'
import { installCrds } from '../install-crds.ts'
import type { ImageWishes } from '../live-isos.ts'
import type { FileLog } from '../log-file.ts'
import { firstLook } from '../restored.ts'
import type { AssistedPorts } from './assisted.ts'
import type { BootImagePorts } from './boot-images.ts'
import { type BootOptions, type BootServing, serveBoots } from './boot-server.ts'
import { type Metal, openMetal } from './controllers.ts'
import type { Demo, DemoOptions } from './demo.ts'
import { openFirmware } from './firmware.ts'
import type { HostsPorts } from './hosts.ts'
import { type JobHost, openJobHost } from './job-host.ts'
import { managerNamespace } from './manager-namespace.ts'
import { registryCredentials } from './registry-credentials.ts'

export interface EverythingOptions extends EmbeddedOptions {
  readonly log: FileLog
  readonly boot: Pick<BootOptions, 'host' | 'port' | 'tls' | 'registries' | 'allowUserDataByWindow'> & {
    /** The Secret in our own namespace with the credentials of registries. */
    readonly registrySecret?: string
  }
  /** What is booted to look at a new server. */
  readonly probeImage: string
  /** How boots of servers are served and judged. */
  readonly boots?: BootWishes
  /** Keeps boot images of machine resources up to date as well; installs the kinds that this is about. */
  readonly bootImages?: boolean
  /** Runs each try of a Job in a process of its own instead of a thread. */
  readonly isolateJobs?: boolean
  /** Looks after BareMetalHosts, too; installs their kinds. */
  readonly metal3?: boolean
  /** What is booted to work on hosts, with `metal3`. */
  readonly ramdisk?: RamdiskFiles
  /** Builds images of hosts out of live ISOs, with `metal3`. */
  readonly hostImages?: ImageWishes
  /** Has hosts of InfraEnvs installed by the assisted agent, with `metal3`; installs the kinds of that. */
  readonly assisted?: boolean
  /** How, where it is not as usual. */
  readonly assistedSettings?: Partial<AssistedSettings>
  /** From the start of a machine to the first call of its agent; half an hour where it is not said. */
  readonly agentStartTimeout?: Millis
  /** Left out: no simulated rack. */
  readonly rack?: Omit<DemoOptions, 'kube' | 'boot' | 'log' | 'home'>
}

/** One process with all of it: API, boot server, controllers, and a simulated rack where one is wanted. */
export interface Everything {
  readonly embedded: Embedded
  readonly kube: Kube
  readonly boot: BootServing
  readonly metal: Metal
  readonly demo: Demo | undefined
  /** In the order in which nothing is cut off that somebody still needs. */
  close(): Promise<void>
}

/** What Jobs of this very program name as their image: the embedded host runs them without containers. */
export const ownImage = 'rackwright.dev/rackwright'

/** Images under this name come from the folder `images` of the state folder, an OCI layout. */
export const localRegistry = 'images.local'

/** Who the controllers are, in the audit trail; the in-process way in needs no token. */
const manager = { name: 'system:serviceaccount:rackwright-system:manager', groups: ['system:masters', 'system:authenticated'] }

/** For trying it out: on a cluster these kinds are somebody else's, and are there already. */
async function keepBootImages(ports: BootImagePorts): Promise<() => Promise<void>> {
  const { openshiftKinds } = await import('../../api/kinds.ts')
  await installCrds(ports.kube, openshiftKinds.map(crdOf))
  const { controllers } = (await import('./boot-images.ts')).openBootImages(ports)
  controllers.start()
  return () => controllers.stop()
}

/** Hosts as Metal3 describes them, for whoever wants them. */
async function keepHosts(ports: HostsPorts, boot: BootServing): Promise<() => Promise<void>> {
  const { metal3Kinds } = await import('../../api/kinds.ts')
  await installCrds(ports.kube, metal3Kinds.map(crdOf))
  const kept = (await import('./hosts.ts')).openHosts(ports)
  if (kept.desk) boot.beside((await import('./agent-desk.ts')).agentHandler(kept.desk, boot.url))
  kept.controllers.start()
  return () => kept.close()
}

/** Hosts of InfraEnvs, for whoever links some. */
async function keepLinked(ports: AssistedPorts): Promise<() => Promise<void>> {
  const { assistedKinds } = await import('../../api/kinds.ts')
  await installCrds(ports.kube, assistedKinds.map(crdOf))
  const controllers = (await import('./assisted.ts')).openAssisted(ports)
  controllers.start()
  return () => controllers.stop()
}

/** Images for hosts, served where everything else is that machines boot. */
async function buildImages(ports: HostsPorts, boot: BootServing, wanted: ImageWishes, folder: string): Promise<() => Promise<void>> {
  const { agentImage: image, agentAuthority: authority, ...what } = wanted
  const agent = { apiUrl: boot.url, callbackUrl: `${boot.url}/v1/continue_inspection`, image, authority }
  const { openHostImages } = await import('./host-images.ts')
  const built = await openHostImages(ports, { ...what, folder, baseUrl: boot.url, key: boot.key, agent })
  boot.beside(built.handler)
  built.controllers.start()
  return () => built.close()
}

export async function startEverything(options: EverythingOptions): Promise<Everything> {
  const { home, log, boot: at, rack, probeImage } = options
  const quiet = log.quiet
  const closers: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const end of closers.splice(0).toReversed()) await end()
  }
  try {
    const host: { jobs?: JobHost } = {}
    const embedded = await startEmbedded({ ...options, jobLog: async (namespace, name) => host.jobs?.logs(namespace, name) })
    closers.push(() => embedded.close())
    const kube = kubeClient(embedded.server.transportAs(manager), { clock: wallClock, ids: randomIds })
    // Images that lie in a folder: what people put there, and those of the simulated rack.
    const layouts = { [localRegistry]: join(home.root, 'images'), ...(rack ? (await import('./demo.ts')).demoLayout(home) : {}) }
    const ports = { kube, clock: wallClock, ids: randomIds, log: quiet }
    const folder = join(home.root, 'cache', 'blobs')
    const login = at.registrySecret === undefined ? {} : { credentials: registryCredentials(kube, managerNamespace, at.registrySecret) }
    const boot = await serveBoots({ ...ports, ...at, ...login, folder, layouts })
    closers.push(() => boot.close())
    // The rack stands before the controllers look for it, and until they have logged out.
    const demo = rack ? await (await import('./demo.ts')).openDemo({ ...rack, home, kube, boot, log: quiet }) : undefined
    if (demo) closers.push(() => demo.close())
    const { images, artifacts } = boot.shelf
    const hurry = rack
      ? { hurry: { clock: (await import('../../sim/clock/hurried.ts')).hurriedClock(wallClock, rack.speed), speed: rack.speed } }
      : {}
    const first = firstLook(home, wallClock)
    const metal = openMetal({
      ...ports,
      identity: `up-${randomIds.suffix(5)}`,
      images,
      artifacts,
      tickets: boot.tickets,
      probeImage,
      ...options.boots,
      observeOnly: first.looksOn,
      ...hurry,
    })
    closers.push(() => metal.close())
    metal.controllers.start()
    // Here there is always somebody to run their Jobs: this process.
    const firmware = openFirmware({
      ...ports,
      identity: `up-${randomIds.suffix(5)}`,
      namespace: managerNamespace,
      pool: metal.pool,
      jobImage: ownImage,
      ...hurry,
    })
    closers.push(() => firmware.close())
    firmware.controllers.start()
    const { login: _, ...api } = await loadConnection({ file: embedded.kubeconfig })
    const jobs = await openJobHost({
      ...ports,
      identity: `up-${randomIds.suffix(5)}`,
      api,
      images: [ownImage],
      isolate: options.isolateJobs === true,
      folder: join(home.root, 'run', 'jobs'),
      logFolder: join(home.logs, 'jobs'),
      speed: rack?.speed ?? 1,
    })
    host.jobs = jobs
    closers.push(() => jobs.close())
    if (options.bootImages) closers.push(await keepBootImages({ ...ports, identity: `up-${randomIds.suffix(5)}` }))
    const hostImages = options.hostImages ?? demo?.zeroTouch?.images
    const builds = hostImages !== undefined
    if (options.metal3) {
      const agents =
        options.ramdisk || builds
          ? {
              agents: {
                ramdisks: options.ramdisk ? { any: options.ramdisk } : {},
                key: boot.key,
                logFolder: join(home.logs, 'ramdisk'),
                ...(options.agentStartTimeout === undefined ? {} : { startTimeout: options.agentStartTimeout }),
                ...(demo?.zeroTouch ? { reach: demo.rack.rack.agentAt } : {}),
              },
            }
          : {}
      closers.push(await keepHosts({ ...ports, ...hurry, ...agents, builds, identity: `up-${randomIds.suffix(5)}` }, boot))
      await demo?.enrolHosts()
    }
    if (options.assisted)
      closers.push(await keepLinked({ ...ports, builds, settings: options.assistedSettings ?? {}, identity: `up-${randomIds.suffix(5)}` }))
    if (options.metal3 && hostImages) {
      const own = { ...ports, identity: `up-${randomIds.suffix(5)}` }
      closers.push(await buildImages(own, boot, hostImages, join(home.root, 'host-images')))
    }
    const stopLooking = first.begin(() => metal.controllers.settled())
    closers.push(async () => stopLooking())
    return { embedded, kube, boot, metal, demo, close }
  } catch (error) {
    await close()
    throw error
  }
}
