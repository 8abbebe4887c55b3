import { type Millis, seconds } from '../../core/duration.ts'
import type { Clock, HttpRequest, HttpResponse, Transport, WatchEvent } from '../../ports/index.ts'
import { type Life, never } from '../life.ts'
import type { Victim } from './exchange.ts'
import { lagOf, type Mode } from './fault.ts'

/** Events that lag come after this long even if not enough of them have gathered. */
const longestLag: Millis = seconds(20)
const outage: Millis = seconds(20)

/** Resources that a process cannot watch for the moment, and those whose history is gone when it can again. */
export interface Cuts {
  cut(resource: string): void
  isCut(resource: string): boolean
  /** True once after a cut. */
  missedSomething(resource: string): boolean
}

export function openCuts(world: Clock): Cuts {
  const until = new Map<string, Millis>()
  return {
    cut: resource => void until.set(resource, world.elapsed() + outage),
    isCut: resource => (until.get(resource) ?? 0) > world.elapsed(),
    missedSomething: resource => until.delete(resource),
  }
}

const expired: WatchEvent = {
  type: 'ERROR',
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'too old resource version (simulated)',
    reason: 'Expired',
    code: 410,
  },
}

/** A watch as the process gets it. Over a socket it comes as bytes, and is left alone but for the life of the process and its way. */
export async function disturbedWatch(
  victim: Victim,
  cuts: Cuts,
  api: Transport,
  request: HttpRequest,
  resource: string,
): Promise<HttpResponse> {
  const { life, way } = victim
  if (!life.asks()) return never()
  way.pass()
  if (cuts.isCut(resource)) throw new Error('connect ECONNREFUSED (simulated)')
  const resumes = /[?&]resourceVersion=[1-9]/.test(request.url)
  if (cuts.missedSomething(resource) && resumes)
    return { status: 200, headers: {}, body: new Uint8Array(), shared: { events: once([expired]) } }
  const connection = new AbortController()
  const hangUp = (): void => connection.abort(new Error('the process is gone'))
  life.onDeath(hangUp)
  way.onCut(() => connection.abort(new Error('read ECONNRESET (simulated)')))
  request.signal?.addEventListener('abort', hangUp, { once: true })
  const answer = await life.hear(api({ ...request, signal: connection.signal }))
  if (!answer.shared || !('events' in answer.shared))
    return answer.body instanceof Uint8Array ? answer : { ...answer, body: heard(life, answer.body) }
  return { ...answer, shared: { events: disturbed(victim, cuts, answer.shared.events, resource, hangUp) } }
}

/** Bytes as a process gets them: it reads none while it stands still. */
async function* heard(life: Life, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  try {
    while (true) {
      const next = await life.hear(iterator.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    void iterator.return?.()
  }
}

async function* once(batch: readonly WatchEvent[]): AsyncGenerator<readonly WatchEvent[]> {
  yield batch
}

async function* disturbed(
  victim: Victim,
  cuts: Cuts,
  source: AsyncIterable<readonly WatchEvent[]>,
  resource: string,
  hangUp: () => void,
): AsyncGenerator<readonly WatchEvent[]> {
  const { life, log, world, injector } = victim
  const call = `watch ${resource}`
  const iterator = source[Symbol.asyncIterator]()
  const lag = openLag(world)
  /** The read that is under way while held events come due. */
  let reading: Promise<IteratorResult<readonly WatchEvent[]>> | undefined
  try {
    while (true) {
      reading ??= iterator.next()
      const next = await life.hear(lag.active ? Promise.race([reading, lag.over]) : reading)
      if (next === 'over') {
        const held = lag.release()
        if (held.length > 0) yield held
        continue
      }
      reading = undefined
      if (next.done) return
      const batch: WatchEvent[] = []
      for (const event of next.value) {
        const mode = event.type === 'BOOKMARK' ? undefined : pass(event)
        const held = lagOf[mode as Mode]
        if (held !== undefined) lag.begin(held)
        if (mode === 'dropped' || mode === 'gone' || mode === 'coalesced') {
          if (batch.length > 0) yield batch
          if (mode === 'coalesced') cuts.cut(resource)
          if (mode !== 'gone') throw new Error('read ECONNRESET (simulated)')
          yield [expired]
          return
        }
        if (lag.active) {
          if (lag.hold(event)) batch.push(...lag.release())
        } else {
          batch.push(event)
          if (mode === 'repeated') batch.push(event)
        }
      }
      if (batch.length > 0) yield batch
    }
  } finally {
    lag.release()
    hangUp()
  }

  function pass(event: WatchEvent): Mode | undefined {
    const { nth, mode } = injector.pass(victim.name, call, 'watch event')
    if (mode) log.add({ at: world.elapsed(), by: victim.tag, what: 'fault', call, nth, detail: { mode, event: event.type } })
    return mode
  }
}

interface Lag {
  readonly active: boolean
  readonly over: Promise<'over'>
  begin(events: number): void
  /** True where enough are held. */
  hold(event: WatchEvent): boolean
  release(): readonly WatchEvent[]
}

function openLag(world: Clock): Lag {
  let held: WatchEvent[] = []
  let limit: number | undefined
  let over: Promise<'over'> = never()
  let cancel = (): void => {}
  return {
    get active() {
      return limit !== undefined
    },
    get over() {
      return over
    },
    begin(events) {
      limit ??= events + 1
      over = new Promise(resolve => {
        cancel = world.after(longestLag, () => resolve('over'))
      })
    },
    hold(event) {
      held.push(event)
      return held.length >= (limit ?? 0)
    },
    release() {
      cancel()
      const out = held
      held = []
      limit = undefined
      return out
    },
  }
}
