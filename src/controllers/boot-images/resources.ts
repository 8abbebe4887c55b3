import type { Kind, Of } from '../../api/kind.ts'
import { bootImageHistory } from '../../api/openshift/boot-image-history.ts'
import {
  capiMachine,
  capiMachineDeployment,
  capiMachineSet,
  clusterOperator,
  clusterVersion,
  featureGate,
  infrastructure,
  machineConfigPool,
  mapiMachine,
  mapiMachineSet,
  templateKinds,
} from '../../api/openshift/foreign.ts'
import { machineConfiguration } from '../../api/openshift/machine-configuration.ts'
import type { KubeObject } from '../../core/object.ts'
import { type ResourceRef, resourceOf } from '../../ports/index.ts'

export type BootImageHistory = Of<typeof bootImageHistory>
export type MachineConfiguration = Of<typeof machineConfiguration>
export type Foreign = Of<typeof mapiMachineSet>

/** What a cluster may or may not have. */
const foreign = <K extends Kind>(of: K) => ({ ...resourceOf(of), optional: true as const })

export const histories = resourceOf(bootImageHistory)
export const machineConfigurations = resourceOf(machineConfiguration)
export const infrastructures = foreign(infrastructure)
export const clusterVersions = foreign(clusterVersion)
export const featureGates = foreign(featureGate)
export const clusterOperators = foreign(clusterOperator)
export const machineConfigPools = foreign(machineConfigPool)

export interface Data extends KubeObject {
  readonly data?: Readonly<Record<string, string>>
}
export interface NodeObject extends KubeObject {
  readonly status?: {
    readonly nodeInfo?: { readonly osImage?: string; readonly architecture?: string }
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  }
}

/** Where the golden ConfigMap lives, and nothing else of that namespace. */
export const goldenKey = { namespace: 'openshift-machine-config-operator', name: 'coreos-bootimages' } as const
export const goldenMaps: ResourceRef<Data> = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  namespaced: true,
  part: { namespace: goldenKey.namespace, fields: `metadata.name=${goldenKey.name}` },
}
export const secrets: ResourceRef<Data> = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
/** Where machine resources of the two APIs and their stubs live. */
export const stubSecrets: readonly ResourceRef<Data>[] = ['openshift-machine-api', 'openshift-cluster-api'].map(namespace => ({
  ...secrets,
  part: { namespace },
}))
/** The certificate by which new machines know the machine-config server. */
export const authorityKey = { namespace: goldenKey.namespace, name: 'machine-config-server-ca' } as const
export const authorityMaps: ResourceRef<Data> = {
  ...goldenMaps,
  part: { namespace: authorityKey.namespace, fields: `metadata.name=${authorityKey.name}` },
}
export const controlPlaneNodes: ResourceRef<NodeObject> = {
  group: '',
  version: 'v1',
  plural: 'nodes',
  namespaced: false,
  optional: true,
  part: { labels: 'node-role.kubernetes.io/control-plane' },
}

/** What makes machines: each with the machines that come of it. */
export interface Source {
  readonly api: 'mapi' | 'capi'
  readonly resource: 'machinesets' | 'machinedeployments'
  readonly of: ResourceRef<Foreign>
  readonly machines: ResourceRef<Foreign>
}

export const mapiSets: Source = { api: 'mapi', resource: 'machinesets', of: foreign(mapiMachineSet), machines: foreign(mapiMachine) }
export const capiSets: Source = { api: 'capi', resource: 'machinesets', of: foreign(capiMachineSet), machines: foreign(capiMachine) }
export const capiDeployments: Source = {
  api: 'capi',
  resource: 'machinedeployments',
  of: foreign(capiMachineDeployment),
  machines: foreign(capiMachine),
}

/** Those that are watched, so that clones which nothing refers to are found. */
export const templateResources = templateKinds.map(of => foreign(of)) as readonly ResourceRef<Foreign>[]

/** Infrastructure templates are of a kind per platform; which one, a machine resource says. */
export const templatesOf = (apiVersion: string, kind: string): ResourceRef<Foreign> => {
  const [group = '', version = ''] = apiVersion.split('/')
  return { group, version, plural: `${kind.toLowerCase()}s`, namespaced: true }
}

/** `<name>-<mapi or capi>-<resource>`: twins of the two APIs do not collide. */
export const historyNameOf = (name: string, { api, resource }: Source): string => `${name}-${api}-${resource}`

/** The source that a history's reference means; three spellings of a resource are understood. */
export const sourceOf = (sources: readonly Source[], { spec }: BootImageHistory): Source | undefined => {
  const { resource, apiGroup } = spec.machineResourceReference
  const plural = resource.toLowerCase().replace(/s?$/, 's')
  return sources.find(source => source.resource === plural && source.of.group === apiGroup)
}
