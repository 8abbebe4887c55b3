import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crdOf } from '../../src/api/crd.ts'
import { openshiftKinds } from '../../src/api/kinds.ts'
import { admissionPolicy, unsupportedPlatform } from '../../src/api/openshift/admission.ts'
import { bootImageControllers } from '../../src/controllers/boot-images/index.ts'
import {
  capiSets,
  controlPlaneNodes,
  goldenKey,
  goldenMaps,
  histories,
  infrastructures,
  machineConfigurations,
  mapiSets,
  secrets,
  templatesOf,
} from '../../src/controllers/boot-images/resources.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { connect, kubeClient, loadConnection } from '../../src/kube/index.ts'
import type { HttpTransport } from '../../src/net/client.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { exampleStream } from '../../src/policy/boot-images/fixture.ts'
import { reach } from '../../src/policy/boot-images/reach.ts'
import { type Kube, type ResourceRef, resourceOf, silent } from '../../src/ports/index.ts'
import { type Controllers, openControllers } from '../../src/runtime/index.ts'
import { type Cluster, startCluster } from '../../tools/kube/cluster.ts'
import { until } from './lane.ts'

const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }
const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const admission = (plural: string): ResourceRef => ({ group: 'admissionregistration.k8s.io', version: 'v1', plural, namespaced: false })
const templates = templatesOf('infrastructure.cluster.x-k8s.io/v1beta1', 'GCPMachineTemplate')
const oldImage = 'projects/rhcos-cloud/global/images/rhcos-9-4-x'
const newImage = 'projects/rhcos-cloud/global/images/rhcos-9-6-20260420-0-gcp-x86-64'
const namespace = 'machines'
const bin = process.env['KUBEBUILDER_ASSETS']

const optIn = (mode = 'All') => ({
  managedBootImages: {
    machineManagers: ['machine.openshift.io', 'cluster.x-k8s.io'].map(apiGroup => ({
      resource: 'machinesets',
      apiGroup,
      selection: { mode },
    })),
  },
})
const configuration = (spec: object, name = 'cluster') => ({
  apiVersion: 'operator.openshift.io/v1',
  kind: 'MachineConfiguration',
  metadata: { name },
  spec,
})

