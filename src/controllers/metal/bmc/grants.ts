import { type Grant, granting, keepingStatus, watching } from '../../../ports/index.ts'
import { bmcs, servers } from '../resources.ts'

export const bmcGrants: readonly Grant[] = [
  watching(bmcs),
  watching(servers),
  keepingStatus(bmcs),
  granting(servers, ['create'], 'a BMC that answers has a server'),
]
