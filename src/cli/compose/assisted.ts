import { assistedHostController } from '../../controllers/assisted/host/index.ts'
import { type AssistedSettings, usualAssisted } from '../../controllers/assisted/settings.ts'
import { type Controllers, openControllers } from '../../runtime/index.ts'
import type { HostsPorts } from './hosts.ts'

export interface AssistedPorts extends Pick<HostsPorts, 'kube' | 'clock' | 'ids' | 'log' | 'identity' | 'lease' | 'builds'> {
  readonly settings?: Partial<AssistedSettings>
  /** Hosts that an assisted service works on are taken over from it. */
  readonly takeOver?: boolean
}

/** The controller that has hosts of InfraEnvs installed by the assisted agent. Nothing runs before `start`. */
export function openAssisted({
  kube,
  clock,
  ids,
  log,
  identity,
  lease,
  builds = false,
  settings,
  takeOver = false,
}: AssistedPorts): Controllers {
  const controllers = openControllers({ kube, clock, ids, log, identity, ...(lease ? { lease } : {}) })
  controllers.add(own => assistedHostController({ kube: own, ...usualAssisted, ...settings, builds, takeOver }))
  return controllers
}
