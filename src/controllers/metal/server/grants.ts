import { type Grant, granting, holding, keepingStatus, owning, watching } from '../../../ports/index.ts'
import { bmcs, claims, configurations, maintenances, servers } from '../resources.ts'

export const serverGrants: readonly Grant[] = [
  watching(servers),
  watching(claims),
  watching(configurations),
  watching(maintenances),
  watching(bmcs),
  keepingStatus(servers),
  holding(servers),
  owning(servers),
  granting(servers, ['patch'], 'takes operations off, and the references of a claim or a maintenance that is gone'),
  granting(configurations, ['create', 'delete'], 'discovery has a boot configuration of its own, and ends with it deleted'),
  granting(configurations, ['patch'], 'marks a configuration as provisioned, by its annotation'),
]
