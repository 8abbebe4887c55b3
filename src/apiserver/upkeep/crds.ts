import { ApiError } from '../../api/status.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Api } from '../call.ts'
import { cleanup, sameSchema } from '../crd/kind.ts'
import { crdSpec, isEstablished, resourcesOf } from '../crd/resources.ts'
import { commit, draftOf } from '../verbs/commit.ts'
import { deletion } from '../verbs/delete.ts'
import type { Entry } from '../world/world.ts'
import { type Chores, ifGone } from './chores.ts'

const crds = 'apiextensions.k8s.io/customresourcedefinitions'

/** Serves what CRDs define as soon as they are durable, and empties those that are being deleted. */
export function keepCrds(api: Api, chores: Chores): () => void {
  const serve = (entry: Entry, previous: Entry | undefined): void => {
    const unchanged =
      previous && sameSchema(previous.object, entry.object) && isEstablished(previous.object) === isEstablished(entry.object)
    const leaving = entry.object.metadata.deletionTimestamp !== undefined
    if (!unchanged || (leaving && previous?.object.metadata.deletionTimestamp === undefined))
      api.registry.set(entry.key, resourcesOf(entry.object, entry.revision))
    if (leaving) chores.do(`crd ${entry.key}`, () => empty(api, entry.key))
  }
  for (const entry of api.world.list(crds)) serve(entry, undefined)
  return api.world.observe(changes => {
    for (const { entry, previous, type } of changes) {
      if (entry.resource === crds) {
        if (type === 'DELETED') api.registry.set(entry.key, [])
        else serve(entry, previous)
      } else if (type === 'DELETED') {
        const home = api.world.get(crds, nameOf(entry.resource))
        if (home?.object.metadata.deletionTimestamp !== undefined) chores.do(`crd ${home.key}`, () => empty(api, home.key))
      }
    }
  })
}

/** `metal.ironcore.dev/servers` is defined by `servers.metal.ironcore.dev`. */
function nameOf(resource: string): string {
  const slash = resource.indexOf('/')
  return `${resource.slice(slash + 1)}.${resource.slice(0, slash)}`
}

async function empty(api: Api, name: string): Promise<void> {
  const crd = api.world.get(crds, name)
  if (!crd || crd.object.metadata.deletionTimestamp === undefined || !crd.object.metadata.finalizers?.includes(cleanup)) return
  const { group, names } = crdSpec(crd.object)
  const stored = `${group}/${names.plural}`
  // The definition goes, so its objects go without their finalizers' consent only where nobody could ever give it: those without any.
  for (const entry of api.world.list(stored))
    await api.world.write(stored, entry.key, current => (current ? mark(api, current) : { keep: entry }))
  if (api.world.count(stored) > 0) return
  await commit(api, crds, name, false, current => {
    if (!current) throw new ApiError('NotFound', `CRD ${name} is gone`)
    const object = withoutCleanup(current.object)
    return draftOf(object, object)
  }).catch(ifGone)
}

function mark(api: Api, entry: Entry) {
  const resource = api.registry.all().find(r => `${r.group}/${r.plural}` === entry.resource && !r.storage)
  if (!resource) return { remove: entry.object }
  return entry.object.metadata.deletionTimestamp === undefined ? deletion(api, resource, entry.object, undefined) : { keep: entry }
}

function withoutCleanup(crd: KubeObject): KubeObject {
  const { finalizers = [], ...metadata } = crd.metadata
  const rest = finalizers.filter(f => f !== cleanup)
  return { ...crd, metadata: rest.length > 0 ? { ...metadata, finalizers: rest } : metadata }
}
