import { Fault } from '../core/fault.ts'
import { isObject } from '../core/json.ts'
import type { KubeObject } from '../core/object.ts'
import type { HttpResponse, ResourceRef, WatchEvent, Where } from '../ports/index.ts'
import { type Line, send, unreachable, wholeBody } from './exchange.ts'
import { lines } from './lines.ts'
import { collectionPath, type Query } from './path.ts'
import { refusalOf, statusError } from './refusal.ts'

/** What one watch request delivers: objects, and bookmarks as data. An ERROR event is thrown. */
export type StreamEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly revision: string; readonly complete: boolean }

/** One watch request, from its first event until it ends, is cut, or `signal` fires (then it throws the reason). */
export async function* watchStream<T extends KubeObject>(
  line: Line,
  of: ResourceRef<T>,
  where: Where,
  query: Query,
  signal: AbortSignal,
): AsyncGenerator<readonly StreamEvent<T>[]> {
  const all = { labelSelector: where.labels, fieldSelector: where.fields, watch: 1, allowWatchBookmarks: true, ...query }
  const url = collectionPath(of, where.namespace, all)
  const asked = `Cannot watch ${url.split('?')[0]}`
  try {
    const response = await send(line, { method: 'GET', url }, asked, signal)
    if (response.status >= 300) throw refusalOf(asked, response, new TextDecoder().decode(await wholeBody(response.body)))
    for await (const batch of until(signal, rawEvents(response, asked))) yield batch.map(raw => readEvent<T>(raw, asked))
  } catch (error) {
    throw signal.aborted ? signal.reason : unreachable(asked, error)
  }
}

async function* rawEvents(response: HttpResponse, asked: string): AsyncGenerator<readonly WatchEvent[]> {
  if (response.shared && 'events' in response.shared) return yield* response.shared.events
  const { body } = response
  const chunks = body instanceof Uint8Array ? once(body) : body
  for await (const batch of lines(chunks)) yield batch.map(line => parseLine(line, asked))
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body
}

function parseLine(line: string, asked: string): WatchEvent {
  try {
    return JSON.parse(line) as WatchEvent
  } catch (cause) {
    throw new Fault('kube/odd-answer', `${asked}: a line is not JSON (${line.slice(0, 80)})`, 'backoff', { cause })
  }
}

function readEvent<T extends KubeObject>({ type, object }: WatchEvent, asked: string): StreamEvent<T> {
  if (!isObject(object)) throw new Fault('kube/odd-answer', `${asked}: an event of type ${type} has no object`)
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object: object as unknown as T }
    case 'BOOKMARK': {
      const { resourceVersion = '', annotations } = (object as unknown as KubeObject).metadata
      return { type, revision: resourceVersion, complete: annotations?.['k8s.io/initial-events-end'] === 'true' }
    }
    case 'ERROR':
      throw statusError(object)
    default:
      throw new Fault('kube/odd-answer', `${asked}: an event has the type "${String(type satisfies never)}"`)
  }
}

/** Stops waiting for the next item when the signal fires, even where the source does not know the signal. */
async function* until<T>(signal: AbortSignal, source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let stop = (_: unknown): void => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
  })
  aborted.catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  try {
    while (true) {
      signal.throwIfAborted()
      const next = await Promise.race([iterator.next(), aborted])
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // Not awaited: a source that hangs in its next item would keep us here.
    iterator.return?.().catch(() => {})
  }
}
