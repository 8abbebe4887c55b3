import type { Millis } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import type { Clock, HttpResponse } from '../ports/index.ts'
import type { Ways } from './ways.ts'

const hops = 5

export interface Fetching {
  readonly ways: Ways
  readonly clock: Clock
  /** Until the first byte of an answer. */
  readonly patience: Millis
}

/** Whoever answers a request says nothing more of where it was sent: such addresses carry signatures. */
export const unreachable = (name: string, cause: unknown): Fault => {
  if (cause instanceof Fault && cause.code.startsWith('image/')) return cause
  if (cause instanceof Fault && cause.code === 'net/address-refused')
    return new Fault('image/address-refused', `Cannot read from ${name}: ${cause.message}`, 'when-changed', {
      cause,
      hint: 'list the host where the registries are configured, if this is meant',
    })
  return new Fault(
    'image/registry-unreachable',
    `Cannot reach ${name}: ${cause instanceof Error ? cause.message : String(cause)}`,
    'backoff',
    {
      cause,
    },
  )
}

/** One GET, and what it leads to. Credentials go to the first host and to no other. */
export async function get(
  { ways, clock, patience }: Fetching,
  from: URL,
  headers: Readonly<Record<string, string>>,
  name: string,
  signal?: AbortSignal,
): Promise<HttpResponse> {
  let url = from
  for (let hop = 0; hop <= hops; hop++) {
    const { authorization: _, ...others } = headers
    const response = await timely(clock, patience, name, signal, late =>
      ways.to(url)({ method: 'GET', url: url.pathname + url.search, headers: url.origin === from.origin ? headers : others, signal: late }),
    ).catch((cause: unknown) => {
      throw unreachable(name, cause)
    })
    const { location } = response.headers
    if (![301, 302, 303, 307, 308].includes(response.status) || location === undefined) return response
    await drain(response)
    if (!URL.canParse(location, url.href))
      throw new Fault('image/redirected', `Cannot read from ${name}: it points to no address`, 'when-changed')
    url = new URL(location, url)
  }
  throw new Fault('image/redirected', `Cannot read from ${name}: it points on more than ${hops} times`, 'when-changed')
}

async function timely<T>(
  clock: Clock,
  patience: Millis,
  name: string,
  signal: AbortSignal | undefined,
  ask: (late: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const cancel = clock.after(patience, () => late.abort(tooSlow(name, patience)))
  const stop = (): void => late.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await ask(late.signal)
  } finally {
    cancel()
    signal?.removeEventListener('abort', stop)
  }
}

export const tooSlow = (name: string, patience: Millis): Fault =>
  new Fault('image/too-slow', `Cannot read from ${name}: nothing came for ${patience / 1_000} seconds`)

/** Passes a body on, and gives up when nothing comes for too long, or when all of it takes too long. */
export async function* steadily(
  body: HttpResponse['body'],
  clock: Clock,
  name: string,
  { idle, whole }: { readonly idle: Millis; readonly whole: Millis },
): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) {
    yield body
    return
  }
  const source = body[Symbol.asyncIterator]()
  const began = clock.elapsed()
  try {
    for (;;) {
      let cancel = (): void => {}
      const late = new Promise<never>((_, reject) => {
        cancel = clock.after(idle, () => reject(tooSlow(name, idle)))
      })
      const next = await Promise.race([source.next(), late]).finally(() => cancel())
      if (next.done) return
      if (clock.elapsed() - began > whole)
        throw new Fault('image/too-slow', `Cannot read from ${name}: it takes longer than ${whole / 60_000} minutes`)
      yield next.value
    }
  } finally {
    // Not awaited: a source that is stuck would hold us for ever.
    void source.return?.()?.then(undefined, () => undefined)
  }
}

/** A small answer as a whole. */
export async function whole(body: AsyncIterable<Uint8Array>, largest: number, what: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > largest) throw new Fault('image/malformed', `Cannot read ${what}: it is larger than ${largest >> 20} MiB`, 'when-changed')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Lets go of an answer that is of no use; an endless one is cut. */
async function drain({ body }: HttpResponse): Promise<void> {
  if (!(body instanceof Uint8Array)) await body[Symbol.asyncIterator]().return?.()
}
