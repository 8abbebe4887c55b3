import type { Instant } from '../core/duration.ts'
import { parseInstant } from '../core/instant.ts'
import { readUuid, swapped } from '../policy/identity.ts'
import type { Artifact } from '../ports/images.ts'
import type { Clock, Log, ObjectKey, Reader, ResourceRef, Watcher } from '../ports/index.ts'
import { plainAddress, plainMac } from './address.ts'
import { indexOf } from './index-of.ts'
import { type Boot, type Configuration, configurations, type Server, servers } from './kinds.ts'
import { openMirror } from './mirror.ts'
import { openSpans } from './spans.ts'
import type { Ticket } from './ticket.ts'

/** A boot that was commanded and is not over: what may be fetched for it, and by whom. */
export interface Attempt {
  readonly server: Server
  readonly serverUID: string
  readonly boot: Boot
  readonly number: number
  readonly configuration: Configuration
  readonly configurationUID: string
  readonly key: ObjectKey
  readonly generation: number
  readonly expires: Instant
  /** Only what was pinned for the generation that is booted. */
  readonly artifacts: readonly Artifact[]
}

export type Sought =
  | { readonly is: 'open'; readonly attempt: Attempt }
  /** `server` where it is a known one whose boot is over, or was never commanded. */
  | { readonly is: 'closed'; readonly because: string; readonly server?: Server }

/** What is open, from watches of our own: it goes on being known while the API is away. */
export interface Attempts {
  readonly ready: boolean
  ofTicket(ticket: Ticket): Promise<Sought>
  /** By the UUID or a hardware address of the machine. */
  ofIdentity(text: string): Promise<Sought>
  /** By an address that is known for the server already. */
  ofAddress(address: string): Sought
  of(server: Server): Sought
  /** Servers that are known to have this address. */
  at(address: string): readonly Server[]
  readonly caches: readonly { readonly of: ResourceRef; readonly revision: string | undefined; readonly complete: boolean }[]
  configuration(key: ObjectKey): Configuration | undefined
  /** Every digest that a configuration has pinned; undefined while that is not known for sure. */
  pinned(): ReadonlySet<string> | undefined
  run(signal: AbortSignal): Promise<void>
}

export interface AttemptsPorts {
  readonly kube: Watcher & Reader
  readonly clock: Clock
  readonly log: Log
}

export const addressesOf = ({ status }: Server): readonly string[] =>
  (status?.networkInterfaces ?? []).flatMap(({ ip, ips }) => [...(ip ? [ip] : []), ...(ips ?? [])]).map(plainAddress)

export function openAttempts(ports: AttemptsPorts): Attempts {
  const { kube, clock } = ports
  const spans = openSpans(clock)
  const byUid = indexOf<Server>()
  const byIdentity = indexOf<Server>()
  const byAddress = indexOf<Server>()
  const known = openMirror<Server>(ports, servers, {
    put(server, live) {
      const { uid = '' } = server.metadata
      byUid.put(uid, server, [uid])
      byIdentity.put(uid, server, identitiesOf(server))
      byAddress.put(uid, server, addressesOf(server))
      if (server.status?.boot) spans.see(uid, server.status.boot, live)
    },
    removed(server) {
      const { uid = '' } = server.metadata
      for (const index of [byUid, byIdentity, byAddress]) index.remove(uid)
      spans.forget(uid)
    },
  })
  const booted = openMirror<Configuration>(ports, configurations, { put: () => {}, removed: () => {} })

  function open(server: Server): Sought {
    const closed = (because: string): Sought => ({ is: 'closed', because, server })
    const { boot } = server.status ?? {}
    const serverUID = server.metadata.uid ?? ''
    if (!boot?.configuration) return closed('no boot of this server was commanded')
    if (boot.step === 'Ended') return closed('the last boot of this server is over')
    if (spans.isOver(serverUID, boot.attempt)) return closed('the last boot of this server has expired')
    const { namespace, name, uid, generation } = boot.configuration
    const configuration = booted.get({ namespace, name })
    if (configuration?.metadata.uid !== uid || !configuration) return closed('what this server booted is gone')
    const { image } = configuration.status ?? {}
    return {
      is: 'open',
      attempt: {
        server,
        serverUID,
        boot,
        number: boot.attempt,
        configuration,
        configurationUID: uid,
        key: { namespace, name },
        generation,
        expires: parseInstant(boot.expires) ?? 0,
        artifacts: image?.generation === generation ? image.artifacts : [],
      },
    }
  }

  /** Looks again, past what was told: when a ticket is newer than our news, or there are no news. */
  async function refresh({ metadata: { name } }: Server): Promise<Server | undefined> {
    const server = await kube.find(servers, { name }).catch(() => undefined)
    if (!server) return undefined
    known.take(server)
    const noted = server.status?.boot?.configuration
    const configuration = noted && (await kube.find(configurations, noted).catch(() => undefined))
    if (configuration) booted.take(configuration)
    return server
  }

  return {
    get ready() {
      return known.ready && booted.ready
    },
    async ofTicket(ticket) {
      let [server] = byUid.find(ticket.serverUID)
      if (!server) return { is: 'closed', because: 'its server is not known' }
      const newer = ticket.attempt > (server.status?.boot?.attempt ?? 0)
      if (newer) server = (await refresh(server)) ?? server
      const sought = open(server)
      if (sought.is === 'closed') return sought
      const { attempt } = sought
      if (attempt.number !== ticket.attempt) return { is: 'closed', because: 'it is for another boot', server }
      if (attempt.configurationUID !== ticket.configurationUID || attempt.generation !== ticket.generation)
        return { is: 'closed', because: 'it is for another version of what is booted', server }
      return sought
    },
    async ofIdentity(text) {
      const [server, twin] = byIdentity.find(readUuid(text) ?? plainMac(text) ?? '')
      if (!server) return { is: 'closed', because: 'no server is known by this' }
      // Two servers that say they are the same are never guessed between.
      if (twin) return { is: 'closed', because: 'several servers are known by this', server }
      const sought = open(server)
      if (sought.is === 'open' || known.complete) return sought
      return open((await refresh(server)) ?? server)
    },
    ofAddress(address) {
      const [server, twin] = byAddress.find(address)
      if (!server) return { is: 'closed', because: 'no server is known at this address' }
      if (twin) return { is: 'closed', because: 'several servers are known at this address', server }
      return open(server)
    },
    of: open,
    at: address => byAddress.find(address),
    get caches() {
      return [known, booted].map(({ of, revision, complete }) => ({ of, revision, complete }))
    },
    configuration: key => booted.get(key),
    pinned: () =>
      booted.complete
        ? new Set([...booted.all()].flatMap(({ status }) => status?.image?.artifacts.map(({ digest }) => digest) ?? []))
        : undefined,
    async run(signal) {
      await Promise.all([known.run(signal), booted.run(signal)])
    },
  }
}

function identitiesOf({ spec, status }: Server): readonly string[] {
  const uuid = readUuid(spec.systemUUID)
  const macs = (status?.networkInterfaces ?? []).flatMap(({ macAddress }) => plainMac(macAddress) ?? [])
  return [...(uuid === undefined ? [] : [...new Set([uuid, swapped(uuid)])]), ...macs]
}
