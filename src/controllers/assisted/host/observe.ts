import { conditionOf } from '../../../core/condition.ts'
import { parseInstant } from '../../../core/instant.ts'
import { isObject } from '../../../core/json.ts'
import type { KubeObject } from '../../../core/object.ts'
import { agentOf } from '../../../policy/assisted/agent-of.ts'
import { type AgentPatch, agentWish } from '../../../policy/assisted/agent-wish.ts'
import { heldByAssisted } from '../../../policy/assisted/external.ts'
import { type ConvergedFlow, flowOf } from '../../../policy/assisted/flow.ts'
import { infraEnvLabel, overrideAnnotation } from '../../../policy/host-image/gate.ts'
import type { Cached, ControllerKube } from '../../../ports/index.ts'
import { detachedAnnotation, inspectAnnotation } from '../../metal3/host/annotations.ts'
import type { BareMetalHost, PreprovisioningImage } from '../../metal3/resources.ts'
import { type Agent, agents, assistedImages, clusterOperators, type InfraEnv, infraEnvs } from '../resources.ts'
import type { Mark, Seen, SeenAgent, SeenHost, SeenImage, SeenInfraEnv } from './seen.ts'

export interface AssistedPorts {
  readonly kube: ControllerKube
  readonly convergedFlow: ConvergedFlow
  /** Our own image customisation builds images of hosts. */
  readonly builds: boolean
  /** Hosts that an assisted service works on are taken over from it. */
  readonly takeOver: boolean
  /** Mebibytes; two agents need more than one. */
  readonly leastMemory: number
}

/** What tells of faults, and what tells how far a host is. */
export const conditionType = 'Assisted'

export function observe({ kube, convergedFlow, builds, takeOver, leastMemory }: AssistedPorts, host: BareMetalHost): Seen {
  const { cached } = kube
  const { namespace = '', name } = host.metadata
  const linked = host.metadata.labels?.[infraEnvLabel]
  const flow = flowOf({ setting: convergedFlow, operators: operatorsOf(cached), builds })
  const bare = { host: hostSeen(host, linked), flow, leastMemory }
  if (linked === undefined) return { ...bare, infraEnv: undefined, image: undefined, agent: undefined, held: undefined }
  const image = cached.get(assistedImages, { namespace, name })
  const infraEnv = cached.get(infraEnvs, { namespace, name: linked })
  return {
    ...bare,
    infraEnv: infraEnv && infraEnv.metadata.deletionTimestamp === undefined ? infraEnvSeen(infraEnv) : undefined,
    image: image && image.metadata.deletionTimestamp === undefined ? imageSeen(image) : undefined,
    agent: agentSeen(host, infraEnv, cached.list(agents, namespace)),
    held: takeOver ? undefined : heldByAssisted(host, image, conditionOf(image?.status, 'Ready')?.reason),
  }
}

const imageSeen = (image: PreprovisioningImage): SeenImage => ({
  ...mark(image),
  override: image.metadata.annotations?.[overrideAnnotation],
  isBuilt: image.status?.imageUrl !== undefined,
})

const mark = ({ metadata: { name, uid, resourceVersion } }: KubeObject): Mark => ({ name, uid, resourceVersion })

function operatorsOf(cached: Cached): Parameters<typeof flowOf>[0]['operators'] {
  const known = cached.list(clusterOperators)
  if (known.length === 0) return { are: 'none' }
  const versions = known.find(({ metadata }) => metadata.name === 'baremetal')?.status?.['versions']
  const said: readonly unknown[] = Array.isArray(versions) ? versions : []
  const own = said.filter(isObject).find(({ name }) => name === 'operator') ?? said.find(isObject)
  return { are: 'there', baremetal: typeof own?.['version'] === 'string' ? own['version'] : undefined }
}

