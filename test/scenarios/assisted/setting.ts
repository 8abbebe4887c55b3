import { crdOf } from '../../../src/api/crd.ts'
import { assistedKinds, metal3Kinds } from '../../../src/api/kinds.ts'
import { openDiscovery } from '../../../src/boot/discovery/configs.ts'
import { hostImageHandler } from '../../../src/boot/host-images/handler.ts'
import { ignitionConfigs } from '../../../src/boot/host-images/ignition-configs.ts'
import { openShelf } from '../../../src/boot/host-images/shelf.ts'
import { assistedHostController } from '../../../src/controllers/assisted/host/index.ts'
import { infraEnvController } from '../../../src/controllers/assisted/infra-env/index.ts'
import { agents, infraEnvs } from '../../../src/controllers/assisted/resources.ts'
import { hostController } from '../../../src/controllers/metal3/host/index.ts'
import { metal3Indexes } from '../../../src/controllers/metal3/indexes.ts'
import { preprovisioningImageController } from '../../../src/controllers/metal3/preprovisioning-image/index.ts'
import { type BareMetalHost, hosts, images, secrets } from '../../../src/controllers/metal3/resources.ts'
import type { Millis } from '../../../src/core/duration.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import type { HttpResponse, NewObject, ResourceRef } from '../../../src/ports/index.ts'
import { directEngine } from '../../../src/provisioner/direct/index.ts'
import { type LeaseOptions, openControllers } from '../../../src/runtime/index.ts'
import { openAssistedService } from '../../../src/sim/assisted/service.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import type { Stage } from '../../../src/sim/stage.ts'
import type { Setting } from '../../../src/sim/story.ts'
import { agentsUrl, ramdiskLane } from '../../metal3/ramdisk-world.ts'
import { followed } from '../followed.ts'
import { base, baseUrl } from '../host-images/base.ts'
import { faultyPool } from '../metal/bmc-device.ts'
import { faultyAgents } from '../metal3/agent-device.ts'
import { hostSetting } from '../metal3/setting.ts'
import { hostKey } from '../metal3/words.ts'
import { seldomRenewed } from '../seldom-renewed.ts'
import { normal } from '../valve/normal.ts'
import { assistedInvariants } from './invariants.ts'
import { type AssistedLab, openAssistedLab, type Serving, serviceUrl } from './lab.ts'

export type AssistedReconciler = ReturnType<typeof assistedHostController>
export type ImageReconciler = ReturnType<typeof preprovisioningImageController>

export interface AssistedProgramOptions {
  readonly lease?: LeaseOptions
  /** Another controller in its place. */
  remake?(controller: AssistedReconciler): AssistedReconciler
  /** Another builder of images in its place. */
  remakeImages?(controller: ImageReconciler): ImageReconciler
}

const key = Buffer.alloc(32, 'k')
const unpacked = (bytes: Uint8Array): Uint8Array => bytes

/** All of it in one process: hosts, their images, InfraEnvs, and what has their hosts installed. */
export function assistedProgram(
  ports: ProcessPorts,
  lab: AssistedLab,
  { lease, remake = same => same, remakeImages = same => same }: AssistedProgramOptions = {},
): Running {
  const { kube, clock, ids, log, identity } = ports
  const controllers = openControllers({ kube, clock, ids, log, identity, indexes: metal3Indexes, ...(lease ? { lease } : {}) })
  const now = () => clock.now()
  const lane = ramdiskLane(kube, clock, () => lab.rack, {})
  const engine = directEngine(faultyPool(ports, lab), { ...lane, calls: faultyAgents(ports, lane.calls) })
  const shelf = openShelf({ baseUrl, key, pack: unpacked })
  shelf.add('x86_64', base)
  const discovery = openDiscovery({ baseUrl, key })
  const discs = hostImageHandler(shelf)
  const handler: Serving['handler'] = request => discovery.handler(request) ?? discs(request)
  // Whoever comes after one that died answers in its place.
  lab.serving.set(identity.split('.', 1)[0] ?? '', { desk: lane.desk, handler })
  controllers.add(own => hostController({ kube: own, engine, builds: true, now }))
  controllers.add(own =>
    remakeImages(
      preprovisioningImageController({
        kube: own,
        images: shelf,
        records: lab.records,
        configs: ignitionConfigs({ clock, to: () => async request => handler(request) ?? missing }),
        networks: { keyfiles: async () => ({ wrong: 'nobody here knows nmstate' }) },
        agent: { apiUrl: agentsUrl, callbackUrl: `${agentsUrl}/v1/continue_inspection`, image: 'registry.example/ironic-agent:1' },
        log,
        settling: 0,
        minimal: false,
        now,
      }),
    ),
  )
  controllers.add(own =>
    infraEnvController({
      kube: own,
      configs: discovery,
      images: shelf,
      service: { url: serviceUrl, agentImage: 'registry.example/agent:1' },
    }),
  )
  controllers.add(own =>
    remake(assistedHostController({ kube: own, convergedFlow: 'Auto', builds: true, takeOver: false, leastMemory: 4_096 })),
  )
  controllers.start()
  return followed(controllers)
}

