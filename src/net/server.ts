import type { ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Server as TlsServer } from 'node:tls'
import { type FastifyInstance, fastify } from 'fastify'
import { Fault } from '../core/fault.ts'
import type { Clock, Log } from '../ports/index.ts'
import { exchanger, type Handler, internal, type Run, write } from './exchange.ts'
import { answerClientError, frameworkRefusal, refusal } from './http-errors.ts'
import { peers } from './peer.ts'

/** PEM texts. With `clientAuthority`, clients may (not must) show a certificate that it signed. */
export interface ServerTls {
  readonly certificate: string
  readonly key: string
  readonly clientAuthority?: string
  /** Only this version of TLS is spoken; for devices that are simulated as they are. */
  readonly only?: 'TLSv1.1'
}

interface ServerTimes {
  /** Until the last byte of the headers. */
  readonly headers: number
  /** Until the last byte of the request. The answer may take for ever: watches do. */
  readonly request: number
  /** How often slow connections are looked for. */
  readonly check: number
  /** How long requests in flight may take to end after close(). */
  readonly drain: number
}

export interface ServeOptions {
  readonly handler: Handler
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly log: Log
  readonly clock: Pick<Clock, 'now'>
  readonly tls?: ServerTls
  readonly times?: Partial<ServerTimes>
  readonly bodyLimit?: number
  /** Which certificate is shown at one of our own addresses; `tls` where it does not say. */
  readonly tlsAt?: (local: string) => ServerTls | undefined
  /** How a path is written into the log, where paths carry what does not belong there. */
  readonly logged?: (path: string) => string
  /** Connections of other peers are closed before a byte is read. */
  readonly admits?: (remote: string) => boolean
}

export interface Serving {
  readonly url: string
  readonly port: number
  /** Uses another certificate for connections from now on. */
  renew(tls: ServerTls): void
  /** Ends streams at once, lets requests in flight finish, then closes every connection. */
  close(): Promise<void>
}

const defaults: ServerTimes = { headers: 10_000, request: 60_000, check: 2_000, drain: 10_000 }

/** The one HTTP set-up of all our servers: Fastify reads requests within limits, the handler is a plain function. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const times = { ...defaults, ...options.times }
  const app = listener(options, times)
  const exchange = exchanger(options, peers(options.tls?.clientAuthority === undefined ? undefined : namesOf))
  route(app, exchange.run)
  app.addHook('preClose', async () => exchange.endStreams())
  atTheDoor(app, options)
  try {
    await app.listen({ host: options.host, port: options.port })
  } catch (error) {
    await app.close()
    throw cannotListen(error, options)
  }
  const port = (app.server.address() as AddressInfo).port
  return {
    url: `${options.tls ? 'https' : 'http'}://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    port,
    renew: tls => (app.server as unknown as TlsServer).setSecureContext(secureContext(tls)),
    close: () => drain(app, times.drain),
  }
}

/** Loaded with the first client certificate: it is not needed for starting. */
const namesOf = async (der: Uint8Array) => (await import('./certificate-names.ts')).certificateNames(der)

const secureContext = (tls: ServerTls) => ({
  cert: tls.certificate,
  key: tls.key,
  ...(tls.clientAuthority === undefined ? {} : { ca: tls.clientAuthority }),
  // OpenSSL speaks the old version only at the security level of its time.
  ...(tls.only
    ? { minVersion: tls.only, maxVersion: tls.only, ciphers: 'DEFAULT@SECLEVEL=0' }
    : { minVersion: 'TLSv1.2' as const, maxVersion: 'TLSv1.3' as const }),
})

/** Runs before TLS begins: addresses carry no server name, so the certificate has to be chosen by the address itself. */
function atTheDoor(app: FastifyInstance, { admits, tls, tlsAt }: ServeOptions): void {
  if (!admits && !(tls && tlsAt)) return
  let shown = tls
  app.server.prependListener('connection', (socket: Socket) => {
    if (admits && !admits(socket.remoteAddress ?? '')) {
      socket.destroy()
      return
    }
    const wanted = tlsAt?.(socket.localAddress ?? '') ?? tls
    if (!wanted || wanted === shown) return
    shown = wanted
    ;(app.server as unknown as TlsServer).setSecureContext(secureContext(wanted))
  })
}

function listener(options: ServeOptions, times: ServerTimes): FastifyInstance {
  const node = { headersTimeout: times.headers, connectionsCheckingInterval: times.check, maxHeaderSize: 64 * 1024 }
  const common = {
    bodyLimit: options.bodyLimit ?? 3 * 1024 * 1024,
    requestTimeout: times.request,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // One wildcard takes whole paths, so the parameter may be as long as a path; the handler parses the query itself.
    routerOptions: { maxParamLength: 64 * 1024, querystringParser: () => ({}) },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => answerClientError(error, socket),
    frameworkErrors: (error: Error, _request: unknown, reply: { raw: ServerResponse; hijack(): unknown }) => {
      reply.hijack()
      write(reply.raw, refusal(frameworkRefusal(error) ?? internal))
    },
  }
  if (!options.tls) return fastify({ ...common, http: node }) as unknown as FastifyInstance
  const client = options.tls.clientAuthority === undefined ? {} : { requestCert: true, rejectUnauthorized: false }
  const https = { ...node, ...secureContext(options.tls), ...client, handshakeTimeout: times.headers }
  return fastify({ ...common, https }) as unknown as FastifyInstance
}

function route(app: FastifyInstance, run: Run): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.all('/*', (request, reply) => {
    reply.hijack()
    return run(request.raw, reply.raw, request.body instanceof Uint8Array ? request.body : undefined)
  })
  app.setNotFoundHandler((request, reply) => {
    reply.hijack()
    return run(request.raw, reply.raw, undefined)
  })
  app.setErrorHandler((error: Error, _request, reply) => {
    reply.hijack()
    // The rest of a body that was refused is not worth reading.
    write(reply.raw, refusal(frameworkRefusal(error) ?? internal), { connection: 'close' })
  })
}

async function drain(app: FastifyInstance, deadline: number): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 50)
  const end = setTimeout(() => app.server.closeAllConnections(), deadline)
  try {
    await app.close()
  } finally {
    clearInterval(idle)
    clearTimeout(end)
  }
}

function cannotListen(error: unknown, { host, port }: ServeOptions): Fault {
  const code = (error as NodeJS.ErrnoException).code
  const tried = `Cannot listen on ${host}:${port}`
  if (code === 'EADDRINUSE')
    return new Fault('net/port-taken', `${tried}: another program does`, 'when-changed', {
      cause: error,
      hint: 'Stop it, or choose another port; --port 0 takes any that is free.',
    })
  if (code === 'EACCES')
    return new Fault('net/port-forbidden', `${tried}: this user may not`, 'when-changed', {
      cause: error,
      hint: 'Choose a port above 1023.',
    })
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Fault('net/no-such-address', `${tried}: this machine has no such address`, 'when-changed', {
      cause: error,
      hint: 'Choose an address of this machine, such as 127.0.0.1.',
    })
  return new Fault('net/cannot-listen', `${tried}: ${error instanceof Error ? error.message : String(error)}`, 'when-changed', {
    cause: error,
  })
}
