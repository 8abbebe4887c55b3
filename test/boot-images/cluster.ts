import { openshiftKinds } from '../../src/api/kinds.ts'
import { type BootImageSettings, bootImageControllers } from '../../src/controllers/boot-images/index.ts'
import {
  capiDeployments,
  capiSets,
  clusterVersions,
  goldenKey,
  goldenMaps,
  histories,
  infrastructures,
  machineConfigPools,
  machineConfigurations,
  mapiSets,
  secrets,
  templatesOf,
} from '../../src/controllers/boot-images/resources.ts'
import { conditionOf } from '../../src/core/condition.ts'
import { minutes } from '../../src/core/duration.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { exampleStream } from '../../src/policy/boot-images/fixture.ts'
import { reach } from '../../src/policy/boot-images/reach.ts'
import type { ResourceRef } from '../../src/ports/index.ts'
import { type TestWorld, testWorld } from '../runtime/world.ts'

export const oldImage = 'projects/rhcos-cloud/global/images/rhcos-9-4-x'
export const newImage = 'projects/rhcos-cloud/global/images/rhcos-9-6-20260420-0-gcp-x86-64'
export const machineApi = 'openshift-machine-api'
export const clusterApi = 'openshift-cluster-api'

const ignition = (version: string) => JSON.stringify({ ignition: { version } })
const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }

export interface Cluster extends TestWorld {
  make(of: ResourceRef, object: object): Promise<KubeObject>
  machineSet(
    name: string,
    more?: { readonly image?: string; readonly metadata?: object; readonly value?: object | null },
  ): Promise<KubeObject>
  imageOf(name: string): Promise<unknown>
  history(
    name: string,
    api?: string,
    namespace?: string,
  ): Promise<{ decision: unknown; reason: unknown; because: unknown; details: number }>
  optIn(...managers: readonly object[]): Promise<void>
  golden(data: Readonly<Record<string, string>>, annotations?: Readonly<Record<string, string | null>>): Promise<void>
  conditions(): Promise<
    Readonly<Record<string, { readonly status: string; readonly reason: string; readonly message: string } | undefined>>
  >
  passes(ms?: number): Promise<void>
  restart(settings?: Partial<BootImageSettings>): Promise<void>
  /** How often machine resources were patched. */
  patches(): number
  end(): Promise<void>
}

export const allMapi = { resource: 'machinesets', apiGroup: 'machine.openshift.io', selection: { mode: 'All' } }
export const allCapi = (resource = 'machinesets') => ({ resource, apiGroup: 'cluster.x-k8s.io', selection: { mode: 'All' } })

