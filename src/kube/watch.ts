import { ApiError } from '../api/status.ts'
import { type Millis, minutes, seconds } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import type { KubeObject } from '../core/object.ts'
import type { KubeEvent, ResourceRef, Where } from '../ports/index.ts'
import { backoff, fraction } from './backoff.ts'
import type { Line } from './exchange.ts'
import { list } from './list.ts'
import type { Query } from './path.ts'
import { isExpired } from './refusal.ts'
import { type StreamEvent, watchStream } from './watch-stream.ts'

/** What a client remembers about its server; one per client. */
export interface ServerTraits {
  /** False once the server refused `sendInitialEvents`: lists take their place from then on. */
  streamsInitialState: boolean
}

/** How a watch stands between two requests. */
interface Position {
  /** Where to resume; undefined while the whole state is (again) to be told. */
  revision: string | undefined
  /** ADDED events of an unfinished state have gone out. */
  begun: boolean
  /** The server could not stream the state this time (too large for its buffers), so list it. */
  listNext: boolean
  /** Requests in a row that brought nothing. */
  failures: number
}

/** A connection that dies silently is noticed this long after the server should have ended it. */
const grace = seconds(30)
/** An orderly end this soon after the start, with nothing told, is a failure: asking again at once would be a storm. */
const tooSoon = seconds(1)

/** Watches for ever: resumes after cuts, tells the whole state again when the history is gone. Ends with its signal. */
export async function* watch<T extends KubeObject>(
  line: Line,
  traits: ServerTraits,
  of: ResourceRef<T>,
  where: Where & { readonly from?: string },
  signal: AbortSignal,
): AsyncGenerator<readonly KubeEvent<T>[]> {
  const position: Position = { revision: where.from, begun: false, listNext: false, failures: 0 }
  while (!signal.aborted) {
    try {
      const started = line.clock.elapsed()
      let told = false
      for await (const batch of oneRequest(line, traits, of, where, position, signal)) {
        told = true
        position.failures = 0
        yield batch
      }
      if (told || line.clock.elapsed() - started >= tooSoon) continue
      throw new Fault('kube/empty-watch', `Cannot watch ${of.plural}: the server ended the watch at once, without a word`)
    } catch (error) {
      if (signal.aborted) return
      if (refusesInitialEvents(error, position) && traits.streamsInitialState) {
        traits.streamsInitialState = false
        continue
      }
      if (of.optional && error instanceof ApiError && error.code === 404) {
        yield* nothing(position)
        await line.clock.sleep(minutes(1), signal).catch(() => {})
        continue
      }
      if (isExpired(error)) yield* relist(position, error)
      position.failures++
      // The first 410 is the ordinary end of a history, not a fault of anybody.
      if (isExpired(error) && position.failures === 1) continue
      const again = waitAfter(line, position, error)
      yield [{ type: 'INTERRUPTED', because: error instanceof Error ? error.message : String(error), again }]
      try {
        await line.clock.sleep(again, signal)
      } catch {
        return
      }
    }
  }
}

/** The next request that the position calls for, with its events as readers see them. */
async function* oneRequest<T extends KubeObject>(
  line: Line,
  traits: ServerTraits,
  of: ResourceRef<T>,
  where: Where,
  position: Position,
  signal: AbortSignal,
): AsyncGenerator<readonly KubeEvent<T>[]> {
  if (position.revision !== undefined) {
    yield* follow(line, of, where, { resourceVersion: position.revision }, position, signal)
    return
  }
  if (position.begun) yield [{ type: 'RELIST', because: 'the stream was cut before the whole state was told' }]
  position.begun = false
  if (traits.streamsInitialState && !position.listNext) {
    yield* follow(line, of, where, { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }, position, signal)
    // An orderly end before the state was complete: this server cannot stream it, or not all of it.
    position.listNext = position.revision === undefined
    return
  }
  const { items, revision } = await list(line, of, where, signal)
  position.listNext = false
  position.revision = revision
  if (items.length > 0) yield items.map(object => ({ type: 'ADDED', object }))
  yield [{ type: 'BOOKMARK', revision, complete: true }]
}

async function* follow<T extends KubeObject>(
  line: Line,
  of: ResourceRef<T>,
  where: Where,
  query: Query,
  position: Position,
  signal: AbortSignal,
): AsyncGenerator<readonly StreamEvent<T>[]> {
  // As long as Kubernetes' own clients ask for, spread so that a thousand watches do not end together.
  const timeoutSeconds = 300 + Math.floor(fraction(line.ids) * 300)
  const cut = new AbortController()
  const stop = (): void => cut.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const cancel = line.clock.after(seconds(timeoutSeconds) + grace, () => cut.abort(new Error('the connection was silent past its end')))
  try {
    for await (const batch of watchStream(line, of, where, { ...query, timeoutSeconds }, cut.signal)) {
      advance(position, batch)
      if (batch.length > 0) yield batch
    }
  } finally {
    cancel()
    signal.removeEventListener('abort', stop)
    cut.abort()
  }
}

function advance<T extends KubeObject>(position: Position, batch: readonly StreamEvent<T>[]): void {
  for (const event of batch) {
    const revision = event.type === 'BOOKMARK' ? event.revision : event.object.metadata.resourceVersion
    const known = position.revision !== undefined || (event.type === 'BOOKMARK' && event.complete)
    if (known && revision) position.revision = revision
    else if (!known) position.begun = true
  }
}

function* relist<T>(position: Position, error: ApiError): Generator<readonly KubeEvent<T>[]> {
  // Expired while the state itself was streamed: the server gave up buffering for us. A list has pages.
  if (position.revision === undefined) position.listNext = true
  if (position.revision !== undefined || position.begun) yield [{ type: 'RELIST', because: error.message }]
  position.revision = undefined
  position.begun = false
}

/** A kind that is not served has no objects; one that was served until now has none any more. */
function* nothing<T>(position: Position): Generator<readonly KubeEvent<T>[]> {
  if (position.revision !== undefined || position.begun) yield [{ type: 'RELIST', because: 'the kind is not served any more' }]
  Object.assign(position, { revision: undefined, begun: false, failures: 0 })
  yield [{ type: 'BOOKMARK', revision: '0', complete: true }]
}

/** 422 or 400 to a request for the initial state: the feature is off, or older than the server. */
const refusesInitialEvents = (error: unknown, { revision, listNext }: Position): boolean =>
  revision === undefined && !listNext && error instanceof ApiError && (error.code === 422 || error.code === 400)

function waitAfter(line: Line, position: Position, error: unknown): Millis {
  const told = error instanceof ApiError ? seconds(error.details?.retryAfterSeconds ?? 0) : 0
  return Math.max(told, backoff(position.failures, line.ids))
}
