import type { ApiError } from '../../api/status.ts'
import type { KubeObject } from '../../core/object.ts'
import type { HttpResponse, WatchEvent } from '../../ports/index.ts'
import { bytes, utf8 } from '../answer.ts'
import type { Api } from '../call.ts'
import type { Shape } from '../negotiate.ts'
import type { Resource } from '../resource.ts'
import { slices } from '../slices.ts'
import { tableOf } from '../table/table.ts'
import { metadataOnly } from '../verbs/project.ts'
import { watchLine } from '../world/index.ts'
import type { Change } from '../world/world.ts'
import type { Mailbox } from './mailbox.ts'

type Type = Change['type']
interface Seen {
  readonly object: KubeObject
  readonly bytes?: Uint8Array
}
interface Sized<T> {
  readonly event: T
  readonly size: number
}

/** How the events of one watch are written: as lines for a socket, or as shared objects for a caller in this process. */
export interface Encode<T> {
  event(type: Type, seen: Seen, change?: Change): Sized<T>
  bookmark(object: KubeObject): Sized<T>
  error(error: ApiError): T
  /** Everything of `initial`, then what arrives in the box. */
  answer(initial: Iterable<T>, box: Mailbox<T>): HttpResponse
}

export const sharedEvents: Encode<WatchEvent> = {
  // A shared object costs its readers no copy; the count keeps a reader that never reads from growing without end.
  event: (type, seen) => ({ event: { type, object: seen.object }, size: 512 }),
  bookmark: object => ({ event: { type: 'BOOKMARK', object }, size: 512 }),
  error: error => ({ type: 'ERROR', object: error.toStatus() }),
  answer: (initial, box) => ({ status: 200, headers: {}, body: new Uint8Array(), shared: { events: afterAll(initial, box) } }),
}

export function wireEvents(api: Api, resource: Resource, shape: Shape, query: URLSearchParams): Encode<Uint8Array> {
  let headed = false
  const shown = (object: KubeObject): unknown => {
    if (shape === 'metadata') return metadataOnly(object)
    const resourceVersion = object.metadata.resourceVersion
    const table = tableOf(resource, [object], {
      now: api.clock.now(),
      includeObject: query.get('includeObject') ?? 'Metadata',
      metadata: resourceVersion === undefined ? {} : { resourceVersion },
    })
    // kubectl takes the columns from the first event and prints rows from then on.
    const short = headed ? { ...table, columnDefinitions: null } : table
    headed = true
    return short
  }
  return {
    event(type, seen, change) {
      if (shape !== 'object') return sized(line(type, utf8(JSON.stringify(shown(seen.object)))))
      if (change && change.type === type && seen === change.entry) return sized(watchLine(change, type))
      return sized(line(type, seen.bytes ?? utf8(JSON.stringify(seen.object))))
    },
    bookmark: object => sized(line('BOOKMARK', utf8(JSON.stringify(object)))),
    error: error => line('ERROR', utf8(JSON.stringify(error.toStatus()))),
    answer: (initial, box) => bytes(coalesced(initial, box), 200, { 'cache-control': 'no-cache, private' }),
  }
}

const sized = (event: Uint8Array): Sized<Uint8Array> => ({ event, size: event.length })
const line = (type: string, object: Uint8Array): Uint8Array => Buffer.concat([utf8(`{"type":"${type}","object":`), object, utf8('}\n')])

/** Everything that became durable since the last write goes out as one chunk. */
async function* coalesced(initial: Iterable<Uint8Array>, box: Mailbox<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* slices(initial)
  } catch (error) {
    box.end()
    throw error
  }
  for await (const batch of box) yield batch.length === 1 ? (batch[0] as Uint8Array) : Buffer.concat(batch)
}

async function* afterAll(initial: Iterable<WatchEvent>, box: Mailbox<WatchEvent>): AsyncGenerator<readonly WatchEvent[]> {
  const first = [...initial]
  if (first.length > 0) yield first
  yield* box
}
