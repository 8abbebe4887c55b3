import { setTimeout } from 'node:timers/promises'
import { ApiError } from '../../src/api/status.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { connect, kubeClient, loadConnection } from '../../src/kube/index.ts'
import type { HttpTransport } from '../../src/net/client.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import type { Kube, ResourceRef, User } from '../../src/ports/index.ts'
import type { RealApi } from '../../src/sim/paced/world.ts'
import { startCluster } from '../../tools/kube/cluster.ts'

const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }
const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }

const settling = 3_000

interface Definition extends KubeObject {
  readonly spec: {
    readonly group: string
    readonly scope: string
    readonly names: { readonly plural: string }
    readonly versions: readonly { readonly name: string }[]
  }
}

/** A real control plane on which one story is played after the other. Its own clock is the wall's; nobody else's is. */
export interface RealCluster {
  /** Everything that a story left is taken away when it is closed. */
  api(): Promise<RealApi>
  close(): Promise<void>
}

/** `leftovers` are built-in resources that stories use, and in which namespace. */
export async function openRealCluster(bin: string, leftovers: readonly { of: ResourceRef; namespace: string }[]): Promise<RealCluster> {
  const cluster = await startCluster(bin)
  const connection = await loadConnection({ file: cluster.kubeconfig })
  const opened = new Map<string, HttpTransport>()
  const as = ({ name, groups }: User): HttpTransport => {
    const key = JSON.stringify([name, groups])
    // A header names one group; that it is somebody who is known the server adds by itself.
    const impersonation = { 'impersonate-user': name, 'impersonate-group': groups.find(group => group !== 'system:authenticated') ?? '' }
    const transport = opened.get(key) ?? connect({ ...connection, impersonation }, wallClock)
    opened.set(key, transport)
    return transport
  }
  const admin = connect(connection, wallClock)
  opened.set('admin', admin)
  const kube = kubeClient(admin, { clock: wallClock, ids: randomIds })
  for (const name of new Set(leftovers.map(({ namespace }) => namespace)))
    if (!(await kube.find(namespaces, { name })))
      await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as never)
  const installed = new Map<string, ResourceRef>()
  const stood = new Set((await Promise.all(leftovers.map(async at => keysOf(await list(kube, at.of, at.namespace))))).flat())

  async function install(crds: readonly KubeObject[]): Promise<void> {
    const missing = (crds as readonly Definition[]).filter(({ metadata }) => !installed.has(metadata.name))
    for (const crd of missing) {
      await kube.create(definitions, crd as never)
      const { group, scope, names, versions } = crd.spec
      const of = { group, version: versions[0]?.name ?? '', plural: names.plural, namespaced: scope === 'Namespaced' }
      installed.set(crd.metadata.name, of)
    }
    // While definitions settle, the server opens their stores anew now and then, and ends the watches of the old ones.
    if (missing.length > 0) await setTimeout(settling)
    for (const { metadata } of missing) await served(kube, installed.get(metadata.name)!)
  }

  async function wipe(): Promise<void> {
    for (const of of installed.values()) for (const object of await list(kube, of)) await remove(kube, of, object)
    for (const { of, namespace } of leftovers)
      for (const object of await list(kube, of, namespace)) if (!stood.has(object.metadata.uid ?? '')) await remove(kube, of, object)
  }

  return {
    api: async () => ({ as, install, close: wipe }),
    async close() {
      for (const transport of opened.values()) await transport.close()
      await cluster.stop()
    },
  }
}

const keysOf = (objects: readonly KubeObject[]): readonly string[] => objects.map(({ metadata }) => metadata.uid ?? '')
const list = async (kube: Kube, of: ResourceRef, namespace?: string): Promise<readonly KubeObject[]> =>
  (await kube.list(of, namespace === undefined ? {} : { namespace })).items

/** A kind is served, and can be watched, a moment after its definition was taken: whoever asks before is told to come back later. */
async function served(kube: Kube, of: ResourceRef): Promise<void> {
  const over = new AbortController()
  for await (const batch of kube.watch(of, {}, over.signal))
    if (batch.some(event => event.type === 'BOOKMARK' && event.complete)) return over.abort(new Error('it is served'))
}

async function remove(kube: Kube, of: ResourceRef, { metadata }: KubeObject): Promise<void> {
  const key = { name: metadata.name, ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }) }
  const found = await kube.find(of, key)
  if (!found) return
  if ((found.metadata.finalizers ?? []).length > 0)
    await kube.patch(of, key, { merge: { metadata: { finalizers: null } } }).catch(unlessGone)
  await kube.delete(of, key).catch(unlessGone)
}

/** The server's own garbage collector cleans up, too, and may be quicker: what belongs to an object goes after it. */
function unlessGone(error: unknown): void {
  if (!ApiError.is(error, 'NotFound')) throw error
}
