import { ApiError } from '../api/status.ts'
import type { KubeObject } from '../core/object.ts'
import {
  type Clock,
  type Ids,
  type Kube,
  type Log,
  type Patch,
  type RequestOptions,
  silent,
  type Transport,
  type WriteOptions,
} from '../ports/index.ts'
import { ask, type Line } from './exchange.ts'
import { list } from './list.ts'
import { collectionPath, objectPath, type Query } from './path.ts'
import { type ServerTraits, watch } from './watch.ts'

export interface KubeClientOptions {
  readonly clock: Clock
  readonly ids: Ids
  readonly log?: Log
  /** How this program names itself to the server. */
  readonly userAgent?: string
}

/** A client of one API server, over whatever carries its requests: TLS to a cluster, or the embedded server's own handlers. */
export function kubeClient(transport: Transport, options: KubeClientOptions): Kube {
  const line: Line = {
    transport,
    clock: options.clock,
    ids: options.ids,
    log: options.log ?? silent,
    userAgent: options.userAgent ?? 'rackwright',
  }
  const traits: ServerTraits = { streamsInitialState: true }
  const get: Kube['get'] = async <T extends KubeObject>(...[of, key, asking]: Parameters<Kube['get']>) =>
    (await ask(line, { method: 'GET', url: objectPath(of, key), ...signalOf(asking) })) as T

  return {
    get,
    async find(of, key, asking) {
      try {
        return await get(of, key, asking)
      } catch (error) {
        // A resource that is not served is 404 as well, but names no object.
        if (ApiError.is(error, 'NotFound') && error.details?.name === key.name) return undefined
        throw error
      }
    },
    list: (of, where = {}, asking = {}) => list(line, of, where, asking.signal),
    watch: (of, where, signal) => watch(line, traits, of, where, signal),
    async create<T extends KubeObject>(...[of, object, writing]: Parameters<Kube['create']>) {
      const url = collectionPath(of, object.metadata.namespace, writeQuery(writing))
      return (await ask(line, { method: 'POST', url, body: object, ...signalOf(writing) })) as T
    },
    async update(of, object, writing) {
      const url = objectPath(of, object.metadata, writing?.subresource, writeQuery(writing))
      return (await ask(line, { method: 'PUT', url, body: object, ...signalOf(writing) })) as typeof object
    },
    async patch<T extends KubeObject>(...[of, key, patch, writing]: Parameters<Kube['patch']>) {
      const { body, contentType, query } = encodePatch(patch)
      const url = objectPath(of, key, writing?.subresource, { ...writeQuery(writing), ...query })
      return (await ask(line, { method: 'PATCH', url, body, contentType, ...signalOf(writing) })) as T
    },
    async delete(of, key, deleting = {}) {
      const { uid, revision, propagation, dryRun } = deleting
      const preconditions = { ...(uid ? { uid } : {}), ...(revision ? { resourceVersion: revision } : {}) }
      const body = {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        ...(uid || revision ? { preconditions } : {}),
        ...(propagation ? { propagationPolicy: propagation } : {}),
        ...(dryRun ? { dryRun: ['All'] } : {}),
      }
      await ask(line, { method: 'DELETE', url: objectPath(of, key), body, ...signalOf(deleting) })
    },
    call: async <Answer>(...[of, key, subresource, body, asking]: Parameters<Kube['call']>) =>
      (await ask(line, { method: 'POST', url: objectPath(of, key, subresource), body, ...signalOf(asking) })) as Answer,
  }
}

function encodePatch(patch: Patch): { readonly body: object; readonly contentType: string; readonly query: Query } {
  if ('merge' in patch) return { body: patch.merge, contentType: 'application/merge-patch+json', query: {} }
  if ('strategic' in patch) return { body: patch.strategic, contentType: 'application/strategic-merge-patch+json', query: {} }
  if ('json' in patch) return { body: patch.json, contentType: 'application/json-patch+json', query: {} }
  // JSON is YAML, and this is the only name under which servers of every age take an apply.
  return { body: patch.apply, contentType: 'application/apply-patch+yaml', query: { fieldManager: patch.manager, force: patch.force } }
}

const writeQuery = (writing: WriteOptions = {}): Query => ({
  dryRun: writing.dryRun ? 'All' : undefined,
  fieldManager: writing.manager,
  fieldValidation: writing.fieldValidation,
})

const signalOf = (asking: RequestOptions | undefined): { readonly signal?: AbortSignal } =>
  asking?.signal ? { signal: asking.signal } : {}
