import { openApiServer } from '../../apiserver/server.ts'
import { memoryStore } from '../../apiserver/store/memory.ts'
import { openWorld } from '../../apiserver/world/index.ts'
import { hours } from '../../core/duration.ts'
import { kubeClient } from '../../kube/index.ts'
import { createAuthority, createServerCertificate } from '../../net/certificates.ts'
import { type HttpTransport, httpTransport } from '../../net/client.ts'
import { randomIds } from '../../net/random-ids.ts'
import { serve } from '../../net/server.ts'
import { wallClock } from '../../net/wall-clock.ts'
import { type ResourceRef, silent, type User } from '../../ports/index.ts'
import type { Timeline } from '../clock/timeline.ts'
import { root } from '../people.ts'
import type { RealApi } from './world.ts'

const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }

/** The embedded API server over HTTPS on loopback, in simulated time. Who asks is told by a bearer token that only this process knows. */
export async function embeddedOverHttps(clock: Timeline): Promise<RealApi> {
  const world = await openWorld({ store: memoryStore(), log: silent })
  const server = await openApiServer({ world, clock, ids: randomIds, log: silent })
  const users = new Map<string, User>()
  // Certificates know no other time than the wall's.
  const life = { now: wallClock.now(), lasts: hours(24) }
  const authority = await createAuthority({ commonName: 'simulation' }, life)
  const certificate = await createServerCertificate(authority, { commonName: 'api' }, ['127.0.0.1'], life)
  const serving = await serve({
    handler: request => server.handle(request, users.get(request.headers['authorization'] ?? '')),
    host: '127.0.0.1',
    port: 0,
    log: silent,
    clock,
    tls: certificate,
  })
  const transports: HttpTransport[] = []
  return {
    as(user) {
      const token = `Bearer ${randomIds.nonce(24)}`
      users.set(token, user)
      const transport = httpTransport({
        baseUrl: serving.url,
        tls: { authority: authority.certificate },
        headers: () => ({ authorization: token }),
      })
      transports.push(transport)
      return transport
    },
    async install(crds) {
      const kube = kubeClient(server.transportAs(root), { clock, ids: randomIds })
      for (const crd of crds) await kube.create(definitions, crd)
    },
    async close() {
      await Promise.all(transports.map(transport => transport.close()))
      await serving.close()
      await server.close()
    },
  }
}
