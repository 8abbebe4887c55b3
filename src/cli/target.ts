import { claims, type Server, type ServerClaim, servers } from '../controllers/metal/resources.ts'
import { Fault } from '../core/fault.ts'
import type { Reader } from '../ports/index.ts'
import type { Options } from './catalogue/command.ts'

/** What a person named: a server or a claim. */
export type Target = { readonly is: 'server'; readonly server: Server } | { readonly is: 'claim'; readonly claim: ServerClaim }

export const namespaceOf = (options: Options): string => (typeof options['namespace'] === 'string' ? options['namespace'] : 'default')

/** `server/x` and `claim/x` say which; `namespace/x` is a claim; a bare name is a server first, then a claim. */
export async function findTarget(kube: Reader, name: string, options: Options): Promise<Target> {
  const [head = '', tail] = name.split('/')
  const short = tail ?? head
  const kindSaid = tail === undefined ? undefined : kindWords[head]
  const namespace = tail !== undefined && kindSaid === undefined ? head : namespaceOf(options)
  if (kindSaid !== 'claim' && (tail === undefined || kindSaid === 'server')) {
    const server = await kube.find(servers, { name: short })
    if (server) return { is: 'server', server }
  }
  if (kindSaid !== 'server') {
    const claim = await kube.find(claims, { name: short, namespace })
    if (claim) return { is: 'claim', claim }
  }
  throw new Fault(
    'cli/no-such',
    `Cannot find "${name}": there is no such ${kindSaid ?? 'server or claim'}${where(kindSaid, namespace)}`,
    'never',
    {
      hint: 'rackwright get lists the servers and claims; -n names the namespace of a claim',
    },
  )
}

const kindWords: Readonly<Record<string, 'server' | 'claim'>> = {
  server: 'server',
  servers: 'server',
  srv: 'server',
  claim: 'claim',
  claims: 'claim',
  serverclaim: 'claim',
  serverclaims: 'claim',
  scl: 'claim',
}
const where = (kindSaid: 'server' | 'claim' | undefined, namespace: string): string =>
  kindSaid === 'server' ? '' : ` (claims of namespace ${namespace})`

/** The server itself, or the one that the claim has. */
export async function serverOf(kube: Reader, target: Target): Promise<Server> {
  if (target.is === 'server') return target.server
  const name = target.claim.spec.serverRef?.name
  const server = name === undefined ? undefined : await kube.find(servers, { name })
  if (server) return server
  throw new Fault('cli/no-server', `Cannot find the server of claim ${target.claim.metadata.name}: it has none yet`, 'never', {
    hint: `rackwright why claim/${target.claim.metadata.name}`,
  })
}