const missing: HttpResponse = { status: 404, headers: {}, body: new Uint8Array() }

const words = (stage: Stage<AssistedLab>) => {
  const create = <T extends KubeObject>(of: ResourceRef<T>, object: object) =>
    stage.asUser(async kube => {
      const { name, namespace = '' } = (object as KubeObject).metadata
      return (await kube.find(of, { name, namespace })) ?? kube.create(of, object as NewObject<T>)
    })
  return {
    /** An InfraEnv whose Agents join a cluster by themselves, and a host that is linked to it. */
    async linked(spec: object = {}, joins: object = { clusterRef: { name: 'edge', namespace: hostKey.namespace } }): Promise<void> {
      stage.devices.service = openAssistedService({ kube: stage.sim.user, clock: stage.sim.clock })
      const metadata = { name: 'edge', namespace: hostKey.namespace }
      await create(infraEnvs, { apiVersion: 'agent-install.openshift.io/v1beta1', kind: 'InfraEnv', metadata, spec: joins })
      const data = { username: btoa('admin'), password: btoa('secret') }
      await create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { ...hostKey, name: 'srv-1-bmc' }, data })
      await create(hosts, {
        apiVersion: 'metal3.io/v1alpha1',
        kind: 'BareMetalHost',
        metadata: { ...hostKey, labels: { 'infraenvs.agent-install.openshift.io': 'edge' } },
        spec: {
          online: true,
          bmc: { address: 'redfish-virtualmedia://srv-1/redfish/v1/Systems/1', credentialsName: 'srv-1-bmc' },
          inspectionMode: 'fast',
          automatedCleaningMode: 'disabled',
          ...spec,
        },
      })
    },
    /** A person says which cluster its Agent joins. */
    joins: () =>
      stage.asUser(async kube => {
        for (const { metadata } of stage.sight.objects(agents))
          await kube.patch(agents, metadata as never, {
            merge: { spec: { clusterDeploymentName: { name: 'edge', namespace: hostKey.namespace } } },
          })
      }),
    /** A person takes its Agent out of its cluster. */
    unbinds: () =>
      stage.asUser(async () => {
        const [agent] = stage.sight.objects(agents)
        await stage.devices.service?.unbind({ name: agent?.metadata.name ?? '', namespace: hostKey.namespace })
      }),
    is: (state: string, within: Millis, more: (host: BareMetalHost) => boolean = () => true) =>
      stage.reach(within, `the host is ${state}`, () => {
        const [found] = stage.sight.objects(hosts)
        return found?.status?.provisioning?.state === state && more(found)
      }),
    isGone: (within: Millis) => stage.reach(within, 'the host is gone', () => stage.sight.objects(hosts).length === 0),
    runsFromDisk: (within: Millis) =>
      stage.reach(within, 'it runs from its disk', () => {
        const { stage: at, source } = stage.devices.rack.machine('srv-1')
        return at === 'running' && source === 'Hdd'
      }),
  }
}

/** What was reached, without the way: how often something was tried, and what an Agent reported of it. */
const reached = (object: KubeObject): unknown => {
  const { spec, status } = normal(object) as { readonly spec?: unknown; readonly status?: Record<string, unknown> }
  const conditions = (status?.['conditions'] as { readonly type: string; readonly status: string; readonly reason: string }[] | undefined)
    ?.filter(({ type }) => !type.endsWith('Reconciled'))
    .map(({ type, status: is, reason }) => [type, is, reason])
  return {
    name: object.metadata.name,
    spec,
    conditions,
    state: (status?.['provisioning'] as { readonly state?: string } | undefined)?.state,
  }
}

export const assistedSetting: Setting<AssistedLab, ReturnType<typeof words>> = {
  crds: [...metal3Kinds, ...assistedKinds].map(crdOf) as readonly KubeObject[],
  devices: openAssistedLab,
  program: assistedProgram,
  invariants: assistedInvariants,
  end(sight) {
    const { power, media, disk } = sight.devices.rack.machine('srv-1')
    return {
      hosts: sight.objects(hosts).map(reached),
      images: sight.objects(images).map(({ metadata }) => metadata.name),
      agents: sight.objects(agents).map(({ metadata, spec }) => ({ labels: metadata.labels, spec })),
      infraEnvs: sight.objects(infraEnvs).map(reached),
      machine: { power, disk: disk?.os, discs: Object.values(media ?? {}).map(({ image }) => image) },
    }
  },
  words,
  close: ({ pool }) => pool.close(),
  ...(hostSetting.meddle ? { meddle: hostSetting.meddle } : {}),
  without: ['recreated'],
  together: true,
  series: true,
}

/** The same with the API server apart, and a Lease that says who acts. */
export const twoAssistedProcesses: typeof assistedSetting = {
  ...assistedSetting,
  program: (ports, lab) => assistedProgram(ports, lab, { lease: seldomRenewed({ namespace: 'default', name: 'assisted' }) }),
  together: false,
}
