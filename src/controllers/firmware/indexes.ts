import { type Job, jobEnd } from '../../api/batch/job.ts'
import type { Index } from '../../ports/index.ts'
import { jobs, type ServerBIOS, type ServerFirmware, serverBioses, serverFirmwares } from './resources.ts'

export const byOwner = 'owner'
export const byServer = 'server'
export const underWay = 'under way'

const ownersOf = ({ metadata }: Pick<Job, 'metadata'>): readonly string[] => (metadata.ownerReferences ?? []).map(({ uid }) => uid)
const serverOf = (target: unknown): readonly string[] => [(target as ServerBIOS | ServerFirmware).spec.serverRef.name]

/** What is looked up over and over, so that nobody has to look at ten thousand objects for it. */
export const firmwareIndexes: readonly Index[] = [
  { of: jobs, name: byOwner, values: job => ownersOf(job as Job) },
  { of: jobs, name: underWay, values: job => (jobEnd(job as Job) === undefined ? ['yes'] : []) },
  { of: serverBioses, name: byServer, values: serverOf },
  { of: serverFirmwares, name: byServer, values: serverOf },
  { of: serverBioses, name: byOwner, values: ownersOf },
  { of: serverFirmwares, name: byOwner, values: ownersOf },
]
