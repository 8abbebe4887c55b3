import { crdOf } from '../../../src/api/crd.ts'
import { metal3Kinds } from '../../../src/api/kinds.ts'
import { hostAccess } from '../../../src/cli/compose/host-access.ts'
import { dataImageController } from '../../../src/controllers/metal3/data-image/index.ts'
import { firmwareReadings } from '../../../src/controllers/metal3/firmware-readings.ts'
import { hostController } from '../../../src/controllers/metal3/host/index.ts'
import { hostFirmwareComponentsController } from '../../../src/controllers/metal3/host-firmware-components/index.ts'
import { hostFirmwareSettingsController } from '../../../src/controllers/metal3/host-firmware-settings/index.ts'
import { metal3Indexes } from '../../../src/controllers/metal3/indexes.ts'
import { type BareMetalHost, hardwareData, hosts } from '../../../src/controllers/metal3/resources.ts'
import { seconds } from '../../../src/core/duration.ts'
import { isObject } from '../../../src/core/json.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import type { BmcAccess, BmcPool } from '../../../src/ports/bmc.ts'
import type { Clock, Kube } from '../../../src/ports/index.ts'
import type { Provisioner } from '../../../src/ports/provisioner.ts'
import { directEngine } from '../../../src/provisioner/direct/index.ts'
import { type LeaseOptions, openControllers } from '../../../src/runtime/index.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import type { Setting } from '../../../src/sim/story.ts'
import { ramdiskLane } from '../../metal3/ramdisk-world.ts'
import { jobPool } from '../firmware/bmc-device.ts'
import { followed } from '../followed.ts'
import { insist } from '../insist.ts'
import { faultyPool } from '../metal/bmc-device.ts'
import { seldomRenewed } from '../seldom-renewed.ts'
import { normal } from '../valve/normal.ts'
import { faultyAgents } from './agent-device.ts'
import { hostInvariants } from './invariants.ts'
import { keptHostInvariants } from './kept-invariants.ts'
import { type HostLab, openHostLab } from './lab.ts'
import { sureHostInvariants } from './sure-invariants.ts'
import { bmc, hostKey, hostWords } from './words.ts'

export type HostReconciler = ReturnType<typeof hostController>
export type DiscReconciler = ReturnType<typeof dataImageController>

export interface HostProgramOptions {
  readonly lease?: LeaseOptions
  /** Another controller in its place. */
  remake?(controller: HostReconciler): HostReconciler
  /** Another engine in its place. */
  engine?(direct: Provisioner): Provisioner
  /** Another way to its management controller. */
  pool?(right: BmcPool, lab: HostLab, clock: Clock): BmcPool
  /** Something else read of how it is reached. */
  access?(right: BmcAccess): BmcAccess
  /** Where stories have a DataImage: its controller, or another in its place. */
  discs?(controller: DiscReconciler): DiscReconciler
  /** Where stories are about its firmware: those that show and check it, and every call about it is open to faults. */
  readonly firmware?: true
}

export function hostProgram(ports: ProcessPorts, lab: HostLab, options: HostProgramOptions = {}): Running {
  const { kube, clock, ids, log, identity } = ports
  const { lease, remake = same => same, engine: other = same => same, pool: through = same => same, discs } = options
  const controllers = openControllers({ kube, clock, ids, log, identity, indexes: metal3Indexes, ...(lease ? { lease } : {}) })
  const lane = ramdiskLane(kube, clock, () => lab.rack)
  lab.desk = lane.desk
  const pool = through((options.firmware ? jobPool : faultyPool)(ports, { pool: asRead(kube, lab, options) }), lab, clock)
  const engine = other(directEngine(pool, { ...lane, calls: faultyAgents(ports, lane.calls) }))
  controllers.add(own => remake(hostController({ kube: own, engine, now: () => clock.now() })))
  if (discs) controllers.add(own => discs(dataImageController({ kube: own, engine })))
  if (options.firmware) {
    const readings = firmwareReadings({ engine, now: () => clock.now() })
    controllers.add(own => hostFirmwareSettingsController({ kube: own, readings }))
    controllers.add(own => hostFirmwareComponentsController({ kube: own, readings }))
  }
  controllers.start()
  return followed(controllers)
}

/** Its Secret is read before each use, as everywhere; its address is given, so that only who means to act reads the host past the cache. */
function asRead(kube: Kube, lab: HostLab, { access = same => same }: HostProgramOptions): BmcPool {
  const host = { spec: { bmc } } as BareMetalHost
  const reach = hostAccess({
    find: (async (of, key, options) => (of.plural === hosts.plural ? host : kube.find(of, key, options))) as Kube['find'],
  })
  return {
    ...lab.pool,
    async use(name, work, signal) {
      lab.access = access(await reach(name))
      return lab.pool.use(name, work, signal)
    },
  }
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

/** For twenty seconds somebody pauses the host. */
async function pauses(user: Kube, clock: Clock): Promise<void> {
  const pause = async (value: string | null): Promise<void> => {
    if (await user.find(hosts, hostKey))
      await user.patch(hosts, hostKey, { merge: { metadata: { annotations: { 'baremetalhost.metal3.io/paused': value } } } })
  }
  clock.after(seconds(20), () => void insist(clock, () => pause(null)))
  await pause('').catch(() => {})
}

export const hostSetting: Setting<HostLab, ReturnType<typeof hostWords>> = {
  crds: metal3Kinds.map(crdOf) as readonly KubeObject[],
  devices: openHostLab,
  program: hostProgram,
  invariants: [...hostInvariants, ...keptHostInvariants, ...sureHostInvariants],
  end: sight => {
    const { power, media, disk } = sight.devices.rack.machine('srv-1')
    return {
      hosts: sight.objects(hosts).map(worn),
      hardware: sight.objects(hardwareData).map(({ metadata, spec }) => ({ name: metadata.name, spec })),
      machine: { power, disk: disk?.os, discs: Object.values(media ?? {}).map(({ image }) => image) },
    }
  },
  words: hostWords,
  close: ({ pool }) => pool.close(),
  meddle: pauses,
  // A host that is removed by force and made anew is another host: what ran on its machine is nobody's.
  without: ['recreated'],
  together: true,
}

/** The same with the API server apart, and a Lease that says who acts. */
export const twoHostProcesses: typeof hostSetting = {
  ...hostSetting,
  program: (ports, lab) => hostProgram(ports, lab, { lease: seldomRenewed({ namespace: 'default', name: 'hosts' }) }),
  together: false,
}
