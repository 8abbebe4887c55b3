import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seconds } from '../../core/duration.ts'
import { serve } from '../../net/server.ts'
import { wallClock } from '../../net/wall-clock.ts'
import type { HttpResponse, Kube, Log } from '../../ports/index.ts'
import { type AssistedService, openAssistedService } from '../../sim/assisted/service.ts'
import { makeLiveIso } from '../../sim/images/live-iso.ts'
import type { Home } from '../home.ts'
import type { ImageWishes } from '../live-isos.ts'

/** What zero touch needs besides hosts, all of it simulated: a live ISO, and an assisted service that agents call. */
export interface ZeroTouch {
  readonly images: ImageWishes
  readonly service: AssistedService
  close(): Promise<void>
}

const nothingHere: HttpResponse = { status: 404, headers: {}, body: new Uint8Array() }

export async function openZeroTouch(at: { readonly home: Home; readonly kube: Kube; readonly log: Log; readonly speed: number }) {
  const folder = join(at.home.root, 'cache')
  const iso = join(folder, 'simulated-coreos.iso')
  mkdirSync(folder, { recursive: true })
  writeFileSync(iso, makeLiveIso().bytes)
  const service = openAssistedService({ kube: at.kube, clock: wallClock })
  const serving = await serve({
    host: '127.0.0.1',
    port: 0,
    clock: wallClock,
    log: at.log,
    handler: async request => (await service.handler(request)) ?? nothingHere,
  })
  const zeroTouch: ZeroTouch = {
    images: {
      liveIsos: { x86_64: iso },
      agentImage: 'images.sim/ironic-agent:1',
      assisted: { url: serving.url, agentImage: 'images.sim/assisted-agent:1' },
      minimal: false,
      // As much shorter as its machines are faster.
      linkedSettling: seconds(60) / at.speed,
    },
    service,
    close: () => serving.close(),
  }
  return zeroTouch
}
