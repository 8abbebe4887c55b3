import { type Grant, granting, holding, keepingStatus, owning, watching } from '../../../ports/index.ts'
import { hardwareData, hosts, secrets, servers } from '../resources.ts'

export const hostGrants: readonly Grant[] = [
  watching(hosts),
  watching(hardwareData),
  watching(servers),
  keepingStatus(hosts),
  holding(hosts),
  owning(hosts),
  granting(hosts, ['patch'], 'takes annotations away that asked for something, once it is done'),
  granting(hardwareData, ['create', 'patch'], 'keeps what an inspection found'),
  granting(secrets, ['get'], 'reads the credentials of management controllers by name, in the namespace of the host'),
]
