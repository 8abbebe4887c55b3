import { crdOf } from '../../api/crd.ts'
import { assistedKinds, kinds, metal3Kinds } from '../../api/kinds.ts'
import { admissionPolicy } from '../../api/openshift/admission.ts'
import { bootImageHistory } from '../../api/openshift/boot-image-history.ts'
import type { KubeObject } from '../../core/object.ts'
import { access, assistedAccess, bootImageAccess, firmwareAccess, metal3Access } from './access.ts'
import { alerts, serviceMonitor } from './monitoring.ts'
import { agentService, disruptionBudgets, networkPolicies, services } from './network.ts'
import type { Part, Values } from './values.ts'
import { workloads } from './workloads.ts'

/** One file of the chart, one stretch of the manifests. */
export interface Piece {
  readonly name: string
  /** Left out where this part is not wanted. */
  readonly part?: Part
  objects(values: Values): readonly KubeObject[]
}

/** Helm would take CRDs away with the release, and every server with them: it is told to keep them. */
const kept = (crd: KubeObject): KubeObject => ({
  ...crd,
  metadata: { ...crd.metadata, annotations: { 'helm.sh/resource-policy': 'keep' } },
})

/** Everything that is installed, in the order in which it can be applied. */
export const pieces: readonly Piece[] = [
  ...kinds.map((kind): Piece => ({ name: `crds/${kind.group}_${kind.plural}`, part: 'crds.metal', objects: () => [kept(crdOf(kind))] })),
  ...metal3Kinds.map(
    (kind): Piece => ({ name: `crds/${kind.group}_${kind.plural}`, part: 'crds.metal3', objects: () => [kept(crdOf(kind))] }),
  ),
  ...assistedKinds.map(
    (kind): Piece => ({ name: `crds/${kind.group}_${kind.plural}`, part: 'crds.assisted', objects: () => [kept(crdOf(kind))] }),
  ),
  { name: 'crds/boot-image-histories', part: 'bootImages.enabled', objects: () => [kept(crdOf(bootImageHistory))] },
  { name: 'boot-image-admission', part: 'bootImages.enabled', objects: () => admissionPolicy },
  { name: 'access', objects: access },
  { name: 'boot-image-access', part: 'bootImages.enabled', objects: bootImageAccess },
  { name: 'firmware-access', part: 'firmware.enabled', objects: firmwareAccess },
  { name: 'metal3-access', part: 'metal3.enabled', objects: metal3Access },
  { name: 'agent-service', part: 'metal3.enabled', objects: agentService },
  { name: 'assisted-access', part: 'assisted.enabled', objects: assistedAccess },
  { name: 'workloads', objects: workloads },
  { name: 'services', objects: services },
  { name: 'network-policies', part: 'networkPolicy.enabled', objects: networkPolicies },
  { name: 'disruption-budgets', part: 'podDisruptionBudget.enabled', objects: disruptionBudgets },
  { name: 'service-monitor', part: 'serviceMonitor.enabled', objects: serviceMonitor },
  { name: 'alerts', part: 'alerts.enabled', objects: alerts },
]

/** For a namespace that does not exist yet; Helm makes its own. */
export const namespaceOf = ({ namespace }: Values): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
})
