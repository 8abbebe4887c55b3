import { printInstant } from '../core/instant.ts'
import type { KubeObject } from '../core/object.ts'
import type { Clock, Ids, Log, Transport, User } from '../ports/index.ts'
import { writeBootstrap } from './auth/bootstrap-write.ts'
import { guardEscalation } from './auth/escalation.ts'
import { openRbac, type Rbac } from './auth/rbac.ts'
import { batchKinds } from './builtin/batch.ts'
import { coordinationKinds } from './builtin/coordination.ts'
import { coreKinds } from './builtin/core.ts'
import { eventKinds } from './builtin/events.ts'
import { rbacKinds } from './builtin/rbac.ts'
import { reviewKinds } from './builtin/reviews.ts'
import type { Api } from './call.ts'
import { crdKind } from './crd/kind.ts'
import { apiHandler, type Handler } from './handler.ts'
import { openMetrics } from './metrics.ts'
import { openApiDocuments } from './openapi/documents.ts'
import { pathHandler } from './paths.ts'
import { openRegistry, type Registry } from './registry.ts'
import type { PathHandler } from './request.ts'
import { openSchemas } from './schemas.ts'
import { keepAggregates } from './upkeep/aggregates.ts'
import { openChores } from './upkeep/chores.ts'
import { keepCrds } from './upkeep/crds.ts'
import { keepEvents } from './upkeep/events.ts'
import { collectGarbage } from './upkeep/garbage.ts'
import { keepNamespaces } from './upkeep/namespaces.ts'
import { keepServiceAccounts } from './upkeep/service-accounts.ts'
import { openViews } from './view.ts'
import { type Credentials, virtualResources } from './virtual.ts'
import type { OpenWorld } from './world/index.ts'

export interface ApiServerOptions {
  readonly world: OpenWorld
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Issues and checks tokens; without it (simulation) those requests are refused. */
  readonly credentials?: Credentials
  readonly caCertificate?: string
  /** Further paths of the host around this server (backup). */
  readonly paths?: PathHandler
}

/** One API server instance: everything it is, without a socket. */
export interface ApiServer {
  readonly handle: Handler
  readonly rbac: Rbac
  /** The way in for callers of this process: the same handlers and the same RBAC, no token made or checked. */
  transportAs(user: User): Transport
  close(): Promise<void>
}

export async function openApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { world, clock, ids, log } = options
  const registry: Registry = openRegistry([
    ...coreKinds(),
    ...eventKinds(),
    ...batchKinds(),
    ...coordinationKinds(),
    ...rbacKinds(),
    ...reviewKinds(),
    crdKind(() => registry, clock),
  ])
  const schemas = openSchemas()
  const rbac = openRbac(world)
  const guard = guardEscalation(rbac)
  const api: Api = {
    world,
    registry,
    schemas,
    views: openViews(schemas),
    clock,
    ids,
    log,
    authorize: rbac.authorize,
    guard,
  }
  await furnish(api)
  const chores = openChores(clock, log)
  const stops = [
    keepCrds(api, chores),
    collectGarbage(api, chores),
    keepNamespaces(api, chores),
    keepServiceAccounts(api, chores, options.caCertificate),
    keepEvents(api, chores),
    keepAggregates(api, chores),
    rbac.close,
    chores.stop,
  ]
  const metrics = openMetrics(world, info => info.kind === 'resource' && registry.find(info.group, info.version, info.plural) !== undefined)
  const own = pathHandler(registry, openApiDocuments(registry), metrics, { trouble: () => world.trouble }, options.credentials?.tokens)
  const paths: PathHandler = async (...asked) => (await options.paths?.(...asked)) ?? own(...asked)
  const handle = apiHandler(api, paths, virtualResources(api, rbac, options.credentials), metrics)
  return {
    handle,
    rbac,
    transportAs: user => request => handle(request, user),
    async close() {
      for (const stop of stops) stop()
      await world.close()
    },
  }
}

/** What must be there before the first request: namespaces, and the roles without which nobody could do anything. */
async function furnish(api: Api): Promise<void> {
  await Promise.all(['default', 'kube-public', 'kube-system', 'rackwright-system'].map(name => ensureNamespace(api, name)))
  await writeBootstrap(api.world, api.clock, api.ids)
}

async function ensureNamespace(api: Api, name: string): Promise<void> {
  const kind = api.registry.byKind('v1', 'Namespace')
  await api.world.write('/namespaces', name, current => {
    if (current) return { keep: current }
    const metadata = { name, uid: api.ids.uid(), creationTimestamp: printInstant(api.clock.now()) }
    const object: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata }
    return { put: kind?.prepare?.(object, undefined) ?? object }
  })
}
