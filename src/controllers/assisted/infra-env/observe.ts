import { Fault } from '../../../core/fault.ts'
import { isObject, type JsonObject } from '../../../core/json.ts'
import { type Discovery, discoveryIgnition } from '../../../policy/assisted/discovery-ignition.ts'
import { mergeIgnition } from '../../../policy/host-image/merge-ignition.ts'
import type { DiscoveryConfigs, HostImages } from '../../../ports/host-images.ts'
import type { ControllerKube } from '../../../ports/index.ts'
import { secrets } from '../../metal3/resources.ts'
import { type InfraEnv, infraEnvs } from '../resources.ts'
import type { Rendered, Seen } from './seen.ts'

export interface InfraEnvPorts {
  readonly kube: ControllerKube
  readonly configs: DiscoveryConfigs
  readonly images: HostImages
  /** The assisted service that agents call; undefined where nobody named one. */
  readonly service: { readonly url: string; readonly agentImage: string } | undefined
}

/** On InfraEnvs for which we serve something. */
export const finalizer = 'metal.rackwright.dev/discovery'
/** On those that an assisted service renders. */
const theirFinalizer = 'infraenv.agent-install.openshift.io/ai-deprovision'
/** What an assisted service does, and this does not. */
const unfollowed = ['nmStateConfigLabelSelector', 'kernelArguments', 'osImageVersion', 'mirrorRegistryRef', 'ipxeScriptType'] as const

export async function observe(ports: InfraEnvPorts, { metadata, spec = {}, status }: InfraEnv, signal: AbortSignal): Promise<Seen> {
  const finalizers = metadata.finalizers ?? []
  const isHeld = finalizers.includes(finalizer)
  const ignition = status?.bootArtifacts?.discoveryIgnitionURL
  const deleting = metadata.deletionTimestamp !== undefined
  const theirs = finalizers.includes(theirFinalizer)
    ? `it has finalizer ${theirFinalizer}`
    : !isHeld && ignition !== undefined
      ? 'somebody else has rendered it'
      : undefined
  const seen = {
    deleting,
    isHeld,
    theirs,
    standing: { ignition, created: status?.createdTime },
    hasSecret: (spec.pullSecretRef?.name ?? '') !== '',
    unused: unfollowed.filter(field => spec[field] !== undefined),
  }
  if (deleting || !isHeld || theirs !== undefined) return { ...seen, rendered: undefined }
  return { ...seen, rendered: await render(ports, { metadata, spec }, signal) }
}

const failed = (reason: string, because: string): Rendered => ({ is: 'failed', reason, because })

async function render(
  { kube, configs, images, service }: InfraEnvPorts,
  { metadata, spec = {} }: Pick<InfraEnv, 'metadata' | 'spec'>,
  signal: AbortSignal,
): Promise<Rendered> {
  if (!service) return failed('NoAssistedService', 'nobody said which assisted service its agents call: this is not one')
  const { namespace = '', uid = '' } = metadata
  const isThere = (): boolean => kube.cached.get(infraEnvs, { namespace, name: metadata.name })?.metadata.uid === uid
  const name = spec.pullSecretRef?.name
  const secret = name ? await kube.fresh(secrets, { namespace, name }, signal) : undefined
  const packed = secret?.data?.['.dockerconfigjson']
  if (name && packed === undefined)
    return failed(
      'MissingPullSecret',
      secret ? `Secret ${name} has no .dockerconfigjson` : `Secret ${name} with the credentials of registries is not there`,
    )
  const discovery: Discovery = {
    id: uid,
    serviceUrl: service.url,
    agentImage: service.agentImage,
    ...(spec.proxy ? { proxy: spec.proxy } : {}),
    ...(spec.sshAuthorizedKey ? { sshKey: spec.sshAuthorizedKey } : {}),
    ...(packed === undefined ? {} : { pullSecret: Buffer.from(packed, 'base64').toString('utf8') }),
    ...(spec.additionalTrustBundle ? { trustBundle: spec.additionalTrustBundle } : {}),
    timeServers: [...(spec.ntpSources ?? []), ...(spec.additionalNTPSources ?? [])],
  }
  const made = overlaid(discoveryIgnition(discovery), spec.ignitionConfigOverride)
  if ('wrong' in made) return failed('InvalidIgnitionOverride', made.wrong)
  return { is: 'ready', ignition: configs.keep(uid, made.ignition, isThere), ...discs(images, { uid, isThere }, spec, made.ignition) }
}

/** Where people's own Ignition speaks of the same thing, theirs is taken. What is wrong with it is said without repeating it. */
function overlaid(rendered: JsonObject, override: string | undefined): { readonly ignition: JsonObject } | { readonly wrong: string } {
  if (override === undefined || override === '') return { ignition: rendered }
  let theirs: unknown
  try {
    theirs = JSON.parse(override)
  } catch {
    return { wrong: 'ignitionConfigOverride is no JSON' }
  }
  const version = isObject(theirs) && isObject(theirs['ignition']) ? theirs['ignition']['version'] : undefined
  if (typeof version !== 'string' || !/^3\.\d+\.\d+$/.test(version)) return { wrong: 'ignitionConfigOverride is no Ignition 3' }
  const merged = mergeIgnition(theirs as JsonObject, rendered)
  return 'refused' in merged ? { wrong: `ignitionConfigOverride cannot be used: ${merged.refused}` } : { ignition: merged.ignition }
}

/** For machines that people boot by themselves: there the agent starts as it always did. */
function discs(
  images: HostImages,
  { uid, isThere }: { readonly uid: string; isThere(): boolean },
  spec: NonNullable<InfraEnv['spec']>,
  ignition: JsonObject,
) {
  const architecture = { amd64: 'x86_64', arm64: 'aarch64' }[spec.cpuArchitecture ?? ''] ?? spec.cpuArchitecture ?? 'x86_64'
  const order = { architecture, minimal: spec.imageType === 'minimal-iso', ignition }
  try {
    const { imageUrl: iso } = images.keep({ ...order, uid: `disc of ${uid}`, format: 'iso' }, isThere)
    const booted = images.keep({ ...order, uid: `initrd of ${uid}`, format: 'initrd' }, isThere)
    const { imageUrl: initrd, kernelUrl: kernel, kernelParams } = booted
    const [, rootfs] = /coreos\.live\.rootfs_url=(\S+)/.exec(kernelParams ?? '') ?? []
    return { iso, network: { initrd, kernel, rootfs }, without: undefined }
  } catch (error) {
    if (error instanceof Fault) return { iso: undefined, network: undefined, without: error }
    throw error
  }
}

export function drop({ configs, images }: InfraEnvPorts, uid: string): void {
  configs.drop(uid)
  images.drop(`disc of ${uid}`)
  images.drop(`initrd of ${uid}`)
}
