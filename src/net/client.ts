import { createHash, timingSafeEqual } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { buildConnector, Pool } from 'undici'
import { Fault } from '../core/fault.ts'
import type { HttpRequest, HttpResponse, Transport } from '../ports/index.ts'

/** How one host is trusted and how we show ourselves to it. PEM texts. */
export interface ClientTls {
  readonly authority?: string
  readonly certificate?: string
  readonly key?: string
  /** Name to expect in the certificate, where it is not the host of the URL. */
  readonly serverName?: string
  /** SHA-256 of the one certificate to accept, in hex, colons allowed. Replaces the check by authority: for self-signed devices. */
  readonly fingerprint?: string
  /** Accepts anybody. Only ever on a person's explicit word. */
  readonly insecure?: boolean
}

export interface HttpTransportOptions {
  readonly baseUrl: string
  readonly tls?: ClientTls
  /** Sent with every request, asked for each time: tokens rotate. */
  readonly headers?: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
}

export interface HttpTransport extends Transport {
  close(): Promise<void>
}

/** One pool of kept-alive connections to one host. It knows no time-outs: deadlines are the caller's signals. */
export function httpTransport({ baseUrl, tls, headers }: HttpTransportOptions): HttpTransport {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  const pool = new Pool(base.origin, { connect: connector(tls ?? {}), headersTimeout: 0, bodyTimeout: 0 })
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    const more = await headers?.()
    try {
      const answer = await pool.request({
        method: request.method as 'GET',
        path: prefix + request.url,
        headers: { ...more, ...request.headers },
        body: request.body ?? null,
        ...(request.signal ? { signal: request.signal } : {}),
      })
      return { status: answer.statusCode, headers: flat(answer.headers), body: await bodyOf(answer, request.method) }
    } catch (error) {
      request.signal?.throwIfAborted()
      throw cannotReach(base, error)
    }
  }
  return Object.assign(send, { close: () => pool.destroy() })
}

type Answer = Awaited<ReturnType<Pool['request']>>

/** What has a length is read whole; what comes in chunks is handed on as it comes. */
async function bodyOf(answer: Answer, method: string): Promise<HttpResponse['body']> {
  if (method !== 'HEAD' && answer.headers['content-length'] === undefined) return answer.body
  return new Uint8Array(await answer.body.arrayBuffer())
}

function flat(headers: Answer['headers']): Record<string, string> {
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) out[name] = Array.isArray(value) ? value.join(', ') : value
  return out
}

function connector(tls: ClientTls): buildConnector.connector {
  const connect = buildConnector({
    timeout: 10_000,
    ...(tls.authority === undefined ? {} : { ca: tls.authority }),
    ...(tls.certificate === undefined ? {} : { cert: tls.certificate }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
    ...(tls.insecure || tls.fingerprint !== undefined ? { rejectUnauthorized: false } : {}),
  })
  const pin = tls.fingerprint
  if (pin === undefined) return connect
  return (options, callback) =>
    connect(options, (...found) => {
      const [error, socket] = found
      if (error || !socket || isPinned(socket as TLSSocket, pin)) {
        callback(...found)
        return
      }
      socket.destroy()
      callback(new Fault('net/not-pinned', 'the certificate is not the pinned one', 'when-changed'), null)
    })
}

function isPinned(socket: TLSSocket, pin: string): boolean {
  const expected = Buffer.from(pin.replaceAll(':', ''), 'hex')
  const der = socket.getPeerCertificate?.().raw as Buffer | undefined
  const found = der && createHash('sha256').update(der).digest()
  return found !== undefined && expected.length === found.length && timingSafeEqual(expected, found)
}

function cannotReach(base: URL, error: unknown): Fault {
  const { code, message } = error as NodeJS.ErrnoException
  const tried = `Cannot reach ${base.origin}`
  const cause = { cause: error }
  if (error instanceof Fault)
    return new Fault(error.code, `${tried}: ${message}`, error.retry, {
      ...cause,
      hint: 'If the device got a new certificate, check it and change the fingerprint.',
    })
  if (code?.startsWith('ERR_TLS') || code?.includes('CERT') || code?.includes('SIGNATURE') || code?.includes('ISSUER'))
    return new Fault('net/untrusted', `${tried}: its certificate is not trusted (${code})`, 'when-changed', {
      ...cause,
      hint: 'Give the authority that signed it, or its fingerprint.',
    })
  return new Fault('net/unreachable', `${tried}: ${code ? `${code} ` : ''}${message}`, 'backoff', cause)
}
