import { type Grant, granting, keepingStatus, watching } from '../../../ports/index.ts'
import { bmcs, endpoints, servers } from '../resources.ts'

export const bmcGrants: readonly Grant[] = [
  watching(bmcs),
  watching(endpoints),
  watching(servers),
  keepingStatus(bmcs),
  granting(servers, ['create'], 'a BMC that answers has a server'),
]
