import { type Grant, granting, holding, keepingStatus, owning, watching } from '../../../ports/index.ts'
import { claims, configurations, readinessRules, servers } from '../resources.ts'

export const serverClaimGrants: readonly Grant[] = [
  watching(claims),
  watching(configurations),
  watching(servers),
  watching(readinessRules),
  keepingStatus(claims),
  holding(claims),
  owning(claims),
  granting(claims, ['patch'], 'names the server that it took'),
  granting(servers, ['patch'], 'takes a server, by its resourceVersion'),
  granting(configurations, ['create', 'patch'], 'says what the server boots'),
]
