import { claims, type Server, type ServerClaim, servers } from '../controllers/metal/resources.ts'
import type { BareMetalHost } from '../controllers/metal3/resources.ts'
import { Fault } from '../core/fault.ts'
import type { Reader } from '../ports/index.ts'
import type { Options } from './catalogue/command.ts'
import { findHost } from './hosts.ts'

/** What a person named: a server, a claim or a host. */
export type Target =
  | { readonly is: 'server'; readonly server: Server }
  | { readonly is: 'claim'; readonly claim: ServerClaim }
  | { readonly is: 'host'; readonly host: BareMetalHost }

export const namespaceOf = (options: Options): string => (typeof options['namespace'] === 'string' ? options['namespace'] : 'default')

/** `server/x`, `claim/x` and `host/x` say which; `namespace/x` is a claim or a host; a bare name is a server first, then a claim, then a host. */
export async function findTarget(kube: Reader, name: string, options: Options): Promise<Target> {
  const [head = '', tail] = name.split('/')
  const short = tail ?? head
  const kindSaid = tail === undefined ? undefined : kindWords[head]
  const namespace = tail !== undefined && kindSaid === undefined ? head : namespaceOf(options)
  if (kindSaid === 'server' || tail === undefined) {
    const server = await kube.find(servers, { name: short })
    if (server) return { is: 'server', server }
  }
  if (kindSaid === 'claim' || kindSaid === undefined) {
    const claim = await kube.find(claims, { name: short, namespace })
    if (claim) return { is: 'claim', claim }
  }
  if (kindSaid === 'host' || kindSaid === undefined) {
    const host = await findHost(kube, { name: short, namespace })
    if (host) return { is: 'host', host }
  }
  throw new Fault(
    'cli/no-such',
    `Cannot find "${name}": there is no such ${kindSaid ?? 'server, claim or host'}${where(kindSaid, namespace)}`,
    'never',
    {
      hint: 'rackwright get lists servers, claims and hosts; -n names the namespace of a claim or a host',
    },
  )
}

type Said = Target['is']

const kindWords: Readonly<Record<string, Said>> = {
  server: 'server',
  servers: 'server',
  srv: 'server',
  claim: 'claim',
  claims: 'claim',
  serverclaim: 'claim',
  serverclaims: 'claim',
  scl: 'claim',
  host: 'host',
  hosts: 'host',
  bmh: 'host',
  bmhost: 'host',
  baremetalhost: 'host',
  baremetalhosts: 'host',
}
const where = (kindSaid: Said | undefined, namespace: string): string =>
  kindSaid === 'server' ? '' : ` (${kindSaid === undefined ? 'claims and hosts' : `${kindSaid}s`} of namespace ${namespace})`

/** The server itself, or the one that the claim has. */
export async function serverOf(kube: Reader, target: Target): Promise<Server> {
  if (target.is === 'server') return target.server
  if (target.is === 'host')
    throw new Fault('cli/no-server', `Cannot find a server: ${target.host.metadata.name} is a BareMetalHost`, 'never', {
      hint: `rackwright describe host/${target.host.metadata.name}`,
    })
  const name = target.claim.spec.serverRef?.name
  const server = name === undefined ? undefined : await kube.find(servers, { name })
  if (server) return server
  throw new Fault('cli/no-server', `Cannot find the server of claim ${target.claim.metadata.name}: it has none yet`, 'never', {
    hint: `rackwright why claim/${target.claim.metadata.name}`,
  })
}
