import { Fault } from '../../core/fault.ts'
import type { Clock, HttpRequest, Log, Transport } from '../../ports/index.ts'
import { isAllowed } from './allowlist.ts'
import { boundedBody, parsedBody, unpacked } from './body.ts'
import { patience, type Verb } from './limits.ts'
import type { Secrets } from './scrub.ts'

/** The line to one BMC. */
export interface Wire {
  readonly transport: Transport
  readonly clock: Clock
  readonly log: Log
  readonly secrets: Secrets
  /** How people call this BMC: its address. */
  readonly name: string
}

export interface Call {
  readonly verb: Verb
  readonly path: string
  readonly body?: unknown
  readonly upload?: { readonly type: string; readonly bytes: Uint8Array }
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed; undefined where there was none, or none that can be read beside an error status. */
  readonly body: unknown
}

export const asked = (wire: Pick<Wire, 'name'>, { verb, path }: Pick<Call, 'verb' | 'path'>): string =>
  `Cannot ${verb} ${path.split('?', 1)[0]} of the BMC at ${wire.name}`

/** One question and its answer, whatever its status; a fault where there is no answer, or none that can be taken. */
export async function exchange(wire: Wire, call: Call): Promise<Answer> {
  const tried = asked(wire, call)
  if (!isAllowed(call.verb, call.path))
    throw new Fault('bmc/not-allowed', `${tried}: this program never asks that of a BMC`, 'never', {
      hint: 'If a BMC of yours needs it, please report what it links there.',
    })
  call.signal?.throwIfAborted()
  const began = wire.clock.elapsed()
  const cut = new AbortController()
  const gone = new Promise<never>((_, reject) => {
    cut.signal.addEventListener('abort', () => reject(cut.signal.reason), { once: true })
  })
  gone.catch(() => {})
  const stop = (): void => cut.abort(call.signal?.reason)
  call.signal?.addEventListener('abort', stop, { once: true })
  const limit = patience[call.upload ? 'UPLOAD' : call.verb]
  const late = new Fault('bmc/no-answer', `${tried}: no answer within ${limit / 1_000} seconds`)
  const cancel = wire.clock.after(limit, () => cut.abort(late))
  try {
    // Raced, because a line that ignores its signal must not hold its caller.
    const answer = await Promise.race([gone, carried(wire, call, tried, cut.signal)])
    wire.log.debug('asked a BMC', {
      bmc: wire.name,
      verb: call.verb,
      path: call.path,
      status: answer.status,
      ms: wire.clock.elapsed() - began,
    })
    return answer
  } catch (error) {
    throw cut.signal.aborted ? cut.signal.reason : unreachable(wire, tried, error)
  } finally {
    cancel()
    call.signal?.removeEventListener('abort', stop)
  }
}

async function carried(wire: Wire, call: Call, tried: string, signal: AbortSignal): Promise<Answer> {
  const response = await wire.transport(requestOf(call, signal))
  const { status, headers } = response
  if (status >= 300 && status < 400 && status !== 304)
    throw new Fault('bmc/redirected', `${tried}: it sends elsewhere (${status}), and redirects are not followed`, 'when-changed', {
      hint: 'Give the address and scheme at which the BMC answers itself.',
    })
  const bytes = unpacked(tried, response, await boundedBody(tried, response))
  return { status, headers, body: status < 400 ? parsedBody(tried, bytes) : errorBody(tried, bytes) }
}

/** Error pages come as HTML, as nothing, or cut off: the status alone then has to do. */
function errorBody(tried: string, bytes: Uint8Array): unknown {
  try {
    return parsedBody(tried, bytes)
  } catch {
    return undefined
  }
}

function requestOf(call: Call, signal: AbortSignal): HttpRequest {
  const { verb, path, body, upload, headers } = call
  const bytes = upload?.bytes ?? (body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)))
  return {
    method: verb,
    url: path,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'odata-version': '4.0',
      'user-agent': 'rackwright',
      ...(bytes === undefined ? {} : { 'content-type': upload?.type ?? 'application/json', 'content-length': String(bytes.length) }),
      ...headers,
    },
    ...(bytes === undefined ? {} : { body: bytes }),
    signal,
  }
}

/** What came from below HTTP, in our words. Causes are not kept: they may hold the request with its headers. */
function unreachable(wire: Wire, tried: string, error: unknown): Fault {
  if (error instanceof Fault) {
    if (error.code.startsWith('bmc/')) return error
    const trust = error.code === 'net/untrusted' || error.code === 'net/not-pinned'
    const more = error.hint === undefined ? {} : { hint: error.hint }
    return new Fault(trust ? 'bmc/untrusted' : 'bmc/unreachable', `${tried}: ${wire.secrets.scrub(error.message)}`, error.retry, more)
  }
  const words = error instanceof Error ? error.message || error.name : String(error)
  return new Fault('bmc/unreachable', `${tried}: ${wire.secrets.scrub(words)}`)
}
