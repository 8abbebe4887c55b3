import { platform } from 'node:os'
import { type ServerTls, type Serving, serve } from '../../net/server.ts'
import type { Clock, HttpResponse, Log } from '../../ports/index.ts'
import { isOn } from '../misbehaviour/switches.ts'
import type { Rack } from '../rack.ts'
import { addressOf, isLoopback, numberOf } from './addresses.ts'
import { adminOf } from './admin.ts'
import { type RackCertificates, rackCertificates } from './certificates.ts'

export interface ListenOptions {
  readonly clock: Clock
  readonly log: Log
  /** 0 picks a free one. */
  readonly port: number
  /** Whoever knows it may switch faults. */
  readonly adminToken: string
  /** An address per BMC behind one listener, or a port per BMC. Addresses where the system has them. */
  readonly by?: 'address' | 'port'
}

export interface Listening {
  /** Where a BMC's Redfish service is. */
  url(server: string): string
  /** Where faults are switched. */
  readonly admin: string
  /** PEM of the authority that signed all the certificates. */
  readonly authority: string
  close(): Promise<void>
}

const bodyLimit = 64 * 1024 * 1024

/** Serves a rack over HTTPS, to clients on this machine only. */
export async function listen(rack: Rack, options: ListenOptions): Promise<Listening> {
  const by = options.by ?? (platform() === 'linux' ? 'address' : 'port')
  const certificates = await rackCertificates(by === 'address' ? rack.servers.length : 0, options.clock.now())
  return by === 'address' ? byAddress(rack, options, certificates) : byPort(rack, options, certificates)
}

async function byAddress(rack: Rack, options: ListenOptions, certificates: RackCertificates): Promise<Listening> {
  const { port, clock, log } = options
  const admin = adminOf(rack, options.adminToken)
  const common = { clock, log, bodyLimit, admits: isLoopback }
  const serving = await serve({
    ...common,
    host: '0.0.0.0',
    port,
    tls: certificates.own,
    tlsAt: local => tlsOf(rack, certificates, numberOf(local)),
    handler: (request, { local }) => {
      const number = numberOf(local ?? '')
      const server = number === undefined ? undefined : rack.servers[number]
      if (server !== undefined) return rack.handle(server, request)
      return number === undefined ? admin(request) : nobody()
    },
  })
  const numbers = new Map(rack.servers.map((name, n) => [name, n]))
  return {
    url: server => `https://${addressOf(numbers.get(server) ?? -1)}:${serving.port}`,
    admin: `https://127.0.0.1:${serving.port}`,
    authority: certificates.authority,
    close: () => serving.close(),
  }
}

const nobody = async (): Promise<HttpResponse> => ({ status: 404, headers: {}, body: new Uint8Array() })

async function byPort(rack: Rack, options: ListenOptions, certificates: RackCertificates): Promise<Listening> {
  const { clock, log, port } = options
  const common = { clock, log, bodyLimit, host: '127.0.0.1', tls: certificates.own }
  const open = new Map<string, Serving>()
  const admin = await serve({ ...common, port, handler: adminOf(rack, options.adminToken) })
  for (const server of rack.servers)
    open.set(
      server,
      await serve({
        ...common,
        port: 0,
        tlsAt: () => changed(rack, certificates, server),
        handler: request => rack.handle(server, request),
      }),
    )
  return {
    url: server => open.get(server)?.url ?? '',
    admin: admin.url,
    authority: certificates.authority,
    async close() {
      await Promise.all([admin, ...open.values()].map(serving => serving.close()))
    },
  }
}

function tlsOf(rack: Rack, certificates: RackCertificates, number: number | undefined): ServerTls | undefined {
  const server = number === undefined ? undefined : rack.servers[number]
  if (number === undefined || server === undefined) return undefined
  return changed(rack, certificates, server) ?? certificates.of(number)
}

function changed(rack: Rack, certificates: RackCertificates, server: string): ServerTls | undefined {
  const machine = rack.machine(server)
  if (isOn(machine, 'tls-1.1-only')) return { ...certificates.own, only: 'TLSv1.1' }
  return isOn(machine, 'certificate-changed') ? certificates.other : undefined
}
