import { ApiError } from '../../api/status.ts'
import type { KubeObject, OwnerReference } from '../../core/object.ts'
import type { Api } from '../call.ts'
import { objectKey, type Resource, storedUnder } from '../resource.ts'
import { commit, draftOf } from '../verbs/commit.ts'
import { removeOne } from '../verbs/delete.ts'
import type { Change, Entry } from '../world/world.ts'
import { type Chores, ifGone } from './chores.ts'
import { type Ownership, openOwnership } from './ownership.ts'

/**
 * Deletes what lost its last owner, and carries out foreground and orphan deletions.
 * An owner of a kind that is not served here counts as alive: nothing is deleted on a guess.
 */
export function collectGarbage(api: Api, chores: Chores): () => void {
  const ownership = openOwnership()
  const lookAtDependent = (entry: Entry): void => chores.do(`owners of ${entry.resource} ${entry.key}`, () => settle(api, ownership, entry))
  const lookAtOwner = (entry: Entry): void =>
    chores.do(`dependents of ${entry.resource} ${entry.key}`, () => release(api, ownership, entry, lookAtDependent))
  const take = (change: Pick<Change, 'type' | 'entry' | 'previous'>): void => {
    const { type, entry, previous } = change
    ownership.note(type === 'DELETED' ? undefined : entry, previous)
    const { ownerReferences, uid } = entry.object.metadata
    if (type === 'DELETED') for (const dependent of ownership.dependents(uid)) lookAtDependent(dependent)
    else {
      if (ownerReferences?.length) lookAtDependent(entry)
      if (waits(entry.object)) lookAtOwner(entry)
    }
    for (const reference of [...(ownerReferences ?? []), ...(previous?.object.metadata.ownerReferences ?? [])]) {
      const owner = find(api, entry.object, reference)
      if (owner && owner !== 'unknown' && waits(owner.object)) lookAtOwner(owner)
    }
  }
  for (const resource of api.registry.all()) {
    if (!resource.storage && resource.verbs.includes('list'))
      for (const entry of api.world.list(storedUnder(resource))) take({ type: 'ADDED', entry })
  }
  return api.world.observe(changes => {
    for (const change of changes) take(change)
  })
}

/** True while an owner is held by one of the two finalizers that are ours to take away. */
const waits = (object: KubeObject): boolean =>
  object.metadata.deletionTimestamp !== undefined &&
  (object.metadata.finalizers?.some(f => f === 'foregroundDeletion' || f === 'orphan') ?? false)

const isForeground = (object: KubeObject): boolean =>
  object.metadata.deletionTimestamp !== undefined && (object.metadata.finalizers?.includes('foregroundDeletion') ?? false)

/** The owner that a reference names; undefined where it is gone (or another object bears its name now). */
function find(api: Api, dependent: KubeObject, reference: OwnerReference): Entry | 'unknown' | undefined {
  const resource = api.registry.byKind(reference.apiVersion, reference.kind)
  if (!resource) return 'unknown'
  // A cluster-scoped object cannot be owned by a namespaced one; which namespace would it be?
  if (resource.namespaced && dependent.metadata.namespace === undefined) return 'unknown'
  const entry = api.world.get(
    storedUnder(resource),
    objectKey(resource.namespaced ? dependent.metadata.namespace : undefined, reference.name),
  )
  return entry?.object.metadata.uid === reference.uid ? entry : undefined
}

async function settle(api: Api, ownership: Ownership, seen: Entry): Promise<void> {
  const entry = api.world.get(seen.resource, seen.key)
  const resource = entry && servedAs(api, entry)
  if (!entry || !resource || entry.object.metadata.uid !== seen.object.metadata.uid) return
  const { metadata } = entry.object
  const references = metadata.ownerReferences ?? []
  if (references.length === 0 || (metadata.deletionTimestamp !== undefined && !isForeground(entry.object))) return
  const owners = references.map(reference => find(api, entry.object, reference))
  const waiting = owners.map(owner => owner !== undefined && owner !== 'unknown' && isForeground(owner.object))
  const solid = references.filter((_, i) => owners[i] !== undefined && !waiting[i])
  if (solid.length > 0) {
    if (solid.length < references.length) await dropReferences(api, entry, solid)
    return
  }
  const inherits = waiting.includes(true) && ownership.dependents(metadata.uid).length > 0
  await removeOne(api, resource, entry.key, {
    propagation: inherits ? 'Foreground' : undefined,
    uid: metadata.uid,
    resourceVersion: undefined,
    dryRun: false,
  }).catch(ifGone)
}

async function release(api: Api, ownership: Ownership, seen: Entry, lookAtDependent: (entry: Entry) => void): Promise<void> {
  const owner = api.world.get(seen.resource, seen.key)
  if (!owner || !waits(owner.object)) return
  const { uid, finalizers = [] } = owner.object.metadata
  const dependents = ownership.dependents(uid)
  if (finalizers.includes('orphan')) {
    for (const dependent of dependents) {
      const current = api.world.get(dependent.resource, dependent.key)
      if (current)
        await dropReferences(
          api,
          current,
          (current.object.metadata.ownerReferences ?? []).filter(r => r.uid !== uid),
        )
    }
    return dropFinalizer(api, owner, 'orphan')
  }
  const blocking = dependents.filter(d => d.object.metadata.ownerReferences?.some(r => r.uid === uid && r.blockOwnerDeletion === true))
  if (blocking.length === 0) return dropFinalizer(api, owner, 'foregroundDeletion')
  for (const dependent of dependents) lookAtDependent(dependent)
}

const servedAs = (api: Api, entry: Entry): Resource | undefined =>
  api.registry.all().find(r => !r.storage && storedUnder(r) === entry.resource)

async function dropReferences(api: Api, entry: Entry, kept: readonly OwnerReference[]): Promise<void> {
  await rewrite(api, entry, object => {
    const { ownerReferences, ...metadata } = object.metadata
    return { ...object, metadata: kept.length > 0 ? { ...metadata, ownerReferences: kept } : metadata }
  })
}

async function dropFinalizer(api: Api, entry: Entry, finalizer: string): Promise<void> {
  await rewrite(api, entry, object => {
    const { finalizers = [], ...metadata } = object.metadata
    const rest = finalizers.filter(f => f !== finalizer)
    return { ...object, metadata: rest.length > 0 ? { ...metadata, finalizers: rest } : metadata }
  })
}

async function rewrite(api: Api, entry: Entry, next: (object: KubeObject) => KubeObject): Promise<void> {
  await commit(api, entry.resource, entry.key, false, current => {
    if (!current || current.object.metadata.uid !== entry.object.metadata.uid) throw new ApiError('NotFound', `${entry.key} is gone`)
    const object = next(current.object)
    return draftOf(object, object)
  }).catch(ifGone)
}
