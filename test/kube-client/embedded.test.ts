import { afterEach, expect, it } from 'vitest'
import { type ApiServer, openApiServer } from '../../src/apiserver/server.ts'
import { memoryStore } from '../../src/apiserver/store/memory.ts'
import { openWorld } from '../../src/apiserver/world/index.ts'
import { connect, kubeClient } from '../../src/kube/index.ts'
import { createAuthority, createServerCertificate } from '../../src/net/certificates.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { serve } from '../../src/net/server.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { type Kube, type ResourceRef, silent, type User } from '../../src/ports/index.ts'
import { clientSuite, configMaps, make, told } from './suite.ts'

const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const admin: User = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const nobody: User = { name: 'nobody', groups: ['system:authenticated'] }

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

async function server(compactAfter?: number): Promise<ApiServer> {
  const world = await openWorld({ store: memoryStore(), log: silent, ...(compactAfter ? { compactAfter } : {}) })
  const api = await openApiServer({ world, clock: wallClock, ids: randomIds, log: silent })
  opened.push(() => api.close())
  return api
}

/** The two ways to the same handlers: without a socket, and over TLS with a token. */
const ways: Record<string, (api: ApiServer, user: User) => Promise<Kube>> = {
  'in process': async (api, user) => kubeClient(api.transportAs(user), { clock: wallClock, ids: randomIds }),
  'over TLS': async (api, user) => {
    const life = { now: Date.now(), lasts: 3_600_000 }
    const authority = await createAuthority({ commonName: 'test' }, life)
    const certificate = await createServerCertificate(authority, { commonName: 'api' }, ['127.0.0.1'], life)
    const serving = await serve({
      handler: request => api.handle(request, request.headers['authorization'] === 'Bearer secret' ? user : undefined),
      host: '127.0.0.1',
      port: 0,
      log: silent,
      clock: wallClock,
      tls: certificate,
    })
    const transport = connect(
      {
        server: serving.url,
        namespace: 'default',
        tls: { authority: authority.certificate },
        login: { by: 'token', token: 'secret' },
        impersonation: {},
      },
      wallClock,
    )
    opened.push(
      () => serving.close(),
      () => transport.close(),
    )
    return kubeClient(transport, { clock: wallClock, ids: randomIds })
  },
}

for (const [name, way] of Object.entries(ways)) {
  const open = async () => {
    const api = await server()
    return { kube: await way(api, admin), nobody: await way(api, nobody), namespace: 'default' }
  }
  clientSuite(`the embedded API server, ${name}`, open)

  it(`the client and the embedded API server, ${name}: a revision whose history is gone leads to RELIST and the whole state`, async () => {
    const kube = await way(await server(10), admin)
    const { revision } = await kube.list(namespaces)
    for (let i = 0; i < 60; i++) await kube.create(configMaps, make(`m-${i}`, 'default'))
    const stop = new AbortController()
    const seen: string[] = []
    for await (const batch of kube.watch(namespaces, { from: revision }, stop.signal)) {
      seen.push(...batch.map(told))
      if (seen.includes('complete')) stop.abort()
    }
    expect(seen[0]).toBe('RELIST')
    expect(seen).toContain('ADDED default')
  })
}

it('the client in process takes objects as the server holds them, without a copy', async () => {
  const api = await server()
  const kube = kubeClient(api.transportAs(admin), { clock: wallClock, ids: randomIds })
  await kube.create(configMaps, make('a', 'default'))
  const [first, second] = await Promise.all([
    kube.list(configMaps, { namespace: 'default' }),
    kube.list(configMaps, { namespace: 'default' }),
  ])
  const a = first.items.find(({ metadata }) => metadata.name === 'a')
  expect(a).toBe(second.items.find(({ metadata }) => metadata.name === 'a'))
  expect(Object.isFrozen(a?.metadata)).toBe(true)
})
