import { type Grant, granting, type ResourceRef } from '../../ports/index.ts'
import { jobRunners, serverBioses, serverFirmwares, servers } from './resources.ts'

const reporting = (of: ResourceRef): Grant => ({
  group: of.group,
  resource: `${of.plural}/status`,
  verbs: ['patch'],
  because: 'reports what it found, what it does, and that it is over',
})

/** The rights of the ServiceAccount of jobs: it reads what it works for and what allows it, and writes its own part of a status. */
export const jobGrants: readonly Grant[] = [
  granting(serverBioses, ['get'], 'what is wanted'),
  granting(serverFirmwares, ['get'], 'what is wanted'),
  reporting(serverBioses),
  reporting(serverFirmwares),
  granting(servers, ['get'], 'which BMC it has, and whether the job may touch it: read before every change'),
  granting(jobRunners, ['get'], 'where versions come from'),
]
