import { rememberingReader } from '../../policy/boot-images/stream.ts'
import type { ControllerKube } from '../../ports/index.ts'
import { bootImageHistoryController } from './history/index.ts'
import { machineConfigurationController } from './machine-configuration/index.ts'
import { capiDeployments, capiSets, mapiSets } from './resources.ts'
import { type BootImageSettings, defaultSettings } from './settings.ts'

export type { BootImageSettings } from './settings.ts'

/** Everything that keeps boot images up to date, to be added to a set of controllers. */
export function bootImageControllers(settings: Partial<BootImageSettings> = {}) {
  const sources = [mapiSets, capiSets, capiDeployments]
  const ports = { sources, settings: { ...defaultSettings, ...settings }, read: rememberingReader() }
  return {
    machineConfiguration: (kube: ControllerKube) => machineConfigurationController({ ...ports, kube }),
    history: (kube: ControllerKube) => bootImageHistoryController({ ...ports, kube }),
  }
}