function hostSeen({ metadata, spec, status }: BareMetalHost, linked: string | undefined): SeenHost {
  const annotations = metadata.annotations ?? {}
  const givenUp = conditionOf(status, 'AvailableForProvisioning')
  return {
    linked,
    deleting: metadata.deletionTimestamp !== undefined,
    detachedBy: annotations[detachedAnnotation],
    state: status?.provisioning?.state ?? '',
    method: spec?.customDeploy?.method,
    image: spec?.image && { url: spec.image.url, ...(spec.image.format === undefined ? {} : { format: spec.image.format }) },
    online: spec?.online ?? false,
    cleaning: spec?.automatedCleaningMode ?? 'metadata',
    inspectAnnotation: annotations[inspectAnnotation],
    inspectionMode: spec?.inspectionMode,
    external: spec?.externallyProvisioned ?? false,
    memory: status?.hardware?.ramMebibytes,
    booted: status?.engine?.stage !== undefined,
    failed: status?.errorType === undefined ? undefined : status.errorMessage,
    givenUp: givenUp?.reason === 'TooManyFailures' ? givenUp.message : undefined,
    remembers: status?.lastAttempted !== undefined,
    standing: conditionOf(status, conditionType),
  }
}

function infraEnvSeen({ metadata, status }: InfraEnv): SeenInfraEnv {
  const made = conditionOf(status, 'ImageCreated')
  return {
    name: metadata.name,
    ignition: status?.bootArtifacts?.discoveryIgnitionURL,
    iso: status?.isoDownloadURL,
    created: parseInstant(status?.createdTime ?? ''),
    because: made?.status === 'False' ? made.message : undefined,
  }
}

/** The addresses of a host: that by which it boots, and what its inspection found. */
const macsOf = ({ spec, status }: BareMetalHost): readonly string[] =>
  [spec?.bootMACAddress, ...(status?.hardware?.nics ?? []).map(({ mac }) => mac)].flatMap(mac => mac ?? [])

/** The Agent that runs on a host, by its hardware addresses. */
export const agentAmong = (host: BareMetalHost, all: readonly Agent[]): Agent | undefined =>
  agentOf(
    all.map(one => ({
      one,
      created: one.metadata.creationTimestamp ?? '',
      macs: (one.status?.inventory?.interfaces ?? []).flatMap(({ macAddress }) => macAddress ?? []),
    })),
    macsOf(host),
  )?.one

function agentSeen(host: BareMetalHost, infraEnv: InfraEnv | undefined, all: readonly Agent[]): SeenAgent | undefined {
  const agent = agentAmong(host, all)
  if (!agent) return undefined
  const { spec, status } = agent
  const wish = agentWish({
    host: host.metadata.name,
    annotations: host.metadata.annotations ?? {},
    hints: host.spec?.rootDeviceHints,
    disks: status?.inventory?.disks ?? [],
    infraEnvHasCluster: infraEnv?.spec?.clusterRef !== undefined,
  })
  return {
    ...mark(agent),
    approved: spec?.approved ?? false,
    hasCluster: spec?.clusterDeploymentName !== undefined,
    stage: status?.progress?.currentStage,
    info: status?.progress?.progressInfo,
    stateInfo: status?.debugInfo?.stateInfo,
    unbinding: conditionOf(status, 'Bound')?.reason === 'UnbindingPendingUserAction',
    lacks: 'wrong' in wish ? undefined : lacksOf(agent, wish),
    wrong: 'wrong' in wish ? wish.wrong : undefined,
  }
}

/** Only what is not so yet is written; labels of a node are replaced as a whole, those of the Agent only added to. */
function lacksOf({ metadata, spec = {} }: Agent, { labels, spec: wanted }: AgentPatch): AgentPatch | undefined {
  const missing = Object.entries(labels).filter(([name, value]) => metadata.labels?.[name] !== value)
  const { nodeLabels, ...plain } = wanted
  const other = Object.entries(plain).filter(([field, value]) => !same((spec as Record<string, unknown>)[field], value))
  const nodes = replaced(spec.nodeLabels ?? {}, nodeLabels as Readonly<Record<string, string>>)
  if (missing.length === 0 && other.length === 0 && !nodes) return undefined
  return { labels: Object.fromEntries(missing), spec: { ...Object.fromEntries(other), ...(nodes ? { nodeLabels: nodes } : {}) } }
}

const same = (a: unknown, b: unknown): boolean => (b === null ? a === undefined : JSON.stringify(a) === JSON.stringify(b))

function replaced(
  standing: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> | undefined {
  const lost = Object.keys(standing).filter(name => !(name in wanted))
  const changed = Object.entries(wanted).some(([name, value]) => standing[name] !== value)
  return lost.length === 0 && !changed ? undefined : { ...Object.fromEntries(lost.map(name => [name, null])), ...wanted }
}
