import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../api/status.ts'
import { Fault } from '../core/fault.ts'
import type { Clock, HttpRequest, HttpResponse, Log } from '../ports/index.ts'
import { refusal } from './http-errors.ts'
import type { Peer } from './peer.ts'
import { pump } from './pump.ts'

export type Handler = (request: HttpRequest, peer: Peer) => Promise<HttpResponse>

export type Run = (raw: IncomingMessage, response: ServerResponse, body: Uint8Array | undefined) => Promise<void>

interface Parts {
  readonly handler: Handler
  readonly log: Log
  readonly clock: Pick<Clock, 'now'>
  /** How a path is written into the log, where paths carry what does not belong there. */
  readonly logged?: (path: string) => string
}

/** One reason for all: an error made for every request that ends would cost more than the request's own bookkeeping. */
const left = new Fault('net/client-gone', 'Cannot go on: the client is gone, or the server closes')

/** Thrown by a handler that gives no answer at all: the connection is closed. Simulated devices do that. */
export class Hangup extends Error {}

export const internal = new ApiError('InternalError', 'Cannot answer: something went wrong inside the server; its log says what')

/** Carries requests to the handler and its answers back. */
export function exchanger(
  { handler, log, clock, logged = same }: Parts,
  peerOf: (socket: Socket) => Promise<Peer>,
): { readonly run: Run; endStreams(): void } {
  const streams = new Set<AbortController>()
  let closing = false
  const run: Run = async (raw, response, body) => {
    const began = clock.now()
    const gone = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(left)
    })
    const method = raw.method ?? 'GET'
    const url = raw.url ?? '/'
    const request: HttpRequest = {
      method,
      url,
      headers: raw.headers as Record<string, string>,
      signal: gone.signal,
      ...(body === undefined ? {} : { body }),
    }
    const path = logged(pathOf(url))
    const answer = await answered(async () => handler(request, await peerOf(raw.socket)), log, method, path)
    if (!answer) {
      raw.socket.destroy()
      return
    }
    try {
      if (answer.body instanceof Uint8Array) write(response, answer)
      else {
        streams.add(gone)
        if (closing) gone.abort(left)
        response.writeHead(answer.status, answer.headers).flushHeaders()
        // A file is handed to the system in large pieces; a watch has nobody wait for more than one.
        await pump(answer.body, response, gone.signal, answer.headers['content-length'] === undefined ? 0 : 8 << 20)
      }
    } catch (error) {
      if (!(error instanceof Hangup)) log.error('an answer broke off', { method, path, error: String(error) })
      response.destroy()
    }
    if (streams.delete(gone)) gone.abort(left)
    log.debug('request', { method, path, status: answer.status, ms: clock.now() - began })
  }
  return {
    run,
    endStreams: () => {
      closing = true
      for (const stream of streams) stream.abort(left)
    },
  }
}

/** Queries may carry what does not belong in a log. */
const pathOf = (url: string): string => url.split('?', 1)[0] ?? url
const same = (path: string): string => path

async function answered(ask: () => Promise<HttpResponse>, log: Log, method: string, path: string): Promise<HttpResponse | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Hangup) return undefined
    if (error instanceof ApiError) return refusal(error)
    log.error('a handler failed', {
      method,
      path,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    })
    return refusal(internal)
  }
}

export function write(response: ServerResponse, answer: HttpResponse, more: Readonly<Record<string, string>> = {}): void {
  if (response.headersSent || response.destroyed) return
  const body = answer.body as Uint8Array
  // The answer to a HEAD names the length of what it does not carry: firmware fetches that many bytes afterwards.
  response.writeHead(answer.status, { 'content-length': String(body.length), ...answer.headers, ...more })
  response.end(body)
}