describe.skipIf(bin === undefined)(
  `boot images on a real kube-apiserver${bin === undefined ? ': KUBEBUILDER_ASSETS names no folder' : ''}`,
  () => {
    let cluster: Cluster
    let transport: HttpTransport
    let kube: Kube
    let controllers: Controllers
    const make = (of: ResourceRef, object: object): Promise<KubeObject> => kube.create(of, object as KubeObject)
    const platform = (type: string) =>
      kube.patch(infrastructures, { name: 'cluster' }, { merge: { status: { platformStatus: { type } } } }, { subresource: 'status' })

    beforeAll(async () => {
      cluster = await startCluster(bin!)
      transport = connect(await loadConnection({ file: cluster.kubeconfig }), wallClock)
      kube = kubeClient(transport, { clock: wallClock, ids: randomIds })
      for (const kind of openshiftKinds) await make(definitions, crdOf(kind))
      for (const kind of openshiftKinds)
        await until(`${kind.plural} are served`, () =>
          kube.list(resourceOf(kind)).then(
            () => true,
            () => false,
          ),
        )
      for (const name of [goldenKey.namespace, namespace])
        await make(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
      await make(infrastructures, { apiVersion: 'config.openshift.io/v1', kind: 'Infrastructure', metadata: { name: 'cluster' } })
    })
    afterAll(async () => {
      await controllers?.stop()
      await transport?.close()
      await cluster?.stop()
    })

    it('BI-084 BI-085 BI-086 T-51 X-027 the admission policy, evaluated by the real server, in both directions', async () => {
      for (const object of admissionPolicy)
        await make(
          admission(object.kind === 'ValidatingAdmissionPolicy' ? 'validatingadmissionpolicies' : 'validatingadmissionpolicybindings'),
          object,
        )
      await platform('Mainframe')
      // A policy holds some moments after it was taken: until then the dry run passes.
      await until('the policy refuses', () =>
        kube.create(machineConfigurations, configuration(optIn()), { dryRun: true }).then(
          () => undefined,
          (error: Error) => error.message.includes(unsupportedPlatform),
        ),
      )
      await expect(
        kube.create(machineConfigurations, configuration({ managementState: 'Managed' }), { dryRun: true }),
      ).resolves.toBeDefined()
      await platform('GCP')
      await until('the policy lets it through', () =>
        kube.create(machineConfigurations, configuration(optIn()), { dryRun: true }).then(
          () => true,
          () => undefined,
        ),
      )
    })

    it('BI-018 BI-068 BI-069 BI-070 BI-071 BI-072 BI-075 T-42 T-43 T-49 UP-BI-20 UP-BI-25 the definition refuses what the seed refuses', async () => {
      const manager = { resource: 'machinesets', apiGroup: 'machine.openshift.io' }
      const given = (machineManagers: readonly object[]) =>
        kube.create(machineConfigurations, configuration({ managedBootImages: { machineManagers } }), { dryRun: true })
      const all = { ...manager, selection: { mode: 'All' } }
      const partial = { machineResourceSelector: {} }
      await expect(given([all])).resolves.toBeDefined()
      await expect(given([{ ...manager, selection: { mode: 'Partial', partial } }])).resolves.toBeDefined()
      for (const resource of ['machinesets', 'machinedeployments'])
        await expect(given([{ ...all, resource, apiGroup: 'cluster.x-k8s.io' }])).resolves.toBeDefined()
      await expect(given([{ ...all, apiGroup: 'apps' }])).rejects.toThrow('Unsupported value')
      await expect(given([{ ...manager, selection: { mode: 'Partial' } }])).rejects.toThrow('partial is required when mode is Partial')
      await expect(given([{ ...manager, selection: { mode: 'All', partial } }])).rejects.toThrow('partial is required when mode is Partial')
      await expect(given([all, all])).rejects.toThrow('Duplicate value')
      await expect(given([{ ...manager, selection: { mode: 'Most' } }])).rejects.toThrow('Unsupported value')
      await expect(given([{ ...all, resource: 'controlplanemachinesets' }])).rejects.toThrow('Unsupported value')
    })

    it('BI-001 BI-027 BI-098 BI-058 BI-089 BI-092 a release ends: stamped, then each that is opted in is changed once, on both APIs', async () => {
      const data = { userData: Buffer.from('{"ignition":{"version":"3.2.0"}}').toString('base64') }
      await make(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'worker-user-data-managed', namespace }, data })
      await make(goldenMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: goldenKey, data: { stream: JSON.stringify(exampleStream) } })
      const value = { disks: [{ boot: true, image: oldImage }], userDataSecret: { name: 'worker-user-data' } }
      await make(mapiSets.of, {
        apiVersion: 'machine.openshift.io/v1beta1',
        kind: 'MachineSet',
        metadata: { name: 'a', namespace },
        spec: { template: { spec: { providerSpec: { value } } } },
      })
      const ref = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'GCPMachineTemplate', name: 'b' }
      await make(templates, { ...ref, metadata: { name: 'b', namespace }, spec: { template: { spec: { image: oldImage } } } })
      await make(capiSets.of, {
        apiVersion: 'cluster.x-k8s.io/v1beta1',
        kind: 'MachineSet',
        metadata: { name: 'b', namespace },
        spec: { template: { spec: { bootstrap: { dataSecretName: 'worker-user-data' }, infrastructureRef: ref } } },
      })
      await make(machineConfigurations, configuration(optIn()))
      controllers = openControllers({ kube, clock: wallClock, ids: randomIds, log: silent, identity: 'test' })
      const made = bootImageControllers({ version: '4.22.3' })
      controllers.add(made.machineConfiguration)
      controllers.add(made.history)
      controllers.start()
      await until('a history is begun', async () => (await kube.list(histories, { namespace })).items.length === 2)
      expect((await kube.get(goldenMaps, goldenKey)).data?.['MCOReleaseImageVersion'], 'not stamped without evidence').toBeUndefined()
      const labels = { 'node-role.kubernetes.io/control-plane': '' }
      await make(controlPlaneNodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'cp-1', labels } })
      const status = {
        nodeInfo: { osImage: 'CoreOS 9.6.20260420-0', architecture: 'amd64' },
        conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: null, lastTransitionTime: null }],
      }
      await kube.patch(controlPlaneNodes, { name: 'cp-1' }, { merge: { status } }, { subresource: 'status' })
      const imageOf = async () =>
        reach(
          await kube.get(mapiSets.of, { name: 'a', namespace }),
          'spec',
          'template',
          'spec',
          'providerSpec',
          'value',
          'disks',
          0,
          'image',
        )
      await until('the MachineSet of the Machine API boots the new image', async () => (await imageOf()) === newImage)
      const template = async () => {
        const name = reach(await kube.get(capiSets.of, { name: 'b', namespace }), 'spec', 'template', 'spec', 'infrastructureRef', 'name')
        return kube.find(templates, { name: String(name), namespace })
      }
      await until(
        'the MachineSet of the Cluster API boots the new image',
        async () => reach(await template(), 'spec', 'template', 'spec', 'image') === newImage,
      )
      const found = await until('both histories say so', async () => {
        const { items } = await kube.list(histories, { namespace })
        return items.every(({ status: is }) => is?.sync?.decision === 'Current' && is.details?.length === 1) && items
      })
      expect(found.map(({ metadata }) => metadata.name)).toEqual(['a-mapi-machinesets', 'b-capi-machinesets'])
      expect((await kube.get(goldenMaps, goldenKey)).data?.['MCOReleaseImageVersion']).toBe('4.22.3')
      const elsewhere = { spec: { machineResourceReference: { name: 'other' } } }
      await expect(kube.patch(histories, { name: 'a-mapi-machinesets', namespace }, { merge: elsewhere }), 'BI-089').rejects.toThrow(
        'cannot be changed',
      )
    })
  },
)
