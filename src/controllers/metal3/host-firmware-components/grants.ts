import { type Grant, keepingStatus, watching } from '../../../ports/index.ts'
import { firmwareComponents, hosts } from '../resources.ts'

export const hostFirmwareComponentsGrants: readonly Grant[] = [
  watching(firmwareComponents),
  watching(hosts),
  keepingStatus(firmwareComponents),
]
