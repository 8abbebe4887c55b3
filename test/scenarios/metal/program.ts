import { bmcController } from '../../../src/controllers/metal/bmc/index.ts'
import { bootConfigurationController } from '../../../src/controllers/metal/boot-configuration/index.ts'
import { metalIndexes } from '../../../src/controllers/metal/indexes.ts'
import { serverController } from '../../../src/controllers/metal/server/index.ts'
import { serverClaimController } from '../../../src/controllers/metal/server-claim/index.ts'
import { serverMaintenanceController } from '../../../src/controllers/metal/server-maintenance/index.ts'
import type { BmcPool } from '../../../src/ports/bmc.ts'
import type { Clock, ControllerKube } from '../../../src/ports/index.ts'
import { type LeaseOptions, openControllers } from '../../../src/runtime/index.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import { followed } from '../followed.ts'
import { faultyPool } from './bmc-device.ts'
import type { Lab } from './lab.ts'

export type ServerReconciler = ReturnType<typeof serverController>
export type BmcReconciler = ReturnType<typeof bmcController>
export type ClaimReconciler = ReturnType<typeof serverClaimController>
export type MaintenanceReconciler = ReturnType<typeof serverMaintenanceController>

export interface MetalProgramOptions {
  readonly lease?: LeaseOptions | undefined
  /** For mutants: controllers as somebody might have written them. */
  remakePool?(pool: BmcPool, lab: Lab, clock: Clock): BmcPool
  remakeBmc?(controller: BmcReconciler): BmcReconciler
  remakeServer?(controller: ServerReconciler): ServerReconciler
  remakeClaim?(controller: ClaimReconciler): ClaimReconciler
  remakeMaintenance?(controller: MaintenanceReconciler, kube: ControllerKube): MaintenanceReconciler
}

export const system = 'rackwright-system'
export const metalLease: LeaseOptions = { namespace: system, name: 'metal' }

/** Everything that a process of ours runs for servers and claims. */
export function metalProgram(ports: ProcessPorts, lab: Lab, options: MetalProgramOptions = {}): Running {
  const { kube, clock, ids, log, identity } = ports
  const { images, artifacts, tickets } = lab
  const {
    lease,
    remakePool = one => one,
    remakeBmc = one => one,
    remakeServer = one => one,
    remakeClaim = one => one,
    remakeMaintenance = one => one,
  } = options
  const pool = remakePool(faultyPool(ports, lab), lab, clock)
  const controllers = openControllers({
    kube,
    clock,
    ids,
    log,
    identity,
    indexes: metalIndexes,
    ...(lease ? { lease } : {}),
  })
  controllers.add(own => remakeBmc(bmcController({ kube: own, pool })))
  controllers.add(own => remakeServer(serverController({ kube: own, pool, tickets, identity, namespace: system, probeImage: 'probe:1' })))
  controllers.add(own => remakeClaim(serverClaimController({ kube: own, images })))
  controllers.add(own => remakeMaintenance(serverMaintenanceController({ kube: own, images }), own))
  controllers.add(own => bootConfigurationController({ kube: own, images, artifacts }))
  controllers.start()
  return followed(controllers)
}
