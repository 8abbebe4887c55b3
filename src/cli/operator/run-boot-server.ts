import { openBootServer } from '../../boot/server.ts'
import { keepTidy } from '../../boot/tidy.ts'
import { withoutKeys } from '../../boot/without-keys.ts'
import { seconds } from '../../core/duration.ts'
import { serve } from '../../net/server.ts'
import type { Kube } from '../../ports/index.ts'
import { readBootKey } from './boot-key.ts'
import { openKube } from './connected.ts'
import { healthHandler } from './health.ts'
import type { ProcessPorts } from './run.ts'
import type { BootServerSettings } from './settings.ts'
import { shelfOf } from './shelf-of.ts'
import { keepStocked } from './stocking.ts'

/** The boot server by itself. It reads what is open, and goes on serving that while the API is away. */
export async function runBootServer(settings: BootServerSettings, ports: ProcessPorts): Promise<void> {
  const { clock, log, stop } = ports
  const { kube, close } = await openKube(settings.kubeconfig, ports, 'rackwright-boot-server')
  const { bootUrl, namespace, host, port, allowUserDataByWindow } = settings
  const over = new AbortController()
  void stop.then(() => over.abort(new Error('the boot server stops')))
  const shelf = shelfOf(settings, kube, clock)
  const key = await keyOnceMade(kube, namespace, ports, over.signal)
  if (!key) return
  const server = openBootServer({ kube, clock, log, blobs: shelf.blobs, key, baseUrl: bootUrl, allowUserDataByWindow })
  const serving = await serve({
    host,
    port,
    log,
    clock,
    logged: withoutKeys,
    handler: (request, peer) => server.handler(request, peer),
    ...(settings.tls ? { tls: settings.tls } : {}),
  })
  const report = {
    unready: () => (server.ready ? [] : ['what is open is not known yet']),
    metrics: async () => server.metrics(),
  }
  const health = await serve({ ...settings.health, handler: healthHandler(report), log, clock })
  server.start()
  const stocking = keepStocked(kube, shelf.artifacts, log, over.signal)
  const tidying = keepTidy({ clock, log }, server, shelf.artifacts, over.signal)
  log.info('The boot server runs', { url: serving.url, health: health.url })
  log.info('The boot server stops', { because: await stop })
  await serving.close()
  await server.stop()
  await stocking
  await tidying
  await health.close()
  await shelf.close()
  await close()
}

/** The controllers make the key when they first start; until then there is nothing to serve. */
async function keyOnceMade(
  kube: Kube,
  namespace: string,
  { clock, log }: ProcessPorts,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  for (let told = false; !signal.aborted; told = true) {
    const key = await readBootKey(kube, namespace).catch((error: unknown) => {
      log.warn('Cannot read the key of boot tickets', { error: error instanceof Error ? error.message : String(error) })
      return undefined
    })
    if (key) return key
    if (!told) log.info('Waits for the key of boot tickets, which the controllers make')
    await clock.sleep(seconds(2), signal).catch(() => {})
  }
  return undefined
}
