import type { BootHandler } from '../../boot/handler.ts'
import { openBootServer } from '../../boot/server.ts'
import { bootTickets } from '../../boot/tickets.ts'
import { keepTidy } from '../../boot/tidy.ts'
import { withoutKeys } from '../../boot/without-keys.ts'
import { type ServerTls, type Serving, serve } from '../../net/server.ts'
import type { BootTickets } from '../../ports/boot-artifacts.ts'
import type { Clock, HttpRequest, HttpResponse, Ids, Kube, Log } from '../../ports/index.ts'
import { ensureBootKey } from '../operator/boot-key.ts'
import { publishBootUrl } from './boot-url.ts'
import { managerNamespace } from './manager-namespace.ts'
import { openShelf, type Shelf, type ShelfOptions } from './shelf.ts'

export interface BootOptions extends Omit<ShelfOptions, 'baseUrl'> {
  readonly kube: Kube
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Address and port that machines reach; 0 picks a free one. */
  readonly host: string
  readonly port: number
  /** Where machines reach it, if not there: behind a load balancer. */
  readonly url?: string
  readonly namespace?: string
  readonly allowUserDataByWindow?: boolean
  /** Serves by HTTPS, with this certificate; the machines' firmware must trust who signed it. */
  readonly tls?: ServerTls
}

type Beside = (request: HttpRequest, from: { readonly address: string }) => HttpResponse | undefined | Promise<HttpResponse | undefined>

/** The boot server with everything it serves from, listening. */
export interface BootServing {
  readonly url: string
  readonly shelf: Shelf
  readonly tickets: BootTickets
  /** The same answers without a socket. */
  readonly handler: BootHandler
  /** The key that tickets are made with. */
  readonly key: Uint8Array
  /** Asked before the boot server itself: whoever answers undefined leaves the request to it. */
  beside(handler: Beside): void
  close(): Promise<void>
}

export async function serveBoots(options: BootOptions): Promise<BootServing> {
  const { kube, clock, ids, log, host, port, namespace = managerNamespace } = options
  const key = await ensureBootKey(kube, ids, namespace)
  // The port may be a free one, and addresses in answers carry it: so the socket comes first, and answers once the rest is there.
  let answer: Parameters<typeof serve>[0]['handler'] = async () => ({
    status: 503,
    headers: { 'retry-after': '1' },
    body: new Uint8Array(),
  })
  const serving: Serving = await serve({
    host,
    port,
    clock,
    log,
    logged: withoutKeys,
    handler: (...asked) => answer(...asked),
    ...(options.tls ? { tls: options.tls } : {}),
  })
  const url = (options.url ?? serving.url).replace(/\/$/, '')
  const shelf = openShelf({ ...options, baseUrl: url })
  const { allowUserDataByWindow = false } = options
  const server = openBootServer({ kube, clock, log, key, blobs: shelf.blobs, baseUrl: url, allowUserDataByWindow })
  const besides: Beside[] = []
  const handler: BootHandler = async (request, from) => {
    for (const other of besides) {
      const response = await other(request, from)
      if (response) return response
    }
    return server.handler(request, from)
  }
  answer = handler
  server.start()
  const over = new AbortController()
  const tidying = keepTidy({ clock, log }, server, shelf.artifacts, over.signal)
  await publishBootUrl(kube, url, namespace)
  return {
    url,
    shelf,
    tickets: bootTickets({ key, baseUrl: url }),
    handler,
    key,
    beside: other => void besides.push(other),
    async close() {
      await serving.close()
      over.abort(new Error('the boot server stops'))
      await tidying
      await server.stop()
      await shelf.close()
    },
  }
}
