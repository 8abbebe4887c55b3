import type { ArtifactRole } from '../policy/boot/method.ts'
import type { HttpRequest, HttpResponse } from '../ports/index.ts'
import { type Access, type Asked, byAddress, byIdentity, byTicket } from './access.ts'
import { plainAddress } from './address.ts'
import { notFound, plain, withoutBody, wrongMethod } from './answers.ts'
import type { BootContext, Call } from './context.ts'
import { roleOfFile } from './file-name.ts'
import { artifact } from './routes/artifact.ts'
import { ignition } from './routes/ignition.ts'
import { bootState, byBody, register } from './routes/report.ts'
import { bootScript, chain } from './routes/script.ts'

export type BootHandler = (request: HttpRequest, from: { readonly address: string }) => Promise<HttpResponse>

type Serve = (context: BootContext, call: Call, ...names: string[]) => HttpResponse | Promise<HttpResponse>

const ticketShape = '([A-Za-z0-9_-]{1,900}\\.[A-Za-z0-9_-]{1,100})'
const identityShape = '([0-9A-Fa-f:-]{12,36})'

/** The address is taken as it came, byte by byte: nothing in it is decoded, and nothing of it becomes the name of a file. */
const routes: readonly (readonly [shape: RegExp, serve: Serve])[] = [
  [
    new RegExp(`^/boot/${ticketShape}/([A-Za-z0-9._-]{1,128})$`),
    (context, call, ticket, name) => underTicket(context, call, ticket!, name!),
  ],
  [/^\/ipxe\/?$/, context => chain(context)],
  [new RegExp(`^/ipxe/${identityShape}$`), (context, call, name) => bootScript(context, call, name!)],
  [/^\/httpboot\.efi$/, (context, call) => admitted(byAddress(context, call.address), access => uefi(context, call, access))],
  [
    new RegExp(`^/httpboot/${identityShape}\\.efi$`),
    async (context, call, name) => admitted(await byIdentity(context, name!, call.address), access => uefi(context, call, access)),
  ],
  [
    /^\/artifacts\/sha256-([0-9a-f]{64})\/([A-Za-z0-9._-]{1,128})$/,
    (context, call, hex, name) => admitted(byAddress(context, call.address), access => byDigest(context, call, access, hex!, name!)),
  ],
  [
    new RegExp(`^/ignition/${ticketShape}$`),
    async (context, call, ticket) => admitted(await byTicket(context, ticket!), access => ignition(context, call, access)),
  ],
  [
    new RegExp(`^/ignition/${identityShape}$`),
    async (context, call, name) => admitted(await byIdentity(context, name!, call.address), access => unticketed(context, call, access)),
  ],
  [/^\/register$/, (context, call) => register(context, call, byBody(context, call))],
  [/^\/bootstate$/, (context, call) => bootState(context, call, byBody(context, call))],
  [/^\/healthz$/, context => (context.attempts.ready ? plain(200, 'ok') : plain(503, 'What is open is not known yet.'))],
]

const admitted = (asked: Asked, serve: (access: Access) => HttpResponse | Promise<HttpResponse>): HttpResponse | Promise<HttpResponse> =>
  asked.is === 'refused' ? asked.response : serve(asked.access)

/** The whole boot server as a function: called by a socket in main, and without one in the simulation. */
export function bootHandler(context: BootContext): BootHandler {
  return async (request, { address }) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const call: Call = { request, address: plainAddress(address) }
    for (const [shape, serve] of routes) {
      const found = shape.exec(path)
      if (!found) continue
      const response = context.attempts.ready || always.test(path) ? await serve(context, call, ...found.slice(1)) : starting
      context.tally.count('requests', outcomes[Math.floor(response.status / 100)] ?? 'failed')
      return request.method === 'HEAD' && response.body instanceof Uint8Array && response.body.length > 0 ? withoutBody(response) : response
    }
    context.tally.count('requests', 'refused')
    return notFound
  }
}

/** What needs no knowledge of what is open. */
const always = /^\/(ipxe\/?|healthz)$/
const starting = plain(503, 'What is open is not known yet. Try again soon.', { 'retry-after': '2' })

const outcomes: readonly string[] = ['', '', 'served', 'served', 'refused', 'failed']

async function underTicket(context: BootContext, call: Call, ticket: string, name: string): Promise<HttpResponse> {
  if (name === 'register') return register(context, call, () => byTicket(context, ticket))
  if (name === 'bootstate') return bootState(context, call, () => byTicket(context, ticket))
  const role = roleOfFile(name)
  if (role === undefined && name !== 'ignition') return notFound
  return admitted(await byTicket(context, ticket), access =>
    role ? artifact(context, call, access, role) : ignition(context, call, access),
  )
}

/** Firmware that was told by DHCP where to boot: only while it was told by us to boot that way. */
const uefi = (context: BootContext, call: Call, access: Access): HttpResponse | Promise<HttpResponse> =>
  access.attempt.boot.method === 'UefiHttp' ? artifact(context, call, access, 'uki') : notFound

/** The stable address that a configuration shows: the digest must be one of what this server boots. */
function byDigest(context: BootContext, call: Call, access: Access, hex: string, name: string): HttpResponse | Promise<HttpResponse> {
  const role: ArtifactRole | undefined = access.attempt.artifacts.find(
    a => a.digest === `sha256:${hex}` && a.role === roleOfFile(name),
  )?.role
  return role ? artifact(context, call, access, role) : notFound
}

/** Upstream's way to user data, by UUID alone: off unless somebody said otherwise, even from an address that is known. */
const unticketed = (context: BootContext, call: Call, access: Access): HttpResponse | Promise<HttpResponse> =>
  call.request.method === 'GET' || call.request.method === 'HEAD'
    ? ignition(context, call, { ...access, userData: context.allowUserDataByWindow })
    : wrongMethod('GET, HEAD')
