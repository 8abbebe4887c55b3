import { ApiError } from '../../api/status.ts'
import type { HttpResponse } from '../../ports/index.ts'
import { bytes, utf8 } from '../answer.ts'
import type { Api, Call } from '../call.ts'
import { negotiate } from '../negotiate.ts'
import { apiVersionOf, objectKey, storedUnder } from '../resource.ts'
import { sliceBytes, slices } from '../slices.ts'
import type { View } from '../view.ts'
import type { Entry } from '../world/world.ts'
import { continueToken, readContinue } from './continue.ts'
import { selectedName, selection } from './filter.ts'
import { checkListOptions } from './list-options.ts'
import { project } from './project.ts'
import { wantedRevision } from './revision.ts'

export function list(api: Api, call: Call): HttpResponse {
  const { resource, request, query } = call
  const page = readPage(api, call)
  const shape = negotiate(request.headers['accept'])
  const metadata = {
    resourceVersion: String(page.revision),
    ...(page.next === undefined ? {} : { continue: page.next }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  }
  const head = { kind: resource.listKind, apiVersion: apiVersionOf(resource), metadata }
  if (request.shares && shape === 'object') {
    return { status: 200, headers: {}, body: new Uint8Array(), shared: { object: { ...head, items: page.items.map(view => view.object) } } }
  }
  if (shape !== 'object')
    return bytes(
      project(
        api,
        resource,
        page.items.map(view => view.object),
        shape,
        query,
        undefined,
        metadata,
      ),
    )
  return bytes(joined(`${JSON.stringify(head).slice(0, -1)},"items":[`, page.items))
}

interface Page {
  readonly items: readonly View[]
  readonly revision: number
  readonly next: string | undefined
  readonly remaining: number | undefined
}

function readPage(api: Api, call: Call): Page {
  const { resource, query, info } = call
  checkListOptions(query, false)
  const limit = Number(query.get('limit') ?? 0)
  const token = query.get('continue')
  if (token && query.get('resourceVersion') && query.get('resourceVersion') !== '0') {
    throw new ApiError('BadRequest', 'specifying resource version is not allowed when using continue')
  }
  const place = token ? readContinue(token) : undefined
  const exact = place?.revision ?? wantedRevision(api, query)
  const revision = exact ?? api.world.revision
  const select = selection(call)
  const candidates = place === undefined && exact === undefined ? named(api, call) : undefined
  const entries =
    candidates ??
    api.world.list(storedUnder(resource), {
      ...(info.namespace === undefined ? {} : { namespace: info.namespace }),
      ...(exact === undefined ? {} : { at: exact }),
    })
  let start = 0
  if (place) while (start < entries.length && (entries[start] as Entry).key <= place.after) start += 1
  const items: View[] = []
  for (let i = start; i < entries.length; i += 1) {
    const entry = entries[i] as Entry
    const view = api.views.of(resource, entry)
    if (select && !select(view.object)) continue
    if (limit > 0 && items.length === limit) {
      const last = entries[i - 1] as Entry
      return { items, revision, next: continueToken({ revision, after: last.key }), remaining: select ? undefined : entries.length - i }
    }
    items.push(view)
  }
  return { items, revision, next: undefined, remaining: undefined }
}

/** `fieldSelector=metadata.name=x` within one namespace is what kubectl and single-object informers send: no scan for that. */
function named(api: Api, call: Call): readonly Entry[] | undefined {
  const name = selectedName(call)
  if (name === undefined || (call.resource.namespaced && call.info.namespace === undefined)) return undefined
  const entry = api.world.get(storedUnder(call.resource), objectKey(call.info.namespace, name))
  return entry ? [entry] : []
}

function joined(head: string, items: readonly View[]): Uint8Array | AsyncIterable<Uint8Array> {
  let size = head.length + 3
  for (const item of items) size += item.bytes.length + 1
  return size <= sliceBytes ? Buffer.concat([...pieces(head, items)]) : sliced(head, items)
}

function* pieces(head: string, items: readonly View[]): Generator<Uint8Array> {
  const comma = utf8(',')
  yield utf8(head)
  let first = true
  for (const item of items) {
    if (!first) yield comma
    first = false
    yield item.bytes
  }
  yield utf8(']}\n')
}

async function* sliced(head: string, items: readonly View[]): AsyncGenerator<Uint8Array> {
  yield* slices(pieces(head, items))
}
