import type { Look } from '../../../ports/index.ts'
import { claims, type Server, type ServerClaim } from '../resources.ts'
import { approves } from './observe-maintenance.ts'
import type { ServerPorts } from './ports.ts'
import type { SeenClaim } from './seen.ts'

/** The claim that the server names. That a cache does not have it is no proof that it is gone: then the server is asked. */
export async function claimOf({ kube }: ServerPorts, server: Server, { signal }: Pick<Look, 'signal'>): Promise<SeenClaim | undefined> {
  const ref = server.spec.serverClaimRef
  if (!ref) return undefined
  const { namespace, name } = ref
  const found = kube.cached.get(claims, { namespace, name }) ?? (await kube.fresh(claims, { namespace, name }, signal))
  const ours = found !== undefined && isOurs(found, server)
  const { uid, generation, deletionTimestamp } = found?.metadata ?? {}
  return {
    namespace,
    name,
    uid,
    generation,
    is: !ours ? 'gone' : deletionTimestamp === undefined ? 'there' : 'going',
    power: found?.spec.power ?? 'Off',
    image: found?.spec.image,
    approves: approves(found?.metadata.labels),
  }
}

/** The one that took it; or, after a move to another cluster gave both new UIDs, one of that name that names it too. */
const isOurs = ({ metadata, spec, status }: ServerClaim, server: Server): boolean =>
  server.spec.serverClaimRef?.uid === undefined ||
  server.spec.serverClaimRef.uid === metadata.uid ||
  spec.serverRef?.name === server.metadata.name ||
  status?.binding?.server === server.metadata.name
