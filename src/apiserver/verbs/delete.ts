import { ApiError } from '../../api/status.ts'
import { printInstant } from '../../core/instant.ts'
import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { HttpResponse } from '../../ports/index.ts'
import { bytes, json } from '../answer.ts'
import type { Api, Call } from '../call.ts'
import { conflict, notFound } from '../registry.ts'
import { objectKey, type Resource, storedUnder } from '../resource.ts'
import type { Draft, Entry } from '../world/world.ts'
import { readOptionalBody } from './body.ts'
import { commit, draftOf, isDryRun, shown } from './commit.ts'

export type Propagation = 'Background' | 'Foreground' | 'Orphan'

export interface DeleteOptions {
  readonly propagation: Propagation | undefined
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
  readonly dryRun: boolean
}

export async function remove(api: Api, call: Call): Promise<HttpResponse> {
  const { resource, info } = call
  const options = deleteOptions(call)
  const { entry, gone } = await removeOne(api, resource, objectKey(info.namespace, info.name ?? ''), options)
  if (!gone || resource.kind === 'Namespace') return bytes(shown(api, call, entry))
  const { name, uid } = entry.object.metadata
  return json({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(resource.group ? { group: resource.group } : {}), kind: resource.plural, uid },
  })
}

/** Deletes one object by key: at once, or by marking it when something still has to be done about it first. */
export async function removeOne(
  api: Api,
  resource: Resource,
  key: string,
  options: DeleteOptions,
): Promise<{ entry: Entry; gone: boolean }> {
  let gone = false
  const entry = await commit(api, storedUnder(resource), key, options.dryRun, current => {
    const name = key.slice(key.lastIndexOf('/') + 1)
    if (!current) throw notFound(resource, name)
    const { uid, resourceVersion } = current.object.metadata
    if (options.uid !== undefined && options.uid !== uid) {
      throw conflict(resource, name, `Precondition failed: UID in precondition: ${options.uid}, UID in object meta: ${uid}`)
    }
    if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
      throw conflict(
        resource,
        name,
        `Precondition failed: ResourceVersion in precondition: ${options.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`,
      )
    }
    const draft = deletion(api, resource, current.object, options.propagation)
    gone = 'remove' in draft
    return draft
  })
  return { entry, gone }
}

/** What deleting means for this object now: the time is noted once, the propagation policy becomes a finalizer for the garbage collector. */
export function deletion(api: Api, resource: Resource, object: KubeObject, propagation: Propagation | undefined): Draft {
  const { metadata } = object
  const finalizers = propagated(metadata.finalizers ?? [], propagation)
  const first = metadata.deletionTimestamp === undefined
  const { finalizers: _, ...rest } = metadata
  const marked: KubeObject = {
    ...object,
    metadata: {
      ...rest,
      ...(finalizers.length > 0 ? { finalizers } : {}),
      ...(first ? { deletionTimestamp: printInstant(api.clock.now()), deletionGracePeriodSeconds: 0 } : {}),
      ...(first && metadata.generation !== undefined ? { generation: metadata.generation + 1 } : {}),
    },
  }
  const stored =
    resource.kind === 'Namespace'
      ? { ...marked, status: { ...(isObject(object['status']) ? object['status'] : {}), phase: 'Terminating' } }
      : marked
  const draft = draftOf(stored, stored)
  // What goes at once goes as it was: the deletion mark is for those who wait.
  return 'remove' in draft && first ? { remove: object } : draft
}

function propagated(finalizers: readonly string[], propagation: Propagation | undefined): readonly string[] {
  if (propagation === undefined) return finalizers
  const others = finalizers.filter(f => f !== 'orphan' && f !== 'foregroundDeletion')
  return propagation === 'Orphan' ? [...others, 'orphan'] : propagation === 'Foreground' ? [...others, 'foregroundDeletion'] : others
}

/** Delete options come in the body, or as query parameters, as each client prefers. */
export function deleteOptions(call: Call): DeleteOptions {
  const body = readOptionalBody(call, 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions')
  const value = body === undefined ? {} : body
  if (!isObject(value)) throw new ApiError('BadRequest', 'Cannot read DeleteOptions: the body is not an object')
  if (value['kind'] !== undefined && value['kind'] !== 'DeleteOptions') {
    throw new ApiError('BadRequest', `Cannot read DeleteOptions: the body is a ${String(value['kind']).slice(0, 80)}`)
  }
  const preconditions = isObject(value['preconditions']) ? value['preconditions'] : {}
  const orphan =
    value['orphanDependents'] ?? (call.query.has('orphanDependents') ? call.query.get('orphanDependents') === 'true' : undefined)
  const policy = value['propagationPolicy'] ?? call.query.get('propagationPolicy') ?? undefined
  if (orphan !== undefined && policy !== undefined) {
    throw new ApiError('Invalid', 'propagationPolicy: Invalid value: orphanDependents and propagationPolicy cannot be both set')
  }
  return {
    propagation: readPolicy(policy) ?? (orphan === undefined ? undefined : orphan ? 'Orphan' : 'Background'),
    uid: text(preconditions['uid']),
    resourceVersion: text(preconditions['resourceVersion']),
    dryRun: isDryRun(call.query, value['dryRun']),
  }
}

function readPolicy(policy: unknown): Propagation | undefined {
  if (policy === undefined || policy === '') return undefined
  if (policy === 'Background' || policy === 'Foreground' || policy === 'Orphan') return policy
  throw new ApiError(
    'Invalid',
    `propagationPolicy: Unsupported value: ${JSON.stringify(policy)}: supported values: "Background", "Foreground", "Orphan"`,
  )
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
