import { conditionOf } from '../../../core/condition.ts'
import { sameJson } from '../../../core/json.ts'
import { effectivePolicy } from '../../../policy/boot/policy.ts'
import { firstOf, type Waiting } from '../../../policy/maintenance/queue.ts'
import type { ImageResolver } from '../../../ports/images.ts'
import type { ControllerKube, Look } from '../../../ports/index.ts'
import { architectureOf, imageSeen } from '../read-image.ts'
import { claims, configurations, maintenances, type Server, type ServerMaintenance, servers } from '../resources.ts'
import { configurationNameOf, templateOf } from './boot.ts'
import { approvedLabel, neededLabel } from './labels.ts'
import type { Seen, SeenClaim, SeenServer } from './seen.ts'

export interface MaintenancePorts {
  readonly kube: ControllerKube
  readonly images: ImageResolver
}

export async function observe(
  { kube, images }: MaintenancePorts,
  object: ServerMaintenance,
  { signal }: Pick<Look, 'signal'>,
): Promise<Seen> {
  const { metadata, spec } = object
  const template = spec.serverBootConfigurationTemplate
  const deleting = metadata.deletionTimestamp !== undefined
  const server = kube.cached.get(servers, { name: spec.serverRef.name })
  const configuration =
    template && kube.cached.get(configurations, { name: configurationNameOf(object), namespace: metadata.namespace ?? '' })
  const current = configuration !== undefined && sameJson(templateOf(object), configuration.spec)
  const image = template?.spec.image
  const others = server ? rivals(kube, server.metadata.name).filter(other => other.metadata.uid !== metadata.uid) : []
  const claim = server && claimSeen(kube, server, others)
  return {
    maintenance: {
      name: metadata.name,
      namespace: metadata.namespace ?? '',
      deleting,
      enforced: isEnforced(object),
      server: spec.serverRef.name,
      boot: template && { configuration: configurationNameOf(object), image, policy: effectivePolicy(template.spec.bootPolicy) },
      templateServer: template?.spec.serverRef?.name,
    },
    server: server && serverSeen(server, object, claim),
    next: deleting ? undefined : nextOf([object, ...others], object, claim),
    image:
      !deleting && server && image !== undefined && !current ? await imageSeen(images, image, architectureOf(server), signal) : undefined,
    configuration: configuration && {
      ours: configuration.metadata.ownerReferences?.some(owner => owner.uid === metadata.uid) ?? false,
      current,
      problem:
        configuration.status?.state === 'Error'
          ? `the server cannot boot ${configuration.metadata.name}: ${whatOf(configuration)}`
          : undefined,
    },
  }
}

/** Everything that wants the same server and is not on its way out. */
const rivals = (kube: ControllerKube, server: string): readonly ServerMaintenance[] =>
  kube.cached.by(maintenances, byServer, server).filter(({ metadata }) => metadata.deletionTimestamp === undefined)

export const byServer = 'server'

const isEnforced = ({ spec }: ServerMaintenance): boolean => spec.policy === 'Enforced'

function nextOf(all: readonly ServerMaintenance[], us: ServerMaintenance, claim: SeenClaim | undefined): Seen['next'] {
  const may = all.filter(one => (claim === undefined || claim.approved || isEnforced(one)) && (one === us || !isUnbootable(one)))
  const first = firstOf(may.map(waiting))
  return first && { name: first.name, us: first.name === us.metadata.name && first.namespace === us.metadata.namespace }
}

/** Its image is known not to boot: until it is another one or was mended, others go first. */
const isUnbootable = ({ metadata, status }: ServerMaintenance): boolean => {
  const valid = conditionOf(status, 'ImageValid')
  return valid?.status === 'False' && valid.observedGeneration === metadata.generation
}

const waiting = (object: ServerMaintenance): Waiting => ({
  namespace: object.metadata.namespace ?? '',
  name: object.metadata.name,
  enforced: isEnforced(object),
  priority: object.spec.priority,
  created: object.metadata.creationTimestamp ?? '',
})

function serverSeen(server: Server, { metadata }: ServerMaintenance, claim: SeenClaim | undefined): SeenServer {
  const { serverMaintenanceRef: ref, maintenanceBootConfigurationRef: named } = server.spec
  const ours = ref?.name === metadata.name && ref.namespace === metadata.namespace
  return {
    name: server.metadata.name,
    state: server.status?.state,
    deleting: server.metadata.deletionTimestamp !== undefined,
    updater: server.spec.updateRef?.job,
    holder: ref === undefined ? 'nobody' : ours ? 'us' : { name: `${ref.namespace}/${ref.name}` },
    configurationNamed: ours && named !== undefined,
    claim,
  }
}

function claimSeen(kube: ControllerKube, server: Server, others: readonly ServerMaintenance[]): SeenClaim | undefined {
  const ref = server.spec.serverClaimRef
  const claim = ref && kube.cached.get(claims, { name: ref.name, namespace: ref.namespace })
  if (!claim || claim.metadata.deletionTimestamp !== undefined) return undefined
  const labels = claim.metadata.labels ?? {}
  return {
    namespace: claim.metadata.namespace ?? '',
    name: claim.metadata.name,
    asked: labels[neededLabel] !== undefined || labels[approvedLabel] !== undefined,
    approved: labels[approvedLabel] === 'true',
    wantedByOthers: others.length > 0,
  }
}

const whatOf = ({ status }: { readonly status?: { readonly conditions?: readonly { status: string; message: string }[] } }): string =>
  status?.conditions?.find(condition => condition.status === 'False')?.message ?? 'it says no reason'
