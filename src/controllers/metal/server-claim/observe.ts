import { sameJson } from '../../../core/json.ts'
import { selectorOf } from '../../../core/selector.ts'
import { spread } from '../../../core/spread.ts'
import { effectivePolicy } from '../../../policy/boot/policy.ts'
import { readProvisioned } from '../../../policy/boot/provisioned.ts'
import { type Candidate, match, type Wish } from '../../../policy/claim/match.ts'
import type { ImageResolver } from '../../../ports/images.ts'
import type { ControllerKube, Look } from '../../../ports/index.ts'
import { architectureOf, imageSeen } from '../read-image.ts'
import {
  configurations,
  readinessRules,
  type Server,
  type ServerBootConfiguration,
  type ServerClaim,
  type ServerReadinessRule,
  servers,
} from '../resources.ts'
import { taintsOf } from '../server-readiness-rule/rule-of.ts'
import type { Eyed } from './eyed.ts'
import { installedBefore } from './installed-before.ts'
import type { Seen, SeenConfiguration, SeenServer } from './seen.ts'

export interface ClaimPorts {
  readonly kube: ControllerKube
  readonly images: ImageResolver
}

export async function observe(
  { kube, images }: ClaimPorts,
  eyed: Eyed,
  claim: ServerClaim,
  { signal }: Pick<Look, 'signal'>,
): Promise<Seen> {
  const { metadata, spec, status } = claim
  const deleting = metadata.deletionTimestamp !== undefined
  const binding = status?.binding
  const found = binding || deleting ? undefined : chosen(kube, eyed, claim)
  eyed.note(idOf(claim), status?.phase === 'Bound' || deleting ? undefined : (binding?.server ?? (found?.fits ? found.server : undefined)))
  const name = binding?.server ?? (found?.fits ? found.server : spec.serverRef?.name)
  const server = name === undefined ? undefined : kube.cached.get(servers, { name })
  const configuration = kube.cached.get(configurations, key(claim))
  const policy = effectivePolicy(spec.bootPolicy)
  const seenConfiguration = configuration && configurationSeen(configuration, claim)
  const matters =
    !deleting && server !== undefined && (seenConfiguration === undefined || !(seenConfiguration.current || seenConfiguration.provisioned))
  return {
    claim: {
      name: metadata.name,
      deleting,
      image: spec.image,
      policy,
      serverRef: spec.serverRef?.name,
      binding,
      installedBefore: installedBefore(claim, server),
    },
    server: server && serverSeen(server, claim),
    match: found,
    image: matters ? await imageSeen(images, spec.image, architectureOf(server), signal) : undefined,
    configuration: seenConfiguration,
  }
}

const key = ({ metadata }: ServerClaim) => ({
  name: metadata.name,
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
})

const idOf = ({ metadata }: ServerClaim): string => metadata.uid ?? metadata.name

export const wishOf = ({ spec }: ServerClaim): Wish => ({
  ...(spec.serverRef ? { server: spec.serverRef.name } : {}),
  ...(spec.serverSelector ? { selector: selectorOf(spec.serverSelector) } : {}),
  tolerations: spec.tolerations ?? [],
})

function chosen(kube: ControllerKube, eyed: Eyed, claim: ServerClaim) {
  const seed = idOf(claim)
  const rules = kube.cached.list(readinessRules)
  return match(
    wishOf(claim),
    kube.cached.list(servers).map(server => candidate(server, claim, rules)),
    server => spread(`${seed} ${server}`) + (eyed.byAnother(server, seed) ? behind : 0),
  )
}

function candidate(server: Server, claim: ServerClaim, rules: readonly ServerReadinessRule[]): Candidate {
  return {
    name: server.metadata.name,
    labels: server.metadata.labels ?? {},
    state: server.status?.state,
    taken: takenBy(server, claim),
    held: server.spec.serverMaintenanceRef !== undefined,
    deleting: server.metadata.deletionTimestamp !== undefined,
    updating: server.spec.updateRef !== undefined,
    cordoned: server.spec.unclaimable === true,
    taints: taintsOf(server, rules),
  }
}

function takenBy(server: Server, { metadata }: ServerClaim): 'free' | 'us' | 'other' {
  const ref = server.spec.serverClaimRef
  if (!ref) return 'free'
  return ref.name === metadata.name && ref.namespace === metadata.namespace && (ref.uid === undefined || ref.uid === metadata.uid)
    ? 'us'
    : 'other'
}

const serverSeen = (server: Server, claim: ServerClaim): SeenServer => ({
  name: server.metadata.name,
  uid: server.metadata.uid ?? '',
  taken: takenBy(server, claim),
  available:
    server.status?.state === 'Available' &&
    server.metadata.deletionTimestamp === undefined &&
    server.spec.serverMaintenanceRef === undefined &&
    server.spec.updateRef === undefined,
})

function configurationSeen(configuration: ServerBootConfiguration, { metadata, spec }: ServerClaim): SeenConfiguration {
  const said = configuration.spec
  return {
    ours: configuration.metadata.ownerReferences?.some(owner => owner.uid === metadata.uid) ?? false,
    provisioned: readProvisioned(configuration.metadata.annotations) !== 'no',
    current:
      said.image === spec.image &&
      sameJson(said.ignitionSecretRef, spec.ignitionSecretRef) &&
      sameJson(everything(said.bootPolicy), everything(spec.bootPolicy)),
  }
}

/** All that a policy says; what is left out and what stands for it are the same. */
const everything = (policy: ServerClaim['spec']['bootPolicy']) => ({
  ...effectivePolicy(policy),
  provisionedWhen: policy?.provisionedWhen,
  unexpectedBoot: policy?.unexpectedBoot ?? 'SafeStop',
})

/** More than any spread: after all servers that nobody has an eye on. */
const behind = 2 ** 32
