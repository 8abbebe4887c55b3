import { crdOf } from '../../../src/api/crd.ts'
import { metal3Kinds } from '../../../src/api/kinds.ts'
import { hostController } from '../../../src/controllers/metal3/host/index.ts'
import { metal3Indexes } from '../../../src/controllers/metal3/indexes.ts'
import { type BareMetalHost, hardwareData, hosts, secrets } from '../../../src/controllers/metal3/resources.ts'
import { type Millis, seconds } from '../../../src/core/duration.ts'
import { isObject } from '../../../src/core/json.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import type { Clock, Kube, NewObject } from '../../../src/ports/index.ts'
import { directEngine } from '../../../src/provisioner/direct/index.ts'
import { openControllers } from '../../../src/runtime/index.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import type { Stage } from '../../../src/sim/stage.ts'
import type { Setting } from '../../../src/sim/story.ts'
import { followed } from '../followed.ts'
import { insist } from '../insist.ts'
import { faultyPool } from '../metal/bmc-device.ts'
import { normal } from '../valve/normal.ts'
import { hostInvariants } from './invariants.ts'
import { disc, type HostLab, openHostLab } from './lab.ts'

export const hostKey = { name: 'srv-1', namespace: 'default' }

function program(ports: ProcessPorts, lab: HostLab): Running {
  const { kube, clock, ids, log, identity } = ports
  const controllers = openControllers({ kube, clock, ids, log, identity, indexes: metal3Indexes })
  controllers.add(own => hostController({ kube: own, engine: directEngine(faultyPool(ports, lab)), now: () => clock.now() }))
  controllers.start()
  return followed(controllers)
}

/** Without times, counts and what the engine remembers of the way. */
function worn(object: KubeObject): unknown {
  const said = normal(object) as { readonly status: Record<string, unknown>; readonly metadata: object }
  const {
    engine: _,
    operationHistory: __,
    lastUpdated: ___,
    goodCredentials: ____,
    triedCredentials: _____,
    errorCount: ______,
    ...status
  } = said.status
  const provisioning = isObject(status['provisioning']) ? { ...status['provisioning'], ID: '' } : undefined
  return { ...said, metadata: { ...said.metadata, annotations: undefined }, status: { ...status, provisioning } }
}

const words = (stage: Stage<HostLab>) => ({
  async host(spec: object = {}): Promise<void> {
    const create = (of: typeof hosts | typeof secrets, object: object) =>
      stage.asUser(async kube => {
        const { name, namespace } = (object as KubeObject).metadata
        return (
          (await kube.find(of as typeof hosts, { name, namespace: namespace ?? '' })) ??
          kube.create(of as typeof hosts, object as NewObject<BareMetalHost>)
        )
      })
    const data = { username: btoa('admin'), password: btoa('secret') }
    await create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { ...hostKey, name: 'srv-1-bmc' }, data })
    await create(hosts, {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      metadata: hostKey,
      spec: {
        online: true,
        bmc: { address: 'redfish-virtualmedia://srv-1/redfish/v1/Systems/1', credentialsName: 'srv-1-bmc' },
        inspectionMode: 'fast',
        automatedCleaningMode: 'disabled',
        image: { url: disc, format: 'live-iso' },
        ...spec,
      },
    })
  },
  is: (state: string, within: Millis, more: (host: BareMetalHost) => boolean = () => true) =>
    stage.reach(within, `the host is ${state}`, () => {
      const [found] = stage.sight.objects(hosts)
      return found?.status?.provisioning?.state === state && more(found)
    }),
  isGone: (within: Millis) => stage.reach(within, 'the host is gone', () => stage.sight.objects(hosts).length === 0),
  runsFromDisc: (within: Millis) =>
    stage.reach(within, 'it runs from its disc', () => {
      const { stage: at, source } = stage.devices.rack.machine('srv-1')
      return at === 'running' && source === 'Cd'
    }),
})

/** For twenty seconds somebody pauses the host. */
async function pauses(user: Kube, clock: Clock): Promise<void> {
  const pause = async (value: string | null): Promise<void> => {
    if (await user.find(hosts, hostKey))
      await user.patch(hosts, hostKey, { merge: { metadata: { annotations: { 'baremetalhost.metal3.io/paused': value } } } })
  }
  clock.after(seconds(20), () => void insist(clock, () => pause(null)))
  await pause('').catch(() => {})
}

export const hostSetting: Setting<HostLab, ReturnType<typeof words>> = {
  crds: metal3Kinds.map(crdOf) as readonly KubeObject[],
  devices: openHostLab,
  program,
  invariants: hostInvariants,
  end: sight => {
    const { power, media } = sight.devices.rack.machine('srv-1')
    return {
      hosts: sight.objects(hosts).map(worn),
      hardware: sight.objects(hardwareData).map(({ metadata, spec }) => ({ name: metadata.name, spec })),
      machine: { power, discs: Object.values(media ?? {}).map(({ image }) => image) },
    }
  },
  words,
  close: ({ pool }) => pool.close(),
  meddle: pauses,
  // A host that is removed by force and made anew is another host: what ran on its machine is nobody's.
  without: ['recreated'],
  together: true,
}
