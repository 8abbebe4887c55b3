import { conditionOf } from '../../../core/condition.ts'
import { levelInForce } from '../../../policy/boot/evidence.ts'
import { effectivePolicy } from '../../../policy/boot/policy.ts'
import { provisionedAnnotation, readProvisioned } from '../../../policy/boot/provisioned.ts'
import { configurations, type Server, type ServerBootConfiguration } from '../resources.ts'
import type { ServerPorts } from './ports.ts'
import type { SeenConfiguration } from './seen.ts'

/** Discovery's own configuration of a server. */
export const discoveryKey = (namespace: string, server: string) => ({ namespace, name: `discovery-${server}` })

/** What the server boots where it stands: its claim's configuration, its maintenance's, or discovery's own. Somebody else's of that name is none. */
export function configurationOf(ports: ServerPorts, server: Server): SeenConfiguration | undefined {
  const state = server.status?.state
  const ref = server.spec.serverClaimRef
  if (state === 'Maintenance') return maintenanceConfiguration(ports, server)
  const discovers = state === 'Discovery' || (state === 'Error' && !ref)
  const key = discovers ? discoveryKey(ports.namespace, server.metadata.name) : ref && { namespace: ref.namespace, name: ref.name }
  const found = key && ports.kube.cached.get(configurations, key)
  if (!found || found.spec.serverRef.name !== server.metadata.name) return undefined
  const owner = discovers ? server.metadata.uid : ref?.uid
  const owned = found.metadata.ownerReferences?.some(({ uid }) => owner === undefined || uid === owner) ?? false
  return owned || !discovers ? configurationSeen(ports, found, server) : undefined
}

function maintenanceConfiguration(ports: ServerPorts, server: Server): SeenConfiguration | undefined {
  const ref = server.spec.maintenanceBootConfigurationRef
  const found = ref && ports.kube.cached.get(configurations, ref)
  return found?.spec.serverRef.name === server.metadata.name ? configurationSeen(ports, found, server) : undefined
}

function configurationSeen(ports: ServerPorts, found: ServerBootConfiguration, { status }: Server): SeenConfiguration {
  const { metadata, spec } = found
  const generation = metadata.generation ?? 0
  const served = found.status?.served
  const pinned = found.status?.image?.generation === generation ? found.status.image : undefined
  const problem = conditionOf(found.status, 'ImageValid')
  const external = ports.servesBoots === false ? { address: found.status?.httpBootURI } : undefined
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    uid: metadata.uid ?? '',
    revision: metadata.resourceVersion ?? '',
    generation,
    deleting: metadata.deletionTimestamp !== undefined,
    state: external ? saidOf(found) : pinned ? (found.status?.state ?? 'Pending') : found.status?.state === 'Error' ? 'Error' : 'Pending',
    problem: problem?.status === 'False' ? problem.message : undefined,
    policy: effectivePolicy(spec.bootPolicy),
    unexpectedBoot: spec.bootPolicy?.unexpectedBoot ?? 'SafeStop',
    level: levelInForce(spec.bootPolicy?.provisionedWhen ?? ports.provisionedWhen ?? 'ArtifactServed', ports.servesBoots ?? true),
    provisioned: readProvisioned(metadata.annotations),
    provisionedRaw: metadata.annotations?.[provisionedAnnotation],
    image: spec.image ?? '',
    artifacts: external ? [] : (pinned?.artifacts ?? []),
    external,
    lastServed: served?.attempt ?? 0,
    served: served !== undefined && served.attempt === status?.boot?.attempt ? served : undefined,
  }
}

/** As another boot operator says it; what it says it has not looked at yet is not ready. */
const saidOf = ({ metadata, status }: ServerBootConfiguration): SeenConfiguration['state'] =>
  status?.observedGeneration !== undefined && status.observedGeneration !== metadata.generation ? 'Pending' : (status?.state ?? 'Pending')
