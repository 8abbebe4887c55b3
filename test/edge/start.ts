import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authenticator } from '../../src/apiserver/auth/authenticate.ts'
import { edge } from '../../src/apiserver/auth/edge.ts'
import { openPki, type Pki } from '../../src/apiserver/auth/pki.ts'
import { openTokens } from '../../src/apiserver/auth/tokens.ts'
import { openApiServer } from '../../src/apiserver/server.ts'
import { memoryStore } from '../../src/apiserver/store/memory.ts'
import { uidsIn } from '../../src/apiserver/virtual.ts'
import { openWorld, type World } from '../../src/apiserver/world/index.ts'
import { type ClientTls, type HttpTransport, httpTransport } from '../../src/net/client.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { type Serving, serve } from '../../src/net/server.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { silent } from '../../src/ports/index.ts'

export interface Edge {
  readonly world: World
  readonly pki: Pki
  readonly serving: Serving
  /** A client that trusts the server; with `admin` it is the administrator, else nobody. */
  client(as: 'admin' | 'nobody', headers?: Readonly<Record<string, string>>): HttpTransport
  close(): Promise<void>
}

/** The whole embedded API over real TLS on loopback, in memory. */
export async function startEdge(): Promise<Edge> {
  const home = mkdtempSync(join(tmpdir(), 'edge-'))
  const clock = wallClock
  const ids = randomIds
  const pki = await openPki({ home, clock, log: silent })
  const world = await openWorld({ store: memoryStore(), log: silent })
  const tokens = openTokens({ key: pki.tokenKey, clock, ids, uidOf: uidsIn({ world }) })
  const api = await openApiServer({ world, clock, ids, log: silent, credentials: { tokens }, caCertificate: pki.authority })
  const handler = edge(authenticator({ tokens }), api.rbac, api.handle)
  const tls = { ...pki.server, clientAuthority: pki.authority }
  const serving = await serve({ handler, tls, host: '127.0.0.1', port: 0, log: silent, clock })
  await furnished(world)
  const clients: HttpTransport[] = []
  return {
    world,
    pki,
    serving,
    client(as, headers = {}) {
      const trust: ClientTls = { authority: pki.authority, ...(as === 'admin' ? pki.admin : {}) }
      const transport = httpTransport({ baseUrl: serving.url, tls: trust, headers: () => headers })
      clients.push(transport)
      return transport
    },
    async close() {
      await Promise.all(clients.map(client => client.close()))
      await serving.close()
      await api.close()
      rmSync(home, { recursive: true })
    },
  }
}

/** Resolves when every namespace has its ServiceAccount and root certificate, after which the server writes nothing by itself. */
function furnished(world: World): Promise<void> {
  const done = () => ['/serviceaccounts', '/configmaps'].every(resource => world.count(resource) >= world.count('/namespaces'))
  return new Promise(resolve => {
    const stop = world.observe(() => {
      if (!done()) return
      stop()
      resolve()
    })
    if (done()) resolve()
  })
}
