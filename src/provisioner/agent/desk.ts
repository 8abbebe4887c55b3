import { sameUuid } from '../../policy/identity.ts'
import type { Clock, HttpRequest, HttpResponse, Log } from '../../ports/index.ts'
import { continueInspection } from './continue-inspection.ts'
import { heartbeat } from './heartbeat.ts'
import { lookup } from './lookup.ts'
import type { DeskContext, Expected, Heard, Place } from './place.ts'
import { json, refusal } from './replies.ts'
import { agentToken } from './token.ts'

/** Where Ironic agents call, as they would call Ironic. Everything that it knows is lost with the process, and comes back with the next heartbeats. */
export interface AgentDesk {
  handler(request: HttpRequest, from: { readonly address: string }): Promise<HttpResponse>
  expect(whom: Expected): void
  dismiss(uid: string): void
  /** The hardware addresses by which it is expected. */
  macs(uid: string): readonly string[] | undefined
  /** The boot over the network that was commanded for the machine with this UUID or hardware address, with the token of its try. */
  netboot(identity: string): (NonNullable<Expected['network']> & { readonly token: string }) | undefined
  /** Undefined where it is not expected in that try. */
  heard(uid: string, attempt: number): Heard | undefined
}

export interface DeskOptions {
  readonly clock: Clock
  readonly log: Log
  /** At least 32 bytes that nobody else knows. */
  readonly key: Uint8Array
}

type Serve = (context: DeskContext, request: HttpRequest, address: string, ...names: string[]) => HttpResponse

const routes: readonly (readonly [method: string, shape: RegExp, serve: Serve])[] = [
  ['GET', /^\/?(v1\/?)?$/, () => json(200, versions)],
  ['GET', /^\/v1\/lookup\/?$/, lookup],
  ['POST', /^\/v1\/heartbeat\/([A-Za-z0-9-]{1,64})\/?$/, heartbeat],
  ['POST', /^\/v1\/continue_inspection\/?$/, continueInspection],
]

/** As much of Ironic's API as an agent asks for: its own certificate is told from 1.68 on, and nothing newer is needed. */
const version = { id: 'v1', version: '1.68', min_version: '1.1', status: 'CURRENT', links: [] }
const versions = { name: 'Rackwright, for Ironic agents', versions: [version], default_version: version, id: 'v1', version }

export function openDesk({ clock, log, key }: DeskOptions): AgentDesk {
  const places = new Map<string, Place>()
  const context: DeskContext = {
    clock,
    log,
    places,
    byMacs(macs) {
      const found = [...places.values()].filter(({ expected }) => expected.macs.some(mac => macs.includes(mac)))
      if (found.length > 1) log.warn('An agent calls that could be of two hosts: it is not answered', { macs: macs.join(', ') })
      return found.length === 1 ? found[0] : undefined
    },
  }
  return {
    async handler(request, { address }) {
      const path = request.url.split('?', 1)[0] ?? ''
      for (const [method, shape, serve] of routes) {
        const found = shape.exec(path)
        if (found)
          return request.method === method
            ? serve(context, request, plainAddress(address), ...found.slice(1))
            : refusal(405, 'That cannot be asked here.')
      }
      return refusal(404, 'There is nothing here.')
    },
    expect(whom) {
      const before = places.get(whom.uid)
      if (before?.expected.attempt === whom.attempt) before.expected = whom
      else places.set(whom.uid, { expected: whom, token: agentToken(key, whom.uid, whom.attempt), since: clock.elapsed() })
    },
    dismiss: uid => void places.delete(uid),
    netboot(identity) {
      const mac = identity.toLowerCase().replaceAll('-', ':')
      const found = [...places.values()].filter(
        ({ expected }) => (expected.network && sameUuid(expected.network.uuid, identity)) || expected.macs.includes(mac),
      )
      const [only, another] = found
      return only?.expected.network && !another ? { ...only.expected.network, token: only.token } : undefined
    },
    macs: uid => places.get(uid)?.expected.macs,
    heard(uid, attempt) {
      const place = places.get(uid)
      if (place?.expected.attempt !== attempt) return undefined
      const { called, inventory, token, since } = place
      const now = clock.elapsed()
      return {
        listening: now - since,
        ...(called ? { agent: { url: called.url, ca: called.ca, token, silentFor: now - called.at } } : {}),
        ...(inventory ? { inventory } : {}),
      }
    },
  }
}

/** Without a zone, and IPv4 as such. */
const plainAddress = (address: string): string =>
  address
    .toLowerCase()
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '')
