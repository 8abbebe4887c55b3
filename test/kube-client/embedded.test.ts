import { afterEach, describe, expect, it } from 'vitest'
import { type ApiServer, openApiServer } from '../../src/apiserver/server.ts'
import { memoryStore } from '../../src/apiserver/store/memory.ts'
import { openWorld } from '../../src/apiserver/world/index.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { connect, kubeClient } from '../../src/kube/index.ts'
import { createAuthority, createServerCertificate } from '../../src/net/certificates.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { serve } from '../../src/net/server.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { type Kube, type KubeEvent, type ResourceRef, silent, type User } from '../../src/ports/index.ts'

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
}
const configMaps: ResourceRef<ConfigMap> = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const admin: User = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }
const nobody: User = { name: 'nobody', groups: ['system:authenticated'] }
const make = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
})

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

describe.each(Object.entries(ways))('the client and the embedded API server, %s:', (_, way) => {
  it('create, read, update, patch and delete an object', async () => {
    const kube = await way(await server(), admin)
    const created = await kube.create(configMaps, make('a', { x: '1' }))
    expect(created.metadata.uid).toBeTypeOf('string')
    expect(await kube.get(configMaps, created.metadata)).toEqual(created)
    const updated = await kube.update(configMaps, { ...created, data: { x: '2' } })
    await expect(kube.update(configMaps, { ...created, data: { x: '3' } })).rejects.toMatchObject({ reason: 'Conflict' })
    expect((await kube.patch(configMaps, created.metadata, { merge: { data: { y: '1' } } })).data).toEqual({ x: '2', y: '1' })
    expect((await kube.patch(configMaps, created.metadata, { strategic: { data: { x: null } } })).data).toEqual({ y: '1' })
    expect((await kube.patch(configMaps, created.metadata, { json: [{ op: 'add', path: '/data/z', value: '9' }] })).data).toEqual({
      y: '1',
      z: '9',
    })
    await expect(kube.delete(configMaps, created.metadata, { uid: 'another' })).rejects.toMatchObject({ reason: 'Conflict' })
    await expect(kube.delete(configMaps, created.metadata, { revision: updated.metadata.resourceVersion! })).rejects.toMatchObject({
      reason: 'Conflict',
    })
    await kube.delete(configMaps, created.metadata, { uid: created.metadata.uid! })
    expect(await kube.find(configMaps, created.metadata)).toBeUndefined()
  })

  it('name an object by generateName', async () => {
    const kube = await way(await server(), admin)
    const { name } = (await kube.create(configMaps, { ...make(''), metadata: { generateName: 'job-', namespace: 'default' } })).metadata
    expect(name).toMatch(/^job-.{5}$/)
  })

  it('tell refusals as they are: exists, forbidden, not served', async () => {
    const api = await server()
    const kube = await way(api, admin)
    await kube.create(configMaps, make('a'))
    await expect(kube.create(configMaps, make('a'))).rejects.toMatchObject({
      reason: 'AlreadyExists',
      details: { name: 'a', kind: 'configmaps' },
    })
    await expect(kube.find({ ...configMaps, plural: 'configs' }, { name: 'a', namespace: 'default' })).rejects.toMatchObject({
      reason: 'NotFound',
    })
    await expect((await way(api, nobody)).get(configMaps, { name: 'a', namespace: 'default' })).rejects.toMatchObject({
      reason: 'Forbidden',
    })
  })

  it('list more objects than fit a page, at one revision, by selector', async () => {
    const kube = await way(await server(), admin)
    const names = Array.from({ length: 1_100 }, (_, i) => `m-${String(i).padStart(4, '0')}`)
    await Promise.all(
      names.map(name =>
        kube.create(configMaps, {
          ...make(name),
          metadata: { name, namespace: 'default', labels: { odd: String(Number(name.slice(2)) % 2) } },
        }),
      ),
    )
    expect((await kube.list(configMaps, { namespace: 'default', labels: 'odd' })).items.map(({ metadata }) => metadata.name)).toEqual(names)
    expect((await kube.list(configMaps, { labels: 'odd=1' })).items).toHaveLength(550)
    expect((await kube.list(configMaps, { fields: 'metadata.name=m-0007' })).items).toHaveLength(1)
  })

  it('watch: the whole state, then every change, in order', async () => {
    const kube = await way(await server(), admin)
    await kube.create(configMaps, make('a'))
    const stop = new AbortController()
    const seen: string[] = []
    for await (const batch of kube.watch(configMaps, { namespace: 'default' }, stop.signal)) {
      for (const event of batch) {
        seen.push(told(event))
        if (event.type === 'BOOKMARK' && event.complete) {
          await kube.create(configMaps, make('b'))
          await kube.patch(configMaps, { name: 'a', namespace: 'default' }, { merge: { data: { x: '1' } } })
          await kube.delete(configMaps, { name: 'b', namespace: 'default' })
        }
        if (event.type === 'DELETED') stop.abort()
      }
    }
    expect(seen).toEqual(['ADDED a', 'complete', 'ADDED b', 'MODIFIED a', 'DELETED b'])
  })

  it('watch: a state too large for one buffer is told all the same', async () => {
    const kube = await way(await server(), admin)
    const large = 'x'.repeat(500_000)
    await Promise.all(Array.from({ length: 12 }, (_, i) => kube.create(configMaps, make(`large-${i}`, { large }))))
    const stop = new AbortController()
    let names = new Set<string>()
    for await (const batch of kube.watch(configMaps, { namespace: 'default' }, stop.signal)) {
      for (const event of batch) {
        if (event.type === 'ADDED') names.add(event.object.metadata.name)
        if (event.type === 'RELIST') names = new Set()
        if (event.type === 'BOOKMARK' && event.complete) stop.abort()
      }
    }
    expect(names.size).toBe(12)
  })

  it('watch: a revision whose history is gone leads to RELIST and the whole state', async () => {
    const kube = await way(await server(10), admin)
    const { revision } = await kube.list(namespaces)
    for (let i = 0; i < 60; i++) await kube.create(configMaps, make(`m-${i}`))
    const stop = new AbortController()
    const seen: string[] = []
    for await (const batch of kube.watch(namespaces, { from: revision }, stop.signal)) {
      seen.push(...batch.map(told))
      if (seen.includes('complete')) stop.abort()
    }
    expect(seen[0]).toBe('RELIST')
    expect(seen).toContain('ADDED default')
  })
})

const told = (event: KubeEvent<KubeObject>): string => {
  if (event.type === 'BOOKMARK') return event.complete ? 'complete' : 'bookmark'
  return event.type === 'RELIST' || event.type === 'INTERRUPTED' ? event.type : `${event.type} ${event.object.metadata.name}`
}

it('the client in process takes objects as the server holds them, without a copy', async () => {
  const api = await server()
  const kube = kubeClient(api.transportAs(admin), { clock: wallClock, ids: randomIds })
  await kube.create(configMaps, make('a'))
  const [first, second] = await Promise.all([
    kube.list(configMaps, { namespace: 'default' }),
    kube.list(configMaps, { namespace: 'default' }),
  ])
  const a = first.items.find(({ metadata }) => metadata.name === 'a')
  expect(a).toBe(second.items.find(({ metadata }) => metadata.name === 'a'))
  expect(Object.isFrozen(a?.metadata)).toBe(true)
})
