import { createHash, timingSafeEqual } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { type buildConnector, Pool } from 'undici'
import { Fault } from '../core/fault.ts'
import type { HttpRequest, HttpResponse, Transport } from '../ports/index.ts'
import { type Admits, admitted } from './admitted.ts'

/** How one host is trusted and how we show ourselves to it. PEM texts. */
export interface ClientTls {
  readonly authority?: string
  readonly certificate?: string
  readonly key?: string
  /** Name to expect in the certificate, where it is not the host of the URL. */
  readonly serverName?: string
  /** SHA-256 of the one certificate to accept, in hex, colons allowed. Replaces the check by authority: for self-signed devices. */
  readonly fingerprint?: string
  /** Asked with the SHA-256 of the certificate found, in hex, whether to go on; replaces the check by authority. For trust on first use, recorded by the caller. */
  readonly firstUse?: (fingerprint: string) => Promise<boolean>
  /** Accepts anybody. Only ever on a person's explicit word. */
  readonly insecure?: boolean
}

export interface HttpTransportOptions {
  readonly baseUrl: string
  readonly tls?: ClientTls
  /** Sent with every request, asked for each time: tokens rotate. */
  readonly headers?: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** Bodies longer than this are handed on as they come, so that the caller can stop reading; without it all that have a length are read whole. */
  readonly wholeUpTo?: number
  /** Whether an address may be spoken to. Asked with what is connected to, after names were looked up: nothing can change in between. */
  readonly admits?: Admits
  /** Which of this computer's addresses to speak from. */
  readonly from?: string
}

export interface HttpTransport extends Transport {
  close(): Promise<void>
}

/** One pool of kept-alive connections to one host. It knows no time-outs: deadlines are the caller's signals. */
export function httpTransport(options: HttpTransportOptions): HttpTransport {
  const { baseUrl, tls, headers, from, admits, wholeUpTo = Number.POSITIVE_INFINITY } = options
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  const pool = new Pool(base.origin, {
    connect: connector(tls ?? {}, admits),
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(from === undefined ? {} : { localAddress: from }),
  })
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
      return { status: answer.statusCode, headers: flat(answer.headers), body: await bodyOf(answer, request.method, wholeUpTo) }
    } catch (error) {
      request.signal?.throwIfAborted()
      throw cannotReach(base, error)
    }
  }
  return Object.assign(send, { close: () => pool.destroy() })
}

type Answer = Awaited<ReturnType<Pool['request']>>

/** What has a length is read whole; what comes in chunks is handed on as it comes. */
async function bodyOf(answer: Answer, method: string, wholeUpTo: number): Promise<HttpResponse['body']> {
  const length = answer.headers['content-length']
  if (method !== 'HEAD' && (length === undefined || Number(length) > wholeUpTo)) return answer.body
  return new Uint8Array(await answer.body.arrayBuffer())
}

function flat(headers: Answer['headers']): Record<string, string> {
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) out[name] = Array.isArray(value) ? value.join(', ') : value
  return out
}

function connector(tls: ClientTls, admits: Admits | undefined): buildConnector.connector {
  const connect = admitted(admits, {
    timeout: 10_000,
    ...(tls.authority === undefined ? {} : { ca: tls.authority }),
    ...(tls.certificate === undefined ? {} : { cert: tls.certificate }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
    ...(tls.insecure || tls.fingerprint !== undefined || tls.firstUse ? { rejectUnauthorized: false } : {}),
    // A resumed session shows no certificate that could be compared, so each connection makes a full handshake.
    ...(tls.fingerprint !== undefined || tls.firstUse ? { maxCachedSessions: 0 } : {}),
  })
  const accepts = tls.firstUse ?? (tls.fingerprint === undefined ? undefined : pinned(tls.fingerprint))
  if (accepts === undefined) return connect
  return (options, callback) =>
    connect(options, (...found) => {
      const [error, socket] = found
      if (error || !socket) {
        callback(...found)
        return
      }
      void taken(socket as TLSSocket, accepts).then(fault => {
        if (fault === undefined) callback(...found)
        else {
          socket.destroy()
          callback(fault, null)
        }
      })
    })
}

const pinned =
  (pin: string) =>
  async (found: string): Promise<boolean> => {
    const expected = Buffer.from(pin.replaceAll(':', ''), 'hex')
    const seen = Buffer.from(found, 'hex')
    return expected.length === seen.length && timingSafeEqual(expected, seen)
  }

/** Why the certificate at the other end is not accepted, if it is not. */
async function taken(socket: TLSSocket, accepts: (fingerprint: string) => Promise<boolean>): Promise<Fault | undefined> {
  const der = socket.getPeerCertificate?.().raw as Buffer | undefined
  try {
    if (der && (await accepts(createHash('sha256').update(der).digest('hex')))) return undefined
  } catch (cause) {
    return new Fault('net/not-pinned', 'whether its certificate is trusted could not be found out', 'backoff', { cause })
  }
  return new Fault('net/not-pinned', 'the certificate is not the pinned one', 'when-changed')
}

function cannotReach(base: URL, error: unknown): Fault {
  const { code, message } = error as NodeJS.ErrnoException
  const tried = `Cannot reach ${base.origin}`
  const cause = { cause: error }
  if (error instanceof Fault)
    return new Fault(error.code, `${tried}: ${message}`, error.retry, {
      ...cause,
      ...(error.code === 'net/not-pinned' ? { hint: 'If the device got a new certificate, check it and change the fingerprint.' } : {}),
    })
  if (code?.startsWith('ERR_TLS') || code?.includes('CERT') || code?.includes('SIGNATURE') || code?.includes('ISSUER'))
    return new Fault('net/untrusted', `${tried}: its certificate is not trusted (${code})`, 'when-changed', {
      ...cause,
      hint: 'Give the authority that signed it, or its fingerprint.',
    })
  return new Fault('net/unreachable', `${tried}: ${code ? `${code} ` : ''}${message}`, 'backoff', cause)
}
