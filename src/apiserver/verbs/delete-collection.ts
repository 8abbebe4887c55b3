import { ApiError } from '../../api/status.ts'
import type { HttpResponse } from '../../ports/index.ts'
import { json } from '../answer.ts'
import type { Api, Call } from '../call.ts'
import { apiVersionOf, storedUnder } from '../resource.ts'
import { deleteOptions, removeOne } from './delete.ts'
import { selection } from './filter.ts'

/** Deletes every selected object of a collection; one that vanished meanwhile is as good as deleted. */
export async function removeAll(api: Api, call: Call): Promise<HttpResponse> {
  const { resource, info } = call
  const options = deleteOptions(call)
  const select = selection(call)
  const entries = api.world
    .list(storedUnder(resource), info.namespace === undefined ? {} : { namespace: info.namespace })
    .filter(entry => !select || select(api.views.of(resource, entry).object))
  const removed = await Promise.all(entries.map(entry => removeOne(api, resource, entry.key, options).catch(ignoringNotFound)))
  const items = removed.flatMap(result => (result ? [api.views.of(resource, result.entry).object] : []))
  return json({
    kind: resource.listKind,
    apiVersion: apiVersionOf(resource),
    metadata: { resourceVersion: String(api.world.revision) },
    items,
  })
}

function ignoringNotFound(error: unknown): undefined {
  if (!ApiError.is(error, 'NotFound')) throw error
}
