import { type Grant, granting, keepingStatus, owning, watching } from '../../../ports/index.ts'
import { dataImages, hosts } from '../resources.ts'

export const dataImageGrants: readonly Grant[] = [
  watching(dataImages),
  watching(hosts),
  keepingStatus(dataImages),
  owning(hosts),
  granting(dataImages, ['get', 'patch'], 'says whose it is, holds it while it is in a drive, and lets it go'),
]
