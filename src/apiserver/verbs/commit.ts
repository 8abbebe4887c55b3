import { ApiError } from '../../api/status.ts'
import { sameJson } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import { utf8 } from '../answer.ts'
import type { Api, Call } from '../call.ts'
import { negotiate } from '../negotiate.ts'
import type { Draft, Entry } from '../world/world.ts'
import { project } from './project.ts'

/** Writes what `decide` made of the current state, or with a dry run only shows it. An update that changes nothing writes nothing. */
export async function commit(
  api: Api,
  resource: string,
  key: string,
  dryRun: boolean,
  decide: (current: Entry | undefined) => Draft,
): Promise<Entry> {
  const sparing = (current: Entry | undefined): Draft => {
    const draft = decide(current)
    return current && 'put' in draft && sameJson(draft.put, current.object) ? { keep: current } : draft
  }
  if (!dryRun) return api.world.write(resource, key, sparing)
  const current = api.world.get(resource, key)
  const draft = sparing(current)
  if ('keep' in draft) return draft.keep
  const object = 'put' in draft ? draft.put : draft.remove
  return { resource, key, revision: current?.revision ?? 0, object, bytes: utf8(JSON.stringify(object)) }
}

/** What the client sees of the result of its write. */
export function shown(api: Api, call: Call, entry: Entry): Uint8Array {
  const shape = negotiate(call.request.headers['accept'])
  const view = api.views.of(call.resource, entry)
  return shape === 'object'
    ? view.bytes
    : project(api, call.resource, [view.object], shape, call.query, view.object.metadata.resourceVersion)
}

export function isDryRun(query: URLSearchParams, inBody?: unknown): boolean {
  const asked = [...query.getAll('dryRun'), ...(Array.isArray(inBody) ? inBody : [])]
  const bad = asked.find(value => value !== 'All' && value !== '')
  if (bad !== undefined) throw new ApiError('Invalid', `dryRun: Unsupported value: "${String(bad)}": supported values: "All"`)
  return asked.includes('All')
}

/** An object that is being deleted goes for good when its last finalizer does. */
export function draftOf(object: KubeObject, stored: KubeObject): Draft {
  const { deletionTimestamp, finalizers } = object.metadata
  const rest = (finalizers?.length ?? 0) + namespaceFinalizers(object)
  return deletionTimestamp !== undefined && rest === 0 ? { remove: stored } : { put: stored }
}

/** Namespaces hold one more list, in spec: the server's own note that their content is not yet gone. */
export function namespaceFinalizers(object: KubeObject): number {
  if (object.kind !== 'Namespace' || object.apiVersion !== 'v1') return 0
  const { finalizers } = (object['spec'] ?? {}) as { finalizers?: unknown }
  return Array.isArray(finalizers) ? finalizers.length : 0
}
