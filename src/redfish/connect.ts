import { Fault } from '../core/fault.ts'
import { type HttpTransport, httpTransport } from '../net/client.ts'
import type { BmcAccess } from '../ports/bmc.ts'
import type { Clock, Log, Transport } from '../ports/index.ts'
import { Connection } from './transport/connection.ts'
import { bodyLimits } from './transport/limits.ts'
import { secrets } from './transport/scrub.ts'

export interface RedfishOptions {
  readonly clock: Clock
  readonly log: Log
  /** In place of the network: straight into a simulated BMC, or through a queue of somebody's own. */
  readonly transport?: Transport
}

/** A line to one BMC; nothing is sent yet. */
export interface Line {
  readonly connection: Connection
  /** Ends the session and the sockets. */
  close(): Promise<void>
}

/** `shared` stands between this line and the network: a queue that many lines share. */
export function connect(
  access: BmcAccess,
  { clock, log, transport }: RedfishOptions,
  shared: (carry: Transport) => Transport = carry => carry,
): Line {
  const url = urlOf(access.address)
  const own = transport === undefined ? wireTo(url, access.tls) : undefined
  const carry = transport ?? own!
  const connection = new Connection({ transport: shared(carry), clock, log, secrets: secrets(), name: url.host }, () =>
    access.credentials(),
  )
  return {
    connection,
    async close() {
      await connection.close()
      await own?.close()
    },
  }
}

function urlOf(address: string): URL {
  try {
    const url = new URL(/^https?:\/\//i.test(address) ? address : `https://${address}`)
    if (url.username === '' && url.password === '') return url
  } catch {
    // Said below, without repeating what may hold a password.
  }
  throw new Fault('bmc/bad-address', 'Cannot speak to a BMC: its address is no host or http(s) URL without a user', 'when-changed', {
    hint: 'Give it as https://host:port; the credentials are kept elsewhere.',
  })
}

function wireTo(url: URL, tls: BmcAccess['tls']): HttpTransport {
  const baseUrl = url.origin
  const bounded = { baseUrl, wholeUpTo: bodyLimits.bytes }
  if ('ca' in tls) return httpTransport({ ...bounded, tls: { authority: tls.ca } })
  if ('fingerprint' in tls) return httpTransport({ ...bounded, tls: { fingerprint: tls.fingerprint } })
  if (tls.trust === 'OnFirstUse') return httpTransport({ ...bounded, tls: { firstUse: found => tls.seen(found) } })
  return httpTransport(bounded)
}
