import { bootTickets } from '../../boot/tickets.ts'
import { randomIds } from '../../net/random-ids.ts'
import { serve } from '../../net/server.ts'
import type { Clock, Log } from '../../ports/index.ts'
import { openBootImages } from '../compose/boot-images.ts'
import { publishBootUrl } from '../compose/boot-url.ts'
import { openMetal } from '../compose/controllers.ts'
import { openFirmware } from '../compose/firmware.ts'
import { openHosts } from '../compose/hosts.ts'
import { announce } from './announce.ts'
import { ensureBootKey } from './boot-key.ts'
import { openKube } from './connected.ts'
import { stanceOf } from './courtesy.ts'
import { healthHandler } from './health.ts'
import { openKeeper, type Work } from './keeper.ts'
import { keeperMetrics, keeperUnready } from './metrics.ts'
import { findNeighbours } from './neighbours.ts'
import type { Role } from './roles.ts'
import type { OperatorSettings } from './settings.ts'
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
  const { namespace, bootUrl, lease, probeImage, prefixes, requireSanitized } = settings
  const shelf = shelfOf(settings, kube, clock)
  const tickets = bootTickets({ key: await ensureBootKey(kube, randomIds, namespace), baseUrl: bootUrl })
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
    const metal = openMetal({ ...common, ...shelf, tickets, probeImage, prefixes, requireSanitized, lease: { namespace, name: lease } })
    metal.controllers.start()
    return { close: () => metal.close(), health: () => metal.controllers.health(), metrics: () => metal.controllers.metrics() }
  }
  const openMachines = (): Work => {
    const kept = openHosts({ ...common, lease: { namespace, name: `${lease}-metal3` } })
    kept.controllers.start()
    return { close: () => kept.close(), health: () => kept.controllers.health(), metrics: () => kept.controllers.metrics() }
  }
  const openers: Readonly<Record<string, () => Work>> = { 'boot-images': openImages, firmware: openUpdates, metal3: openMachines }
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
    await serving.close()
    await shelf.close()
    await close()
  }
}
