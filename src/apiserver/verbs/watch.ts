import { ApiError } from '../../api/status.ts'
import { minutes, seconds } from '../../core/duration.ts'
import type { KubeObject } from '../../core/object.ts'
import type { HttpResponse, WatchEvent } from '../../ports/index.ts'
import type { Api, Call } from '../call.ts'
import { negotiate } from '../negotiate.ts'
import { isTrue } from '../request.ts'
import { apiVersionOf, storedUnder } from '../resource.ts'
import { type Encode, sharedEvents, wireEvents } from '../watch/encode.ts'
import { Mailbox } from '../watch/mailbox.ts'
import type { Change, Entry } from '../world/world.ts'
import { selection } from './filter.ts'
import { checkListOptions } from './list-options.ts'
import { readRevision, tooLarge } from './revision.ts'

/** A reader that lags behind by more than this is ended with 410 instead of being buffered for. */
const backlogBytes = 4 << 20
const bookmarkEvery = minutes(1)

/** Changes as they become durable. The stream ends at its time-out, when the client goes, or when the resource is no longer served. */
export function watch(api: Api, call: Call): HttpResponse {
  const { resource, query, request, info } = call
  checkListOptions(query, true)
  const from = startOf(api, query)
  const shape = negotiate(request.headers['accept'])
  const encode = request.shares && shape === 'object' ? sharedEvents : wireEvents(api, resource, shape, query)
  return stream(
    api,
    call,
    from,
    encode as Encode<WatchEvent | Uint8Array>,
    matcher(api, call),
    info.namespace === undefined ? '' : `${info.namespace}/`,
  )
}

function stream<T>(api: Api, call: Call, from: Start, encode: Encode<T>, matches: (entry: Entry) => boolean, prefix: string): HttpResponse {
  const { resource, query, request } = call
  const timers: (() => void)[] = []
  let unsubscribe = (): void => {}
  const expired = new ApiError('Expired', 'The watch fell too far behind: list again and start a new one from there')
  const box = new Mailbox<T>(
    backlogBytes,
    () => encode.error(expired),
    () => {
      unsubscribe()
      for (const cancel of timers) cancel()
    },
  )
  const put = (item: { readonly event: T; readonly size: number }): void => box.put(item.event, item.size)

  const initial = from.initial ? present(api, call, encode, matches, from.marksInitialEnd) : []
  unsubscribe = api.world.subscribe(storedUnder(resource), from.revision, changes => {
    for (const change of changes) {
      if (prefix !== '' && !change.entry.key.startsWith(prefix)) continue
      const type = seenAs(change, matches)
      if (type === undefined) continue
      put(
        encode.event(
          type,
          type === 'DELETED' && change.type === 'MODIFIED' ? leaving(api, call, change) : api.views.of(resource, change.entry),
          change,
        ),
      )
    }
  })
  if (isTrue(query.get('allowWatchBookmarks'))) {
    const tick = (): void => {
      put(encode.bookmark(bookmark(call, false, api.world.revision)))
      timers[0] = api.clock.after(bookmarkEvery, tick)
    }
    timers[0] = api.clock.after(bookmarkEvery, tick)
  } else timers[0] = () => {}
  timers.push(api.clock.after(timeOut(query), () => box.end()))
  timers.push(api.registry.onReplaced(gone => gone.includes(resource) && box.end()))
  request.signal?.addEventListener('abort', () => box.end(), { once: true })
  return encode.answer(initial, box)
}

/** What is there when the watch begins, made as it is read: a large collection is never held twice. */
function present<T>(api: Api, call: Call, encode: Encode<T>, matches: (entry: Entry) => boolean, marksEnd: boolean): Iterable<T> {
  const { resource, info } = call
  const entries = api.world.list(storedUnder(resource), info.namespace === undefined ? {} : { namespace: info.namespace })
  const revision = api.world.revision
  function* events(): Generator<T> {
    for (const entry of entries) if (matches(entry)) yield encode.event('ADDED', api.views.of(resource, entry)).event
    if (marksEnd) yield encode.bookmark(bookmark(call, true, revision)).event
  }
  return events()
}

interface Start {
  readonly revision: number
  readonly initial: boolean
  readonly marksInitialEnd: boolean
}

function startOf(api: Api, query: URLSearchParams): Start {
  const asked = readRevision(query)
  const initialWanted = query.get('sendInitialEvents')
  if (asked !== undefined && asked > api.world.revision) throw tooLarge(asked, api.world.revision)
  const initial = initialWanted === null ? asked === undefined || asked === 0 : isTrue(initialWanted)
  return {
    revision: initial || asked === undefined || asked === 0 ? api.world.revision : asked,
    initial,
    marksInitialEnd: isTrue(initialWanted) && isTrue(query.get('allowWatchBookmarks')),
  }
}

function matcher(api: Api, call: Call): (entry: Entry) => boolean {
  const select = selection(call)
  return select ? entry => select(api.views.of(call.resource, entry).object) : () => true
}

/** A change of an object that begins or ceases to match the selector is an arrival or a departure to this watcher. */
function seenAs(change: Change, matches: (entry: Entry) => boolean): Change['type'] | undefined {
  const before = change.previous !== undefined && change.type !== 'ADDED' && matches(change.previous)
  if (change.type === 'DELETED') return before ? 'DELETED' : undefined
  if (matches(change.entry)) return before ? 'MODIFIED' : 'ADDED'
  return before ? 'DELETED' : undefined
}

/** What a watcher last knew of an object that left its selection, at the revision of the departure. */
function leaving(api: Api, call: Call, change: Change): { readonly object: KubeObject } {
  const { object } = api.views.of(call.resource, change.previous as Entry)
  return { object: { ...object, metadata: { ...object.metadata, resourceVersion: String(change.revision) } } }
}

function bookmark(call: Call, initialEnd: boolean, revision: number): KubeObject {
  const annotations = initialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}
  return {
    kind: call.resource.kind,
    apiVersion: apiVersionOf(call.resource),
    metadata: { name: '', resourceVersion: String(revision), ...annotations },
  }
}

function timeOut(query: URLSearchParams): number {
  const asked = Number(query.get('timeoutSeconds') ?? 0)
  return asked === 0 ? minutes(30) : seconds(Math.min(asked, 86_400))
}
