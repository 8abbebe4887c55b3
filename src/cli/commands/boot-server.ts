import { openBootServer } from '../../boot/server.ts'
import { withoutTicket } from '../../boot/ticket.ts'
import { seconds } from '../../core/duration.ts'
import { serve } from '../../net/server.ts'
import { wallClock } from '../../net/wall-clock.ts'
import type { Kube, Log } from '../../ports/index.ts'
import type { Options } from '../catalogue/command.ts'
import { openShelf } from '../compose/shelf.ts'
import { readBootKey } from '../operator/boot-key.ts'
import { openKube } from '../operator/connected.ts'
import { healthHandler } from '../operator/health.ts'
import { bootServerSettings, merged } from '../operator/settings.ts'
import { stdoutLog } from '../operator/stdout-log.ts'
import { keepStocked } from '../operator/stocking.ts'
import { stopSignal } from '../stop-signal.ts'

/** The boot server by itself, as many replicas as are wanted. It reads what is open and goes on serving it while the API is away. */
export async function bootServer(given: Options): Promise<number> {
  const settings = bootServerSettings(merged(given))
  const log = stdoutLog()
  const stop = stopSignal()
  const { kube, close } = await openKube(settings.kubeconfig, log, 'rackwright-boot-server')
  const { bootUrl, namespace, host, port, allowUserDataByWindow } = settings
  const over = new AbortController()
  void stop.then(() => over.abort(new Error('the boot server stops')))
  const shelf = openShelf({
    folder: settings.cache,
    baseUrl: bootUrl,
    layouts: settings.layouts,
    ...(settings.registries ? { allowed: settings.registries } : {}),
  })
  const key = await keyOnceMade(kube, namespace, log, over.signal)
  if (!key) return 0
  const server = openBootServer({ kube, clock: wallClock, log, blobs: shelf.blobs, key, baseUrl: bootUrl, allowUserDataByWindow })
  const serving = await serve({
    host,
    port,
    log,
    logged: withoutTicket,
    clock: wallClock,
    handler: (request, peer) => server.handler(request, peer),
  })
  const report = {
    unready: () => (server.ready ? [] : ['what is open is not known yet']),
    metrics: async () => server.metrics(),
  }
  const health = await serve({ ...settings.health, handler: healthHandler(report), log, clock: wallClock })
  server.start()
  const stocking = keepStocked(kube, shelf.artifacts, log, over.signal)
  log.info('The boot server runs', { url: serving.url, health: health.url })
  log.info('The boot server stops', { because: await stop })
  await serving.close()
  await server.stop()
  await stocking
  await health.close()
  await shelf.close()
  await close()
  return 0
}

/** The controllers make the key when they first start; until then there is nothing to serve. */
async function keyOnceMade(kube: Kube, namespace: string, log: Log, signal: AbortSignal): Promise<Uint8Array | undefined> {
  for (let told = false; !signal.aborted; told = true) {
    const key = await readBootKey(kube, namespace).catch((error: unknown) => {
      log.warn('Cannot read the key of boot tickets', { error: error instanceof Error ? error.message : String(error) })
      return undefined
    })
    if (key) return key
    if (!told) log.info('Waits for the key of boot tickets, which the controllers make')
    await wallClock.sleep(seconds(2), signal).catch(() => {})
  }
  return undefined
}
