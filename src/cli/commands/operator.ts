import { bootTickets } from '../../boot/tickets.ts'
import { randomIds } from '../../net/random-ids.ts'
import { serve } from '../../net/server.ts'
import { wallClock } from '../../net/wall-clock.ts'
import type { Options } from '../catalogue/command.ts'
import { publishBootUrl } from '../compose/boot-url.ts'
import { openMetal } from '../compose/controllers.ts'
import { openShelf } from '../compose/shelf.ts'
import { announce } from '../operator/announce.ts'
import { ensureBootKey } from '../operator/boot-key.ts'
import { openKube } from '../operator/connected.ts'
import { stanceOf } from '../operator/courtesy.ts'
import { healthHandler } from '../operator/health.ts'
import { openKeeper, type Work } from '../operator/keeper.ts'
import { keeperMetrics, keeperUnready } from '../operator/metrics.ts'
import { findNeighbours } from '../operator/neighbours.ts'
import { merged, operatorSettings } from '../operator/settings.ts'
import { stdoutLog } from '../operator/stdout-log.ts'
import { stopSignal } from '../stop-signal.ts'

/** The same controllers against any Kubernetes. Several replicas may run: one of them acts, the others keep their caches warm. */
export async function operator(given: Options): Promise<number> {
  const settings = operatorSettings(merged(given))
  const log = stdoutLog()
  const stop = stopSignal()
  const { kube, identity, close } = await openKube(settings.kubeconfig, log, 'rackwright-operator')
  const { namespace, bootUrl, lease, probeImage } = settings
  const shelf = openShelf({
    folder: settings.cache,
    baseUrl: bootUrl,
    layouts: settings.layouts,
    ...(settings.registries ? { allowed: settings.registries } : {}),
  })
  const tickets = bootTickets({ key: await ensureBootKey(kube, randomIds, namespace), baseUrl: bootUrl })
  await publishBootUrl(kube, bootUrl, namespace)
  const common = { kube, clock: wallClock, ids: randomIds, log, identity, namespace }
  const open = (): Work => {
    const metal = openMetal({ ...common, ...shelf, tickets, probeImage, lease: { namespace, name: lease } })
    metal.controllers.start()
    return { close: () => metal.close(), health: () => metal.controllers.health(), metrics: () => metal.controllers.metrics() }
  }
  const keeper = openKeeper(
    {
      clock: wallClock,
      log,
      open,
      stance: async role => stanceOf(role, await findNeighbours(kube, wallClock, role), settings.takeOver.includes(role)),
      tell: (role, stance) => announce({ ...common, lease }, role, stance),
    },
    settings.roles,
  )
  const report = { unready: () => keeperUnready(keeper), metrics: () => keeperMetrics(keeper) }
  const serving = await serve({ ...settings.health, handler: healthHandler(report), log, clock: wallClock })
  try {
    await keeper.start()
    log.info('The operator runs', { identity, health: serving.url, roles: settings.roles.map(({ name }) => name) })
    log.info('The operator stops', { because: await stop })
    return 0
  } finally {
    await keeper.stop()
    await serving.close()
    await shelf.close()
    await close()
  }
}
