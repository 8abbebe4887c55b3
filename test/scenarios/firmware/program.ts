import { firmwareControllers } from '../../../src/controllers/firmware/index.ts'
import { firmwareIndexes } from '../../../src/controllers/firmware/indexes.ts'
import { bmcController } from '../../../src/controllers/metal/bmc/index.ts'
import { bootConfigurationController } from '../../../src/controllers/metal/boot-configuration/index.ts'
import { metalIndexes } from '../../../src/controllers/metal/indexes.ts'
import { serverController } from '../../../src/controllers/metal/server/index.ts'
import { serverClaimController } from '../../../src/controllers/metal/server-claim/index.ts'
import { serverMaintenanceController } from '../../../src/controllers/metal/server-maintenance/index.ts'
import { jobHost } from '../../../src/jobs/host/index.ts'
import { openSweeper } from '../../../src/jobs/host/sweep.ts'
import { inProcessExecutor } from '../../../src/jobs/in-process.ts'
import { jobPrograms, runJobProgram } from '../../../src/jobs/programs/index.ts'
import type { ProgramPorts } from '../../../src/jobs/programs/program.ts'
import type { Bmc } from '../../../src/ports/bmc.ts'
import type { ControllerKube } from '../../../src/ports/index.ts'
import { type Controllers, type LeaseOptions, openControllers } from '../../../src/runtime/index.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import { bytesOf } from '../../firmware/story.ts'
import { followed } from '../followed.ts'
import { faultyPool } from '../metal/bmc-device.ts'
import type { Lab } from '../metal/lab.ts'
import { system } from '../metal/program.ts'
import { jobPool } from './bmc-device.ts'

export const ownImage = 'rackwright.dev/rackwright'
export const wanted = '2.4.1'
export const wantedPart = '21.0.0'

/** Where images are, and what they are for. */
export const shelf: Readonly<Record<string, Uint8Array>> = {
  'https://firmware.example/bios': bytesOf('BIOS', wanted),
  'https://firmware.example/NIC-21.0.0.bin': bytesOf('NIC', wantedPart),
}

export type TargetReconciler = ReturnType<ReturnType<typeof firmwareControllers>['bios']>

export interface FirmwareProgramOptions {
  readonly lease?: LeaseOptions | undefined
  /** For mutants: controllers and programs as somebody might have written them. */
  remake?(controller: TargetReconciler, kube: ControllerKube): TargetReconciler
  remakeJob?(ports: ProgramPorts): ProgramPorts
}

export const firmwareLease: LeaseOptions = { namespace: system, name: 'firmware' }

/** The controllers of servers and of firmware, and a host that runs the programs of Jobs in the same process: they die together. */
export function firmwareProgram(ports: ProcessPorts, lab: Lab, options: FirmwareProgramOptions = {}): Running {
  const controllers = open(ports, options)
  addControllers(controllers, ports, lab, options)
  const sweeper = addHost(controllers, ports, lab, options)
  controllers.start()
  return ending(controllers, () => sweeper.close())
}

/** With claims, maintenances and sets: what may take a server that somebody uses out of service, and gives it back. */
export function claimedProgram(ports: ProcessPorts, lab: Lab): Running {
  const { images, artifacts } = lab
  const controllers = open(ports, {})
  addControllers(controllers, ports, lab, {})
  controllers.add(own => serverClaimController({ kube: own, images }))
  controllers.add(own => serverMaintenanceController({ kube: own, images }))
  controllers.add(own => bootConfigurationController({ kube: own, images, artifacts }))
  controllers.add(firmwareControllers({ pool: faultyPool(ports, lab), namespace: system, jobImage: ownImage }).biosSets)
  const sweeper = addHost(controllers, ports, lab, {})
  controllers.start()
  return ending(controllers, () => sweeper.close())
}

/** As in a cluster: the process called `jobs` runs what is in Jobs, whoever leads the others. */
export function firmwareApart(ports: ProcessPorts, lab: Lab): Running {
  const isHost = ports.identity.startsWith('jobs')
  const controllers = open(ports, isHost ? {} : { lease: firmwareLease })
  const sweeper = isHost ? addHost(controllers, ports, lab, {}) : undefined
  if (!isHost) addControllers(controllers, ports, lab, {})
  controllers.start()
  return ending(controllers, () => sweeper?.close())
}

const open = ({ kube, clock, ids, log, identity }: ProcessPorts, { lease }: FirmwareProgramOptions): Controllers =>
  openControllers({ kube, clock, ids, log, identity, indexes: [...metalIndexes, ...firmwareIndexes], ...(lease ? { lease } : {}) })

function addControllers(controllers: Controllers, ports: ProcessPorts, lab: Lab, { remake = one => one }: FirmwareProgramOptions): void {
  const pool = faultyPool(ports, lab)
  const { identity } = ports
  controllers.add(own => bmcController({ kube: own, pool }))
  controllers.add(own => serverController({ kube: own, pool, tickets: lab.tickets, identity, namespace: system, probeImage: 'probe:1' }))
  const made = firmwareControllers({ pool, namespace: system, jobImage: ownImage })
  controllers.add(own => remake(made.bios(own), own))
  controllers.add(made.firmware)
}

function addHost(controllers: Controllers, ports: ProcessPorts, lab: Lab, { remakeJob = one => one }: FirmwareProgramOptions) {
  const { kube, clock } = ports
  const pool = jobPool(ports, lab)
  const images = {
    open: async (url: string) =>
      (async function* () {
        yield shelf[url]!
      })(),
  }
  const executor = inProcessExecutor(({ program, env }, { signal, say }) =>
    runJobProgram(program, env, remakeJob({ kube, pool: () => pool, images, clock, signal, say })),
  )
  const sweeper = openSweeper(kube, clock, executor)
  controllers.add(own =>
    jobHost({ kube: own, executor, images: [ownImage], programs: jobPrograms, token: async () => 'token', started: sweeper.started }),
  )
  return sweeper
}

function ending(controllers: Controllers, close: () => void): Running {
  const running = followed(controllers)
  return {
    ...running,
    async stop() {
      close()
      await running.stop()
    },
  }
}

/** The BMC of a job's ports, seen through somebody's eyes. */
export const throughEyes = (ports: ProgramPorts, change: (bmc: Bmc) => Bmc): ProgramPorts => ({
  ...ports,
  pool(opened) {
    const pool = ports.pool(opened)
    return { ...pool, use: (server, work, signal) => pool.use(server, bmc => work(change(bmc)), signal) }
  },
})
