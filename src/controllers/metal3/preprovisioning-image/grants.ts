import { type Grant, granting, holding, keepingStatus, watching } from '../../../ports/index.ts'
import { hosts, images, secrets } from '../resources.ts'

export const preprovisioningImageGrants: readonly Grant[] = [
  watching(images),
  watching(hosts),
  keepingStatus(images),
  holding(images),
  granting(secrets, ['get'], 'reads the network data of hosts by name, in the namespace of the host'),
]
