import { conditionOf } from '../../../core/condition.ts'
import type { Instant, Millis } from '../../../core/duration.ts'
import { Fault } from '../../../core/fault.ts'
import { parseInstant } from '../../../core/instant.ts'
import type { JsonObject } from '../../../core/json.ts'
import { heldByAssisted } from '../../../policy/assisted/external.ts'
import { notStarted } from '../../../policy/assisted/not-started.ts'
import { type AgentSettings, agentIgnition, type Keyfiles } from '../../../policy/host-image/agent-ignition.ts'
import { imageGate, infraEnvLabel, overrideAnnotation } from '../../../policy/host-image/gate.ts'
import { mergeIgnition } from '../../../policy/host-image/merge-ignition.ts'
import type {
  HostImageFormat,
  HostImageOrder,
  HostImages,
  IgnitionConfigs,
  ImageRecord,
  ImageRecords,
  NetworkConfigs,
} from '../../../ports/host-images.ts'
import type { ControllerKube, Log, Look } from '../../../ports/index.ts'
import { type BareMetalHost, images, optionalHosts, type PreprovisioningImage, secrets } from '../resources.ts'
import { keep, type Memory, recall } from './kept.ts'
import type { Built, Network, Seen } from './seen.ts'

export interface ImagePorts {
  readonly kube: ControllerKube
  readonly images: HostImages
  readonly records: ImageRecords
  readonly configs: IgnitionConfigs
  readonly networks: NetworkConfigs
  readonly agent: AgentSettings
  readonly log: Log
  /** How long images of hosts without an InfraEnv wait before they are built. */
  readonly settling: Millis
  /** How long those of linked hosts do, where their machines are in a hurry; a minute. */
  readonly linkedSettling?: Millis | undefined
  /** Images that an assisted service makes are taken over from it. */
  readonly takeOver?: boolean
  /** Discs without a root file system, where a host does not say which it wants. */
  readonly minimal: boolean
  now(): Instant
}

/** Which disc a host wants: `full` or `minimal`. Labels of a host are copied to its image. */
export const discLabel = 'metal.rackwright.dev/live-iso'
export const finalizer = 'preprovisioningimage.metal3.io'

export async function observe(ports: ImagePorts, memory: Memory, image: PreprovisioningImage, look: Look): Promise<Seen> {
  const { signal } = look
  const { metadata, spec = {} } = image
  const { labels = {}, annotations = {}, namespace = '', name } = metadata
  const architecture = canonicalArchitecture(spec.architecture)
  const makes = ports.images.formats(architecture)
  const format = (spec.acceptFormats ?? []).find((accepted): accepted is HostImageFormat => makes.includes(accepted))
  const linked = labels[infraEnvLabel] !== undefined
  const host = ports.kube.cached.get(optionalHosts, { namespace, name })
  const gate = imageGate(
    {
      created: createdOf(image, ports.now(), look),
      linked,
      override: annotations[overrideAnnotation],
      leaving: isLeaving(host),
      settling: ports.settling,
      ...(ports.linkedSettling === undefined ? {} : { linkedSettling: ports.linkedSettling }),
    },
    ports.now(),
  )
  const deleting = metadata.deletionTimestamp !== undefined
  const isHeld = (metadata.finalizers ?? []).some(held => held !== finalizer && held !== 'foregroundDeletion')
  const isOver = deleting && !isHeld
  const standing = conditionOf(image.status, 'Ready')
  const theirs = linked && !ports.takeOver ? heldByAssisted(undefined, image, standing?.reason) : undefined
  const { network, nmstate = undefined } = isOver
    ? { network: { is: 'none' } as const }
    : await networkOf(ports.kube, namespace, spec.networkDataName, linked, signal)
  const seen = {
    deleting,
    isHeld,
    architecture,
    format,
    lacks: ports.images.lacks(architecture),
    gate,
    network,
    host: `${namespace}/${name}`,
    standing,
    stands: standing?.status === 'True' && standing.observedGeneration === metadata.generation,
    theirs,
  }
  if (isOver || theirs !== undefined || format === undefined || network.is === 'missing' || gate.is === 'closed')
    return { ...seen, built: undefined }
  const minimal = labels[discLabel] === undefined ? ports.minimal : labels[discLabel] === 'minimal'
  const order = { uid: metadata.uid ?? '', architecture, format, minimal }
  const [wish, settings] = [JSON.stringify([order, gate.override, network]), JSON.stringify(ports.agent)]
  const keeping = { ...ports, isThere: () => ports.kube.cached.get(images, { namespace, name })?.metadata.uid === metadata.uid }
  const known = await recall(keeping, memory, order.uid)
  if (known?.wish === wish && known.settings === settings) return { ...seen, built: known.built }
  const inputs = { host: name, linked, override: gate.override, network, nmstate }
  const built = await build(ports, order, inputs, made => keep(keeping, memory, { ...made, wish, settings }), signal)
  if (built.is === 'ready') return { ...seen, built }
  ports.log.warn('An image of a host cannot be built', {
    image: seen.host,
    host: seen.host,
    reason: built.reason,
    because: built.because,
  })
  return { ...seen, built, stands: seen.stands && (known === undefined || known.wish === wish) }
}

