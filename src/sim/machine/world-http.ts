import { type HttpTransport, httpTransport } from '../../net/client.ts'
import type { BootWorld } from './world.ts'

export interface HttpWorldOptions {
  /** PEM of the authority that machines trust when they boot over HTTPS; otherwise what this computer trusts. */
  readonly authority?: string
  /** What DHCP offers to PXE: the URL of an iPXE script. */
  readonly pxe?: string
  /** What DHCP offers to UEFI HTTP boot where no URI was set. */
  readonly http?: string
  /** Which address a machine speaks from; all from this computer's where it is not said. */
  readonly addressOf?: (server: string) => string | undefined
}

export interface HttpWorld extends BootWorld {
  close(): Promise<void>
}

/** Machines act on what stands at the beginning; the rest is read, as a real one would, and dropped. */
const kept = 1024 * 1024

/** The network that this computer is on: simulated machines boot from real servers. */
export function httpWorld({ authority, pxe, http, addressOf }: HttpWorldOptions = {}): HttpWorld {
  const open = new Map<string, HttpTransport>()
  const transportTo = (origin: string, server: string): HttpTransport => {
    const from = addressOf?.(server)
    const way = `${from ?? ''} ${origin}`
    const before = open.get(way)
    if (before) return before
    const tls = authority === undefined ? {} : { tls: { authority } }
    const transport = httpTransport({ baseUrl: origin, wholeUpTo: kept, ...tls, ...(from === undefined ? {} : { from }) })
    open.set(way, transport)
    return transport
  }
  return {
    async fetch({ server, method, url, headers, body }) {
      const { origin, pathname, search, protocol } = new URL(url)
      if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`machines do not load from ${protocol}`)
      const answer = await transportTo(origin, server)({ method, url: pathname + search, headers, ...(body === undefined ? {} : { body }) })
      return { status: answer.status, headers: answer.headers, body: await beginning(answer.body) }
    },
    dhcp: ({ wants }) => (wants === 'Pxe' ? pxe : http),
    ...(addressOf ? { addressOf } : {}),
    async close() {
      await Promise.all([...open.values()].map(transport => transport.close()))
    },
  }
}

async function beginning(body: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    if (size < kept) parts.push(Uint8Array.from(part))
    size += part.length
  }
  return Buffer.concat(parts)
}
