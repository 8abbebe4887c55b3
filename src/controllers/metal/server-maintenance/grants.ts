import { type Grant, granting, holding, keepingStatus, owning, watching } from '../../../ports/index.ts'
import { claims, configurations, maintenances, servers } from '../resources.ts'

export const serverMaintenanceGrants: readonly Grant[] = [
  watching(maintenances),
  watching(configurations),
  watching(servers),
  watching(claims),
  keepingStatus(maintenances),
  holding(maintenances),
  owning(maintenances),
  granting(claims, ['patch'], "asks the claim's owner, by a label"),
  granting(servers, ['patch'], 'takes a server, and says what it boots meanwhile'),
  granting(configurations, ['create', 'patch'], 'has a boot configuration of its own'),
]
