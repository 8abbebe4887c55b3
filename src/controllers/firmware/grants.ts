import { type Grant, granting, holding, keepingStatus, owning, type ResourceRef, watching } from '../../ports/index.ts'
import { maintenances, servers } from '../metal/resources.ts'
import { jobRunners, jobs, serverBioses, serverBiosSets, serverFirmwareSets, serverFirmwares } from './resources.ts'

const targetGrants = (of: ResourceRef): readonly Grant[] => [
  watching(of),
  watching(servers),
  watching(maintenances),
  watching(jobRunners),
  watching(jobs),
  keepingStatus(of),
  holding(of),
  owning(of),
  granting(of, ['patch'], 'takes operations off'),
  granting(servers, ['patch'], 'lets the server refer back, and says which job has it, by its resourceVersion'),
  granting(jobs, ['create', 'delete'], 'starts jobs, and ends those of an object that goes or whose runner was set right'),
]

const setGrants = (set: ResourceRef, of: ResourceRef): readonly Grant[] => [
  watching(set),
  watching(of),
  watching(servers),
  watching(maintenances),
  keepingStatus(set),
  owning(set),
  granting(set, ['patch'], 'takes operations off'),
  granting(of, ['create', 'patch', 'delete'], 'has an object for every server that it selects'),
  granting(maintenances, ['create', 'delete'], 'takes claimed servers out of service where its policy says so'),
]

export const serverBiosGrants = targetGrants(serverBioses)
export const serverFirmwareGrants = targetGrants(serverFirmwares)
export const serverBiosSetGrants = setGrants(serverBiosSets, serverBioses)
export const serverFirmwareSetGrants = setGrants(serverFirmwareSets, serverFirmwares)

/** The rights of the controllers of firmware. */
export const firmwareGrants: readonly Grant[] = [
  ...serverBiosGrants,
  ...serverFirmwareGrants,
  ...serverBiosSetGrants,
  ...serverFirmwareSetGrants,
]
