import { type Job, jobEnd } from '../../api/batch/job.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Index } from '../../ports/index.ts'
import { maintenances, type Server, type ServerMaintenance, servers } from '../metal/resources.ts'
import { jobs, type ServerBIOS, type ServerFirmware, serverBioses, serverFirmwares } from './resources.ts'

export const byOwner = 'owner'
export const byServer = 'server'
export const underWay = 'under way'
export const neverScanned = 'never scanned'
/** Servers by the objects that they refer back to. */
export const byBackRef = { biosRef: 'refers to BIOS', firmwareRef: 'refers to firmware' } as const

const ownersOf = ({ metadata }: KubeObject): readonly string[] => (metadata.ownerReferences ?? []).map(({ uid }) => uid)
const serverOf = (target: unknown): readonly string[] => [(target as ServerBIOS | ServerFirmware).spec.serverRef.name]

const unscanned = (target: unknown): readonly string[] =>
  (target as ServerBIOS | ServerFirmware).status?.lastScanTime === undefined ? ['yes'] : []

const refOf = (server: unknown, of: keyof typeof byBackRef): readonly string[] => {
  const ref = (server as Server).spec[of]
  return ref === undefined ? [] : [ref.name]
}

/** What is looked up over and over, so that nobody has to look at ten thousand objects for it. */
export const firmwareIndexes: readonly Index[] = [
  { of: jobs, name: byOwner, values: job => ownersOf(job as Job) },
  { of: jobs, name: underWay, values: job => (jobEnd(job as Job) === undefined ? ['yes'] : []) },
  { of: serverBioses, name: byServer, values: serverOf },
  { of: serverFirmwares, name: byServer, values: serverOf },
  { of: servers, name: byBackRef.biosRef, values: server => refOf(server, 'biosRef') },
  { of: servers, name: byBackRef.firmwareRef, values: server => refOf(server, 'firmwareRef') },
  { of: serverBioses, name: neverScanned, values: unscanned },
  { of: serverFirmwares, name: neverScanned, values: unscanned },
  { of: serverBioses, name: byOwner, values: ownersOf },
  { of: serverFirmwares, name: byOwner, values: ownersOf },
  { of: maintenances, name: byOwner, values: maintenance => ownersOf(maintenance as ServerMaintenance) },
]
