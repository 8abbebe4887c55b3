import { platforms } from '../../policy/boot-images/platforms/index.ts'
import { type Kind, kind } from '../kind.ts'
import { anything, optional } from '../schema.ts'

/**
 * Kinds of other projects that are read and patched where they are. On a cluster they are there already and stay as they are; for the
 * embedded server and for tests they are defined as openly as can be.
 */
const foreign = (group: string, version: string, name: string, plural: string, scope: Kind['scope']) =>
  kind({
    group,
    version,
    kind: name,
    plural,
    categories: [],
    scope,
    description: `A ${name} of ${group}, as far as this program needs it: whatever it holds is kept.`,
    fields: { spec: optional(anything('What is wanted.')), status: optional(anything('What became of it.')) },
    columns: [],
    example: { metadata: { name: 'example', ...(scope === 'Namespaced' ? { namespace: 'default' } : {}) }, spec: {} },
  })

export const mapiMachineSet = foreign('machine.openshift.io', 'v1beta1', 'MachineSet', 'machinesets', 'Namespaced')
export const mapiMachine = foreign('machine.openshift.io', 'v1beta1', 'Machine', 'machines', 'Namespaced')
export const capiMachineSet = foreign('cluster.x-k8s.io', 'v1beta1', 'MachineSet', 'machinesets', 'Namespaced')
export const capiMachineDeployment = foreign('cluster.x-k8s.io', 'v1beta1', 'MachineDeployment', 'machinedeployments', 'Namespaced')
export const capiMachine = foreign('cluster.x-k8s.io', 'v1beta1', 'Machine', 'machines', 'Namespaced')
export const infrastructure = foreign('config.openshift.io', 'v1', 'Infrastructure', 'infrastructures', 'Cluster')
export const clusterVersion = foreign('config.openshift.io', 'v1', 'ClusterVersion', 'clusterversions', 'Cluster')
export const featureGate = foreign('config.openshift.io', 'v1', 'FeatureGate', 'featuregates', 'Cluster')
export const clusterOperator = foreign('config.openshift.io', 'v1', 'ClusterOperator', 'clusteroperators', 'Cluster')
export const machineConfigPool = foreign('machineconfiguration.openshift.io', 'v1', 'MachineConfigPool', 'machineconfigpools', 'Cluster')

/** Infrastructure templates, one kind per platform that Cluster API knows. */
export const templateKinds: readonly Kind[] = platforms.flatMap(({ templates }) =>
  templates.map(name => foreign('infrastructure.cluster.x-k8s.io', 'v1beta1', name, `${name.toLowerCase()}s`, 'Namespaced')),
)

export const foreignKinds: readonly Kind[] = [
  mapiMachineSet,
  mapiMachine,
  capiMachineSet,
  capiMachineDeployment,
  capiMachine,
  infrastructure,
  clusterVersion,
  featureGate,
  clusterOperator,
  machineConfigPool,
  ...templateKinds,
]
