import { ApiError } from '../../../api/status.ts'
import { conditionOf } from '../../../core/condition.ts'
import { Fault } from '../../../core/fault.ts'
import { type Reconciler, wokenBy } from '../../../ports/index.ts'
import { stampedGeneration, stampedHash } from '../cluster.ts'
import type { HistoryPorts } from '../history/observe.ts'
import {
  authorityMaps,
  clusterOperators,
  clusterVersions,
  controlPlaneNodes,
  featureGates,
  goldenKey,
  goldenMaps,
  histories,
  infrastructures,
  type MachineConfiguration,
  machineConfigPools,
  machineConfigurations,
  secrets,
  stubSecrets,
} from '../resources.ts'
import { decide, type Seen, type Verb } from './decide.ts'
import { observe } from './observe.ts'

/** Begins a history for everything that is opted in, stamps the golden ConfigMap, and says how all of it stands. */
export const machineConfigurationController = (ports: HistoryPorts): Reconciler<MachineConfiguration, Seen, Verb> => {
  const { kube, sources } = ports
  const wakes = () => [{ name: 'cluster' }]
  const isProgressing = (): boolean =>
    conditionOf(kube.cached.get(machineConfigurations, { name: 'cluster' })?.status, 'BootImageUpdateProgressing')?.status === 'True'
  return {
    name: 'machine-configuration',
    kind: machineConfigurations,
    watches: [
      // One more that is being changed is no news where it is said already that something is.
      wokenBy(histories, ({ status }) => {
        const { decision, failures } = status?.sync ?? {}
        return decision === 'Updating' && failures === undefined && isProgressing() ? [] : wakes()
      }),
      ...[goldenMaps, infrastructures, clusterVersions, featureGates, clusterOperators, machineConfigPools, controlPlaneNodes].map(of =>
        wokenBy(of, wakes),
      ),
      ...sources.map(({ of }) => wokenBy(of, wakes)),
      ...[authorityMaps, ...stubSecrets].map(of => wokenBy(of, wakes)),
    ],
    observe: (object, look) => observe(ports, object, look),
    decide,
    perform: {
      begin: {
        async run({ resource }, { signal }) {
          const { history, namespace, name, apiVersion, kind, uid } = resource
          const body = {
            apiVersion: 'machineconfiguration.openshift.io/v1alpha1',
            kind: 'BootImageHistory',
            // It goes with what it describes.
            metadata: { name: history, namespace, ownerReferences: [{ apiVersion, kind, name, uid }] },
            spec: { machineResourceReference: { name, resource: resource.resource, apiGroup: resource.apiGroup } },
          }
          try {
            await kube.create(histories, body, { signal })
          } catch (error) {
            if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error
          }
        },
      },
      renewStub: {
        async run({ stub: { name, namespace, revision, userData } }, { signal }) {
          const metadata = { resourceVersion: revision }
          const data = { userData: Buffer.from(userData).toString('base64') }
          await kube.patch(secretsIn(namespace), { name, namespace }, { merge: { metadata, data } }, { signal })
        },
      },
      stamp: {
        async run({ version, content }, { signal }) {
          const golden = await kube.fresh(goldenMaps, goldenKey, signal)
          if (!golden) throw new Fault('boot-images/no-config-map', 'Cannot stamp ConfigMap coreos-bootimages: it is gone')
          if (ports.read(golden.data?.['stream']).content !== content)
            throw new Fault('boot-images/other-content', 'Cannot stamp ConfigMap coreos-bootimages: it holds another stream by now')
          const { annotations = {}, resourceVersion } = golden.metadata
          const counted = Number(annotations[stampedGeneration] ?? 0)
          const generation = annotations[stampedHash] === content ? counted : counted + 1
          await kube.patch(
            goldenMaps,
            goldenKey,
            {
              merge: {
                metadata: { resourceVersion, annotations: { [stampedHash]: content, [stampedGeneration]: String(generation) } },
                data: { MCOReleaseImageVersion: version },
              },
            },
            { signal },
          )
        },
      },
    },
  }
}

/** The part of all Secrets that is watched, so that what was written is waited for. */
const secretsIn = (namespace: string) => stubSecrets.find(({ part }) => part?.namespace === namespace) ?? secrets
