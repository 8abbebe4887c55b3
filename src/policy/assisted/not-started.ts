import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { agentUnit } from './discovery-ignition.ts'

/** The same Ignition with an assisted agent that nobody but the Ironic agent starts, whoever wrote it. */
export function notStarted(ignition: JsonObject): JsonObject {
  const { systemd } = ignition
  const units = isObject(systemd) ? systemd['units'] : undefined
  if (!isObject(systemd) || !Array.isArray(units)) return ignition
  const quiet = (units as readonly Json[]).map(unit => (isObject(unit) && unit['name'] === agentUnit ? { ...unit, enabled: false } : unit))
  return { ...ignition, systemd: { ...(systemd as JsonObject), units: quiet as Json[] } }
}