/** A cluster of the embedded API that has just been upgraded to 4.22.3, its control plane too. */
export async function cluster(given: Partial<BootImageSettings> = {}): Promise<Cluster> {
  const world = await testWorld([...openshiftKinds])
  const make: Cluster['make'] = async (of, object) => {
    const { status, ...body } = object as KubeObject & { status?: object }
    const made = await world.kube.create(of, body)
    return status === undefined ? made : world.kube.patch(of, made.metadata, { merge: { status } }, { subresource: 'status' })
  }
  for (const name of [goldenKey.namespace, machineApi, clusterApi])
    await make(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const config = 'config.openshift.io/v1'
  await make(infrastructures, {
    apiVersion: config,
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    status: { platformStatus: { type: 'GCP' } },
  })
  await make(clusterVersions, {
    apiVersion: config,
    kind: 'ClusterVersion',
    metadata: { name: 'version' },
    status: { history: [{ state: 'Completed', version: '4.22.3' }] },
  })
  await make(machineConfigPools, {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfigPool',
    metadata: { name: 'master' },
    spec: { configuration: { name: 'rendered-2' } },
    status: { configuration: { name: 'rendered-2' }, updatedMachineCount: 3 },
  })
  await make(goldenMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: goldenKey, data: { stream: JSON.stringify(exampleStream) } })
  for (const namespace of [machineApi, clusterApi])
    for (const [name, version] of [
      ['worker-user-data', '2.2.0'],
      ['worker-user-data-managed', '3.2.0'],
    ] as const) {
      const data = { userData: Buffer.from(ignition(version)).toString('base64') }
      await make(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data })
    }
  const start = (settings: Partial<BootImageSettings>) => {
    const controllers = world.controllers()
    const made = bootImageControllers(settings)
    controllers.add(made.machineConfiguration)
    controllers.add(made.history)
    controllers.start()
    return controllers
  }
  let controllers = start(given)
  await world.clock.settle()
  return {
    ...world,
    make,
    machineSet: (name, { image = oldImage, metadata = {}, value } = {}) =>
      make(mapiSets.of, {
        apiVersion: 'machine.openshift.io/v1beta1',
        kind: 'MachineSet',
        metadata: { name, namespace: machineApi, ...metadata },
        spec: {
          replicas: 1,
          template: {
            spec: {
              providerSpec:
                value === null
                  ? {}
                  : { value: value ?? { disks: [{ boot: true, image }], userDataSecret: { name: 'worker-user-data' }, zone: 'a' } },
            },
          },
        },
      }),
    async imageOf(name) {
      const found = await world.kube.get(mapiSets.of, { name, namespace: machineApi })
      return reach(found, 'spec', 'template', 'spec', 'providerSpec', 'value', 'disks', 0, 'image')
    },
    async history(name, api = 'mapi-machinesets', namespace = machineApi) {
      const found = await world.kube.find(histories, { name: `${name}-${api}`, namespace })
      const condition = conditionOf(found?.status, 'Synced')
      return {
        decision: found?.status?.sync?.decision,
        reason: condition?.reason,
        because: condition?.message,
        details: found?.status?.details?.length ?? 0,
      }
    },
    async optIn(...managers) {
      const spec = { managedBootImages: { machineManagers: managers } }
      const known = await world.kube.find(machineConfigurations, { name: 'cluster' })
      if (known) await world.kube.patch(machineConfigurations, { name: 'cluster' }, { merge: { spec } })
      else
        await make(machineConfigurations, {
          apiVersion: 'operator.openshift.io/v1',
          kind: 'MachineConfiguration',
          metadata: { name: 'cluster' },
          spec,
        })
      await world.clock.advance(minutes(1))
    },
    async golden(data, annotations = {}) {
      await world.kube.patch(goldenMaps, goldenKey, { merge: { data, metadata: { annotations } } })
      await world.clock.advance(minutes(1))
    },
    async conditions() {
      const found = await world.kube.get(machineConfigurations, { name: 'cluster' })
      return Object.fromEntries((found.status?.conditions ?? []).map(condition => [condition.type, condition]))
    },
    passes: (ms = minutes(1)) => world.clock.advance(ms),
    async restart(settings = given) {
      await controllers.stop()
      controllers = start(settings)
      await world.clock.advance(minutes(1))
    },
    patches: () => world.writes().filter(({ method, path }) => method === 'PATCH' && /\/machine(sets|deployments)\//.test(path)).length,
    async end() {
      await controllers.stop()
      await world.close()
    },
  }
}

export const gcpTemplates = templatesOf('infrastructure.cluster.x-k8s.io/v1beta1', 'GCPMachineTemplate')

/** A MachineSet or MachineDeployment of the Cluster API, with its template. */
export async function capi(world: Cluster, kind: 'MachineSet' | 'MachineDeployment', name: string, metadata: object = {}): Promise<void> {
  const infrastructure = 'infrastructure.cluster.x-k8s.io/v1beta1'
  const template = { apiVersion: infrastructure, kind: 'GCPMachineTemplate', name }
  await world.make(gcpTemplates, {
    ...template,
    metadata: { name, namespace: clusterApi },
    spec: { template: { spec: { image: oldImage, instanceType: 'n1-standard-4' } } },
  })
  await world.make(kind === 'MachineSet' ? capiSets.of : capiDeployments.of, {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind,
    metadata: { name, namespace: clusterApi, ...metadata },
    spec: {
      clusterName: 'c1',
      template: { spec: { bootstrap: { dataSecretName: 'worker-user-data' }, infrastructureRef: template } },
    },
  })
}
