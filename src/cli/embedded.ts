import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { crdOf } from '../api/crd.ts'
import { kinds } from '../api/kinds.ts'
import { json, text } from '../apiserver/answer.ts'
import { authenticator } from '../apiserver/auth/authenticate.ts'
import { edge } from '../apiserver/auth/edge.ts'
import { openPki, type Pki, writeKubeconfig } from '../apiserver/auth/pki.ts'
import { openTokens } from '../apiserver/auth/tokens.ts'
import type { PathHandler } from '../apiserver/request.ts'
import { type ApiServer, openApiServer } from '../apiserver/server.ts'
import { sealedStore } from '../apiserver/store/sealed.ts'
import { openSqliteStore } from '../apiserver/store/sqlite.ts'
import { uidsIn } from '../apiserver/virtual.ts'
import { openWorld } from '../apiserver/world/index.ts'
import { hours } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import { kubeClient } from '../kube/index.ts'
import { randomIds } from '../net/random-ids.ts'
import { type ServerTls, type Serving, serve } from '../net/server.ts'
import { wallClock } from '../net/wall-clock.ts'
import type { Log, Store } from '../ports/index.ts'
import type { Home } from './home.ts'
import { installCrds } from './install-crds.ts'
import { secretsKey } from './secrets-key.ts'

export interface EmbeddedOptions {
  readonly home: Home
  readonly host: string
  readonly port: number
  readonly log: Log
  readonly acceptLoss?: boolean
  /** Certificates of the user's own, PEM; needed beyond loopback. */
  readonly certificate?: { readonly certificate: string; readonly key: string }
  /** What the tries of a Job said; undefined where there is no such Job. */
  jobLog?(namespace: string, name: string): Promise<readonly string[] | undefined>
}

export interface Embedded {
  readonly url: string
  readonly kubeconfig: string
  readonly server: ApiServer
  close(): Promise<void>
}

/** The embedded Kubernetes API on this machine: store, world, server, TLS edge, kubeconfig, our CRDs. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { home, log, host, port } = options
  refuseOpenDoor(options)
  const open = async (acceptLoss: boolean): Promise<Store> => {
    const store = await openSqliteStore(home.store, { log, acceptLoss })
    return sealedStore(store, secretsKey(home))
  }
  // The store's lock comes first: two first starts at once must not mix their keys.
  const store = { current: await open(options.acceptLoss === true) }
  // What is opened on top of something closes it too, so only the uppermost is closed.
  let base: () => Promise<void> = () => store.current.close()
  const close: (() => unknown)[] = [() => base()]
  try {
    const pki = await openPki({ home: home.root, clock: wallClock, log, names: namesOf(host) })
    const reopen = async (): Promise<Store> => {
      // Loss is accepted by a person at a start, never by a running process.
      store.current = await open(false)
      return store.current
    }
    const world = await openWorld({ store: store.current, log, reopen })
    base = () => world.close()
    const tokens = openTokens({ key: pki.tokenKey, clock: wallClock, ids: randomIds, uidOf: uidsIn({ world }) })
    const paths = pathsOf(options, () => store.current)
    const server = await openApiServer({
      world,
      clock: wallClock,
      ids: randomIds,
      log,
      credentials: { tokens },
      caCertificate: pki.authority,
      paths,
    })
    base = () => server.close()
    const handler = edge(authenticator({ tokens }), server.rbac, server.handle)
    const serving = await serve({ host, port, log, clock: wallClock, tls: tlsOf(options, pki), handler })
    close.unshift(keepCertificates(options, serving), () => serving.close())
    const kube = kubeClient(server.transportAs(installer), { clock: wallClock, ids: randomIds })
    await installCrds(kube, kinds.map(crdOf))
    const kubeconfig = await writeKubeconfig(home.root, pki, serving.url)
    return { url: serving.url, kubeconfig, server, close: () => inOrder(close) }
  } catch (error) {
    await inOrder(close)
    throw error
  }
}

/** Who installs our own CRDs at start: the program itself, under a name that shows in the audit trail. */
const installer = { name: 'system:rackwright:installer', groups: ['system:masters', 'system:authenticated'] }

/** The address we listen on, where it is one that clients can use. */
const namesOf = (host: string): readonly string[] => (host === '0.0.0.0' || host === '::' ? [] : [host])

async function inOrder(steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) await step()
}

function refuseOpenDoor({ host, certificate }: EmbeddedOptions): void {
  const loopback = host === 'localhost' || host === '::1' || /^127\./.test(host)
  if (loopback || certificate) return
  throw new Fault(
    'api/no-certificate',
    `Cannot listen on ${host}: beyond loopback the API needs certificates that its clients can check`,
    'never',
    {
      hint: 'give --tls-cert and --tls-key, or leave --host at 127.0.0.1',
    },
  )
}

const tlsOf = ({ certificate }: EmbeddedOptions, pki: Pki): ServerTls => ({
  ...(certificate ?? pki.server),
  clientAuthority: pki.authority,
})

/** Leaves are renewed before they expire, without a restart. */
function keepCertificates(options: EmbeddedOptions, serving: Serving): () => void {
  let cancel = (): void => {}
  const look = async (): Promise<void> => {
    try {
      const pki = await openPki({ home: options.home.root, clock: wallClock, log: options.log, names: namesOf(options.host) })
      serving.renew(tlsOf(options, pki))
      await writeKubeconfig(options.home.root, pki, serving.url)
    } catch (error) {
      options.log.error('Certificates cannot be renewed', { error: String(error) })
    }
    cancel = wallClock.after(hours(12), () => void look())
  }
  cancel = wallClock.after(hours(12), () => void look())
  return () => cancel()
}

/** What is served beside objects; RBAC decides who may ask. */
const pathsOf = ({ home, jobLog }: EmbeddedOptions, store: () => Store): PathHandler => {
  const backup = backupPath(home, store)
  return async (path, request, query) => {
    const [, namespace, name] = /^\/rackwright\/jobs\/([^/]+)\/([^/]+)\/log$/.exec(path) ?? []
    if (namespace === undefined || name === undefined || request.method !== 'GET') return backup(path, request, query)
    const lines = await jobLog?.(decodeURIComponent(namespace), decodeURIComponent(name))
    return lines && text(lines.map(line => `${line}\n`).join(''))
  }
}

/** `POST /rackwright/backup` writes a copy beside the state; RBAC decides who may ask. */
function backupPath(home: Home, store: () => Store): PathHandler {
  return async (path, request) => {
    if (path !== '/rackwright/backup' || request.method !== 'POST') return undefined
    mkdirSync(home.backups, { recursive: true, mode: 0o700 })
    const file = join(home.backups, `rackwright-${wallClock.now()}.db`)
    return json({ file, revision: await store().backup(file) }, 201)
  }
}
