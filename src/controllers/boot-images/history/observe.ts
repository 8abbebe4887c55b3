import { isObject } from '../../../core/json.ts'
import { architectureOf, streamArchitecture } from '../../../policy/boot-images/architecture.ts'
import { gatesOf } from '../../../policy/boot-images/gates.ts'
import { reach, text } from '../../../policy/boot-images/reach.ts'
import { isEnrolled } from '../../../policy/boot-images/selection.ts'
import type { readStream } from '../../../policy/boot-images/stream.ts'
import { managedNameOf, type Stub } from '../../../policy/boot-images/stub.ts'
import type { ControllerKube, Look } from '../../../ports/index.ts'
import { clusterFacts } from '../cluster.ts'
import {
  type BootImageHistory,
  clusterVersions,
  controlPlaneNodes,
  type Foreign,
  machineConfigurations,
  type Source,
  secrets,
  sourceOf,
  templateResources,
  templatesOf,
} from '../resources.ts'
import type { BootImageSettings } from '../settings.ts'
import { canaryOf } from './canary.ts'
import { cloneFor, cloneMark, templateNameOf } from './clones.ts'
import type { SeenTemplate } from './outcome.ts'
import { rivalOf } from './rival.ts'
import type { Seen, SeenMachine } from './seen.ts'

export interface HistoryPorts {
  readonly kube: ControllerKube
  readonly settings: BootImageSettings
  readonly sources: readonly Source[]
  /** Reads a stream once for all. */
  readonly read: typeof readStream
}

export const pauseAnnotation = 'rackwright.dev/boot-image-pause'
export const vouchAnnotation = 'rackwright.dev/boot-image-from-stream'

export async function observe(ports: HistoryPorts, history: BootImageHistory, look: Look): Promise<Seen> {
  const { kube, settings, sources } = ports
  const source = sourceOf(sources, history)
  const namespace = history.metadata.namespace ?? ''
  const object = source && kube.cached.get(source.of, { name: history.spec.machineResourceReference.name, namespace })
  const facts = clusterFacts(kube.cached, settings, ports.read)
  const gates = gatesOf(facts, ports.read)
  const status = history.status ?? {}
  const machine = source && object ? await machineSeen(ports, source, object, facts.platform, look.signal) : undefined
  const matters = machine?.enrolled === true && gates.open
  const secret = matters && source && object ? stubNameOf(source, object) : undefined
  // What a Secret holds is read only where it decides something.
  const managed = secret === undefined || settings.stubs === 'upgrade' ? undefined : managedNameOf(secret)
  return {
    settings,
    history: { restore: history.spec.restore, paused: history.spec.paused, details: status.details ?? [], sync: status.sync },
    wroteLast: look.last === undefined ? undefined : look.last.failed ? { failed: look.last.failed.message } : 'taken',
    gates,
    machine,
    stub:
      secret === undefined
        ? undefined
        : settings.stubs === 'upgrade'
          ? await stubSeen(kube, namespace, secret, look.signal)
          : { secret, userData: undefined },
    managed: managed === undefined ? undefined : await stubSeen(kube, namespace, managed, look.signal),
    rival: source && object && (status.sync?.written ?? 0) > 0 ? await rivalOf(kube, source, object, look.signal) : undefined,
    canary: settings.canary && gates.open && source ? canaryOf(kube.cached, sources, history, gates.generation) : undefined,
    leftovers: machine?.template && source ? leftovers(kube, sources, namespace, machine.template, cloneMark(source, machine.name)) : [],
  }
}

async function machineSeen(
  { kube, settings }: HistoryPorts,
  source: Source,
  object: Foreign,
  platform: string | undefined,
  signal: AbortSignal,
): Promise<SeenMachine> {
  const { metadata } = object
  const labels = metadata.labels ?? {}
  const wanted = kube.cached.get(machineConfigurations, { name: 'cluster' })?.spec.managedBootImages?.machineManagers
  const enrolled = isEnrolled(wanted, { resource: source.resource, apiGroup: source.of.group, labels })
  const template = source.api === 'capi' ? await templateSeen(kube, object, signal) : undefined
  const owners = (metadata.ownerReferences ?? []).filter(
    ({ kind, apiVersion }) => !(kind === 'Cluster' && apiVersion.startsWith('cluster.x-k8s.io/')),
  )
  const deployment = source.api === 'capi' ? owners.find(({ kind }) => kind === 'MachineDeployment')?.name : undefined
  const multi = reach(kube.cached.get(clusterVersions, { name: 'version' }), 'status', 'desired', 'architecture') === 'Multi'
  const node = kube.cached.list(controlPlaneNodes)[0]?.status?.nodeInfo?.architecture
  return {
    name: metadata.name,
    api: source.api,
    resource: source.resource,
    revision: metadata.resourceVersion ?? '',
    enrolled,
    pausedBy: metadata.annotations?.[pauseAnnotation],
    owners: owners.map(({ kind, name }) => `${kind} ${name}`),
    deployment,
    apart: apartOf(source, object),
    architecture: architectureOf(metadata.annotations, {
      multi,
      architecture: node === undefined ? settings.architecture : streamArchitecture(node),
    }),
    platform,
    spec: template ? template.spec : asSpec(reach(object, 'spec', 'template', 'spec', 'providerSpec', 'value')),
    template: template?.ref,
    vouched: metadata.annotations?.[vouchAnnotation] === 'true',
  }
}