/**
 * When it was made, as this process has seen it: a clock that jumps makes it neither older nor younger. What was built is built again at
 * once after a restart, and never taken back for its age, since a machine may run from it.
 */
function createdOf({ metadata, status }: PreprovisioningImage, now: Instant, { lasting }: Look): Instant {
  if (conditionOf(status, 'Ready')?.status === 'True') return 0
  const said = parseInstant(metadata.creationTimestamp ?? '') ?? now
  const seen = now - lasting('it is there')
  return said > now ? seen : Math.max(said, seen)
}

interface Inputs {
  readonly host: string
  readonly linked: boolean
  readonly override: string | undefined
  readonly network: Network
  /** Apart from what was seen: it may hold passwords. */
  readonly nmstate: string | undefined
}

async function build(
  ports: ImagePorts,
  order: Omit<HostImageOrder, 'ignition'>,
  inputs: Inputs,
  keeps: (made: Pick<ImageRecord, 'order' | 'conflicts'>) => Promise<Built>,
  signal: AbortSignal,
): Promise<Built> {
  const failed = (reason: (Built & { readonly is: 'failed' })['reason'], because: string, mayRecover = false): Built => ({
    is: 'failed',
    reason,
    because,
    mayRecover,
  })
  const { network, override } = inputs
  let keyfiles: Keyfiles = []
  if (network.is === 'there') {
    if (inputs.nmstate === undefined) return failed('ImageBuildInvalid', `Secret ${network.name} has no key nmstate`)
    const made = await ports.networks.keyfiles(inputs.nmstate, signal)
    if ('wrong' in made) return failed('ConfigurationError', made.wrong)
    keyfiles = made.files
  }
  let ignition: JsonObject = agentIgnition(ports.agent, inputs.host, keyfiles)
  let conflicts: readonly string[] = []
  if (override !== undefined) {
    const theirs = await ports.configs.read(override, signal)
    if ('wrong' in theirs) return failed('IgnitionUnreadable', theirs.wrong, theirs.mayRecover)
    // Whoever starts the assisted agent here is the Ironic agent.
    const merged = mergeIgnition(ignition, inputs.linked ? notStarted(theirs.ignition) : theirs.ignition)
    if ('refused' in merged)
      return failed('ImageBuildInvalid', `the Ignition of annotation ${overrideAnnotation} cannot be used: ${merged.refused}`)
    ;({ ignition, conflicts } = merged)
  }
  try {
    return await keeps({ order: { ...order, ignition }, conflicts })
  } catch (error) {
    if (error instanceof Fault) return failed('ConfigurationError', error.message)
    throw error
  }
}

async function networkOf(
  kube: ControllerKube,
  namespace: string,
  name: string | undefined,
  linked: boolean,
  signal: AbortSignal,
): Promise<{ readonly network: Network; readonly nmstate?: string | undefined }> {
  if (name === undefined || name === '') return { network: { is: 'none' } }
  if (linked) return { network: { is: 'ignored', name } }
  const secret = await kube.fresh(secrets, { namespace, name }, signal)
  if (!secret) return { network: { is: 'missing', name } }
  const nmstate = secret.data?.['nmstate']
  return {
    network: { is: 'there', name, version: secret.metadata.resourceVersion ?? '' },
    nmstate: nmstate === undefined ? undefined : Buffer.from(nmstate, 'base64').toString('utf8'),
  }
}

/** The names that Kubernetes uses, and those that kernels use. */
const aliases: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64' }
const canonicalArchitecture = (name = 'x86_64'): string => aliases[name] ?? name

const isLeaving = (host: BareMetalHost | undefined): boolean =>
  host?.metadata.deletionTimestamp !== undefined ||
  ['deprovisioning', 'deleting', 'powering off before delete'].includes(host?.status?.provisioning?.state ?? '')
