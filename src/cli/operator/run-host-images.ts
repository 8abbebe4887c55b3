import { join } from 'node:path'
import { notFound } from '../../boot/answers.ts'
import { withoutKeys } from '../../boot/without-keys.ts'
import { randomIds } from '../../net/random-ids.ts'
import { serve } from '../../net/server.ts'
import { openHostImages } from '../compose/host-images.ts'
import type { ImageWishes } from '../live-isos.ts'
import { ensureBootKey } from './boot-key.ts'
import { openKube } from './connected.ts'
import { healthHandler } from './health.ts'
import type { ProcessPorts } from './run.ts'
import type { BootServerSettings } from './settings.ts'

export interface HostImagesSettings extends BootServerSettings {
  readonly wishes: ImageWishes
  /** Where the Ironic agent on those images calls. */
  readonly agentUrl: string
  /** Images of InfraEnvs that an assisted service makes are taken over from it. */
  readonly takeOver: boolean
}

/** Builds and serves images of hosts by itself: one process, which has everything in memory that it serves. */
export async function runHostImages(settings: HostImagesSettings, { clock, log, stop }: ProcessPorts): Promise<void> {
  const { kube, identity, close } = await openKube(settings.kubeconfig, { clock, log }, 'rackwright-host-images')
  const { namespace, host, port, bootUrl, cache, wishes, agentUrl, takeOver } = settings
  const { agentImage: image, agentAuthority: authority, ...what } = wishes
  const built = await openHostImages(
    { kube, clock, ids: randomIds, log, identity, lease: { namespace, name: 'rackwright-host-images' } },
    {
      ...what,
      takeOver,
      folder: join(cache, 'host-images'),
      baseUrl: bootUrl,
      key: await ensureBootKey(kube, randomIds, namespace),
      agent: { apiUrl: agentUrl, callbackUrl: `${agentUrl}/v1/continue_inspection`, image, authority },
    },
  )
  const serving = await serve({
    host,
    port,
    log,
    clock,
    logged: withoutKeys,
    handler: async request => built.handler(request) ?? notFound,
    ...(settings.tls ? { tls: settings.tls } : {}),
  })
  const { controllers } = built
  const report = {
    unready: () => controllers.health().because,
    metrics: () => controllers.metrics(),
  }
  const health = await serve({ ...settings.health, handler: healthHandler(report), log, clock })
  controllers.start()
  log.info('Images of hosts are built and served', { url: serving.url, health: health.url })
  log.info('The server of host images stops', { because: await stop })
  await serving.close()
  await built.close()
  await health.close()
  await close()
}
