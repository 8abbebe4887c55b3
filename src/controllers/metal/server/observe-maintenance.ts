import type { Look } from '../../../ports/index.ts'
import { maintenances, type Server } from '../resources.ts'
import { approvedLabel } from '../server-maintenance/labels.ts'
import { byServer } from '../server-maintenance/observe.ts'
import type { ServerPorts } from './ports.ts'
import type { SeenClaim, SeenMaintenance } from './seen.ts'

/** The maintenance that holds the server. That a cache does not have it is no proof that it is gone: then the API server is asked. */
export async function maintenanceOf(
  { kube }: ServerPorts,
  server: Server,
  { signal }: Pick<Look, 'signal'>,
): Promise<SeenMaintenance | undefined> {
  const ref = server.spec.serverMaintenanceRef
  if (!ref) return undefined
  const found = kube.cached.get(maintenances, ref) ?? (await kube.fresh(maintenances, ref, signal))
  const { uid, generation, deletionTimestamp } = found?.metadata ?? {}
  const template = found?.spec.serverBootConfigurationTemplate
  return {
    ...ref,
    uid,
    generation,
    is: !found ? 'gone' : deletionTimestamp === undefined ? 'there' : 'going',
    power: found?.spec.serverPower,
    led: found?.spec.locatorLED,
    boots: template !== undefined,
  }
}

/** Whether another one that may begin waits for this server. */
export const isWantedNext = ({ kube }: ServerPorts, server: Server, claim: SeenClaim | undefined): boolean =>
  kube.cached
    .by(maintenances, byServer, server.metadata.name)
    .some(
      ({ metadata, spec }) =>
        metadata.deletionTimestamp === undefined &&
        !(metadata.name === server.spec.serverMaintenanceRef?.name && metadata.namespace === server.spec.serverMaintenanceRef.namespace) &&
        (claim === undefined || claim.approves || spec.policy === 'Enforced'),
    )

export const approves = (labels: Readonly<Record<string, string>> | undefined): boolean => labels?.[approvedLabel] === 'true'
