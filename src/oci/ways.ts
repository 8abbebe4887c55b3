import { Fault } from '../core/fault.ts'
import { publicAddresses } from '../net/address-kinds.ts'
import { httpTransport } from '../net/client.ts'
import type { Transport } from '../ports/index.ts'

/** The ways out to registries, token services and wherever they send us. Each address is judged by itself, at every hop. */
export interface Ways {
  /** A connection to where a URL points, or a fault that says why nobody goes there. */
  to(url: URL): Transport
  close(): Promise<void>
}

export interface WayRules {
  /** Hosts, with a port where it is not the usual one, that may have private addresses, and any port. */
  readonly listed: readonly string[]
  /** Hosts that are spoken to without TLS. */
  readonly insecure: readonly string[]
}

type Connect = (origin: string, admits: (address: string) => boolean) => Transport & { close?(): Promise<void> }

/** Small answers are read whole; what is larger than a manifest may be is handed on as it comes. */
const overHttp: Connect = (origin, admits) => httpTransport({ baseUrl: origin, wholeUpTo: 64 << 10, admits })

export function openWays({ listed, insecure }: WayRules, connect: Connect = overHttp): Ways {
  const isPublic = publicAddresses()
  const open = new Map<string, ReturnType<Connect>>()
  return {
    to(url) {
      const refused = (found: string): Fault =>
        new Fault('image/address-refused', `Cannot fetch from ${url.host}: ${found}`, 'when-changed', {
          hint: 'list the host where the registries are configured, if this is meant',
        })
      const named = listed.includes(url.host)
      if (url.protocol !== 'https:' && !(url.protocol === 'http:' && insecure.includes(url.host)))
        throw refused('it is not spoken to by HTTPS')
      if (url.username !== '' || url.password !== '') throw refused('its address carries credentials')
      if (url.port !== '' && !named) throw refused(`port ${url.port} is not one of a registry`)
      const known = open.get(url.origin)
      if (known) return known
      const made = connect(url.origin, named ? () => true : isPublic)
      open.set(url.origin, made)
      return made
    },
    async close() {
      for (const one of open.values()) await one.close?.()
    },
  }
}
