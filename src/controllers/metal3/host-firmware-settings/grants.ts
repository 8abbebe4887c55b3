import { type Grant, granting, keepingStatus, owning, watching } from '../../../ports/index.ts'
import { firmwareComponents, firmwareSchemas, firmwareSettings, hosts } from '../resources.ts'

export const hostFirmwareSettingsGrants: readonly Grant[] = [
  watching(firmwareSettings),
  watching(firmwareComponents),
  watching(firmwareSchemas),
  watching(hosts),
  keepingStatus(firmwareSettings),
  owning(hosts),
  granting(firmwareSchemas, ['get', 'create', 'patch'], 'keeps what machines say of their settings, and whose that is'),
  granting(firmwareComponents, ['create'], 'makes the list of the components of a host that has some'),
]
