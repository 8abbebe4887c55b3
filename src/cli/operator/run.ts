import { bootTickets } from '../../boot/tickets.ts'
import { randomIds } from '../../net/random-ids.ts'
import { serve } from '../../net/server.ts'
import type { Clock, Log } from '../../ports/index.ts'
import { serveAgents } from '../compose/agent-desk.ts'
import { openAssisted } from '../compose/assisted.ts'
import { openBootImages } from '../compose/boot-images.ts'
import { publishBootUrl } from '../compose/boot-url.ts'
import { openMetal } from '../compose/controllers.ts'
import { openFirmware } from '../compose/firmware.ts'
import { openHosts } from '../compose/hosts.ts'
import { keepEndpoint, type OwnEndpoint } from './agent-endpoint.ts'
import { announce } from './announce.ts'
import { ensureBootKey } from './boot-key.ts'
import { openKube } from './connected.ts'
import { stanceOf } from './courtesy.ts'
import { healthHandler } from './health.ts'
import { openKeeper, type Work } from './keeper.ts'
import { keeperMetrics, keeperUnready } from './metrics.ts'
import { findNeighbours } from './neighbours.ts'
import type { Role } from './roles.ts'
import type { AgentWishes, OperatorSettings } from './settings.ts'
import { shelfOf } from './shelf-of.ts'

export interface ProcessPorts {
  readonly clock: Clock
  readonly log: Log
  /** Resolves, with the reason, when it shall end. */
  readonly stop: Promise<string>
}

/** The controllers against a Kubernetes, from the first look to the last: ends in good order when it is told to. */
export async function runOperator(settings: OperatorSettings, { clock, log, stop }: ProcessPorts): Promise<void> {
  const { kube, identity, close } = await openKube(settings.kubeconfig, { clock, log }, 'rackwright-operator')
  const { namespace, bootUrl, lease, probeImage, prefixes, requireSanitized, externalBootServer, provisionedWhen } = settings
  const shelf = shelfOf(settings, kube, clock)
  const key = await ensureBootKey(kube, randomIds, namespace)
  const tickets = bootTickets({ key, baseUrl: bootUrl })
  const { agents } = settings
  const listening = agents && (await serveAgents(agents, { clock, log }))
  await publishBootUrl(kube, bootUrl, namespace)
  const common = { kube, clock, ids: randomIds, log, identity, namespace }
  const openRole = ({ name }: Role): Work => openers[name]?.() ?? open()
  const openImages = (): Work => {
    const images = openBootImages({ ...common, lease: { namespace, name: `${lease}-boot-images` } })
    images.controllers.start()
    return { close: () => images.controllers.stop(), health: () => images.controllers.health(), metrics: images.metrics }
  }
  const openUpdates = (): Work => {
    const { jobImage, defaultJobRunner: defaultRunner } = settings
    const firmware = openFirmware({ ...common, jobImage, defaultRunner, lease: { namespace, name: `${lease}-firmware` } })
    firmware.controllers.start()
    return { close: () => firmware.close(), health: () => firmware.controllers.health(), metrics: firmware.metrics }
  }
  const open = (): Work => {
    if (!requireSanitized)
      log.warn('Released servers are free again although nothing says that they were wiped', { setting: 'requireSanitized' })
    const wishes = { probeImage, prefixes, requireSanitized, externalBootServer, ...(provisionedWhen ? { provisionedWhen } : {}) }
    const metal = openMetal({ ...common, ...shelf, tickets, ...wishes, lease: { namespace, name: lease } })
    metal.controllers.start()
    return { close: () => metal.close(), health: () => metal.controllers.health(), metrics: () => metal.controllers.metrics() }
  }
  const openMachines = (): Work => {
    const ramdisks = agents?.ramdisk ? { any: agents.ramdisk } : {}
    const { startTimeout, logFolder } = agents ?? {}
    const more = { ...(startTimeout === undefined ? {} : { startTimeout }), ...(logFolder === undefined ? {} : { logFolder }) }
    const lane = agents ? { agents: { ramdisks, key, ...more }, builds: agents.builds } : {}
    const kept = openHosts({ ...common, ...lane, lease: { namespace, name: `${lease}-metal3` } })
    const leads = (): boolean => kept.controllers.health().leader
    listening?.answer(kept.desk, leads)
    kept.controllers.start()
    const led = listening && ownEndpoint(agents, listening.port)
    const endpoint = led && keepEndpoint({ kube, clock, log, namespace, leads }, led)
    const end = async (): Promise<void> => {
      endpoint?.close()
      listening?.answer(undefined)
      await kept.close()
    }
    return { close: end, health: () => kept.controllers.health(), metrics: () => kept.controllers.metrics() }
  }
  const openLinked = (): Work => {
    const takeOver = settings.takeOver.some(({ name }) => name === 'assisted')
    const builds = agents?.builds ?? false
    const controllers = openAssisted({
      ...common,
      builds,
      takeOver,
      settings: settings.assisted,
      lease: { namespace, name: `${lease}-assisted` },
    })
    controllers.start()
    return { close: () => controllers.stop(), health: () => controllers.health(), metrics: () => controllers.metrics() }
  }
  const openers: Readonly<Record<string, () => Work>> = {
    'boot-images': openImages,
    firmware: openUpdates,
    metal3: openMachines,
    assisted: openLinked,
  }
  const keeper = openKeeper(
    {
      clock,
      log,
      open: openRole,
      stance: async role => stanceOf(role, await findNeighbours(kube, clock, role), settings.takeOver.includes(role)),
      tell: (role, stance) => announce({ ...common, lease }, role, stance),
    },
    settings.roles,
  )
  const report = { unready: () => keeperUnready(keeper), metrics: () => keeperMetrics(keeper) }
  const serving = await serve({ ...settings.health, handler: healthHandler(report), log, clock })
  try {
    await keeper.start()
    log.info('The operator runs', { identity, health: serving.url, roles: settings.roles.map(({ name }) => name) })
    log.info('The operator stops', { because: await stop })
  } finally {
    await keeper.stop()
    await listening?.close()
    await serving.close()
    await shelf.close()
    await close()
  }
}

/** As its Pod is told; undefined where no Service is to lead here, or nobody says where that is. */
function ownEndpoint(agents: AgentWishes | undefined, port: number): OwnEndpoint | undefined {
  const { POD_IP: address, NODE_NAME: node } = process.env
  return agents?.service === undefined || address === undefined ? undefined : { service: agents.service, address, node, port }
}