const asSpec = (value: unknown): SeenMachine['spec'] => (isObject(value) ? value : undefined)

/** What is not managed here at all, whoever opted it in. */
function apartOf({ api }: Source, object: Foreign): SeenMachine['apart'] {
  if (reach(object, 'spec', 'template', 'metadata', 'labels', 'machine.openshift.io/os-id') === 'Windows')
    return { reason: 'Windows', because: 'its machines run Windows' }
  const stream = object.metadata.labels?.['machineconfiguration.openshift.io/osstream']
  if (stream !== undefined && stream !== 'rhel-9') return { reason: 'OtherStream', because: `its machines follow stream ${stream}` }
  if (object.metadata.labels?.['topology.cluster.x-k8s.io/owned'] !== undefined)
    return { reason: 'OfTopology', because: 'the cluster’s topology says what it boots' }
  const authority = text(reach(object, 'status', 'authoritativeAPI'))
  if (api === 'mapi' && (authority === 'ClusterAPI' || authority === 'Migrating'))
    return { reason: 'NotAuthoritative', because: `its authoritative API is ${authority}: changes here would be refused` }
  if (api === 'capi' && authority === 'MachineAPI')
    return { reason: 'NotAuthoritative', because: 'its authoritative API is MachineAPI: changes here would be refused' }
  return undefined
}

async function templateSeen(kube: ControllerKube, object: Foreign, signal: AbortSignal) {
  const ref = reach(object, 'spec', 'template', 'spec', 'infrastructureRef')
  const [name, kind, apiVersion] = ['name', 'kind', 'apiVersion'].map(key => text(reach(ref, key)))
  if (name === undefined || kind === undefined || apiVersion === undefined) return undefined
  const found = await kube.fresh(templatesOf(apiVersion, kind), { name, namespace: object.metadata.namespace ?? '' }, signal)
  return { ref: { name, kind, apiVersion, found: found !== undefined }, spec: asSpec(reach(found, 'spec', 'template', 'spec')) }
}

function stubNameOf({ api }: Source, object: Foreign): string | undefined {
  const spec = reach(object, 'spec', 'template', 'spec')
  if (api === 'capi') return text(reach(spec, 'bootstrap', 'dataSecretName'))
  const value = reach(spec, 'providerSpec', 'value')
  return text(reach(value, 'userDataSecret', 'name')) ?? text(reach(value, 'userData', 'name'))
}

async function stubSeen(kube: ControllerKube, namespace: string, secret: string, signal: AbortSignal): Promise<Stub> {
  const found = await kube.fresh(secrets, { name: secret, namespace }, signal)
  const data = found?.data?.['userData'] ?? found?.data?.['value']
  return { secret, userData: found === undefined ? undefined : data === undefined ? null : Buffer.from(data, 'base64').toString('utf8') }
}

/** Clones made for this machine resource that none names any more. */
function leftovers(
  kube: ControllerKube,
  sources: readonly Source[],
  namespace: string,
  template: SeenTemplate,
  mark: string,
): readonly string[] {
  const of = templateResources.find(({ plural }) => plural === templatesOf(template.apiVersion, template.kind).plural)
  if (!of) return []
  const clones = kube.cached
    .list(of, namespace)
    .filter(({ metadata }) => metadata.annotations?.[cloneFor] === mark && metadata.deletionTimestamp === undefined)
  if (clones.length === 0) return []
  const named = new Set(
    sources.filter(({ api }) => api === 'capi').flatMap(source => kube.cached.list(source.of, namespace).map(templateNameOf)),
  )
  return clones.map(({ metadata }) => metadata.name).filter(name => !named.has(name))
}
