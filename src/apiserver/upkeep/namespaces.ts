import { ApiError } from '../../api/status.ts'
import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Api } from '../call.ts'
import { storedResources } from '../registry.ts'
import { storedUnder } from '../resource.ts'
import { commit, draftOf } from '../verbs/commit.ts'
import { removeOne } from '../verbs/delete.ts'
import type { Change } from '../world/world.ts'
import { type Chores, ifGone } from './chores.ts'

/** Empties namespaces that are being deleted, and lets them go when nothing is left in them. */
export function keepNamespaces(api: Api, chores: Chores): () => void {
  const look = (name: string): void => chores.do(`namespace ${name}`, () => empty(api, name))
  const terminating = (name: string): boolean => api.world.get('/namespaces', name)?.object.metadata.deletionTimestamp !== undefined
  for (const { object } of api.world.list('/namespaces')) if (object.metadata.deletionTimestamp !== undefined) look(object.metadata.name)
  return api.world.observe(changes => {
    for (const name of new Set(changes.map(namespaceOf))) if (name !== undefined && terminating(name)) look(name)
  })
}

function namespaceOf(change: Change): string | undefined {
  if (change.entry.resource === '/namespaces') return change.entry.key
  const slash = change.entry.key.indexOf('/')
  return slash < 0 ? undefined : change.entry.key.slice(0, slash)
}

async function empty(api: Api, name: string): Promise<void> {
  if (api.world.get('/namespaces', name)?.object.metadata.deletionTimestamp === undefined) return
  let remaining = 0
  const held = new Set<string>()
  for (const resource of storedResources(api.registry)) {
    if (!resource.namespaced) continue
    for (const entry of api.world.list(storedUnder(resource), { namespace: name })) {
      if (entry.object.metadata.deletionTimestamp === undefined) {
        const { gone } = await removeOne(api, resource, entry.key, {
          propagation: undefined,
          uid: entry.object.metadata.uid,
          resourceVersion: undefined,
          dryRun: false,
        })
        if (gone) continue
      }
      remaining += 1
      for (const finalizer of entry.object.metadata.finalizers ?? []) held.add(`${resource.plural}: ${finalizer}`)
    }
  }
  await commit(api, '/namespaces', name, false, current => {
    if (!current) throw new ApiError('NotFound', `namespace ${name} is gone`)
    if (current.object.metadata.deletionTimestamp === undefined) return { keep: current }
    const next = remaining === 0 ? released(current.object) : explained(current.object, remaining, [...held].sort())
    return draftOf(next, next)
  }).catch(ifGone)
}

function released(namespace: KubeObject): KubeObject {
  return { ...namespace, spec: { ...(isObject(namespace['spec']) ? namespace['spec'] : {}), finalizers: [] } }
}

/** Says on the namespace what it waits for. Times are left out on purpose: the same state is the same bytes. */
function explained(namespace: KubeObject, remaining: number, held: readonly string[]): KubeObject {
  const since = namespace.metadata.deletionTimestamp
  const conditions = [
    {
      type: 'NamespaceContentRemaining',
      status: 'True',
      lastTransitionTime: since,
      reason: 'SomeResourcesRemain',
      message: `${remaining} objects remain`,
    },
    {
      type: 'NamespaceFinalizersRemaining',
      status: held.length > 0 ? 'True' : 'False',
      lastTransitionTime: since,
      reason: 'SomeFinalizersRemain',
      message: held.join(', '),
    },
  ]
  return { ...namespace, status: { phase: 'Terminating', conditions } }
}
