import { type Condition, conditionOf, isFalse, isTrue, stamp } from '../core/condition.ts'
import type { Instant } from '../core/duration.ts'
import type { Fault } from '../core/fault.ts'
import { isObject, sameJson } from '../core/json.ts'
import type { KubeObject } from '../core/object.ts'
import type { StatusPatch } from '../core/plan.ts'

export type Patch = Readonly<Record<string, unknown>>

/** Says whether reconciling works; only the runtime writes it, and only once something failed. */
export const reconciled = 'Reconciled'

/** Whether this kind counts generations, and which condition tells of faults. */
export interface StatusManners {
  readonly hasGeneration: boolean
  readonly told?: string
}

/**
 * The patch that makes the object's status say what was decided, times and generation added; undefined where it says so already.
 * `works` takes back an earlier fault.
 */
export function statusPatch(
  object: KubeObject,
  decided: StatusPatch,
  works: boolean,
  now: Instant,
  { hasGeneration, told = reconciled }: StatusManners = { hasGeneration: true },
): Patch | undefined {
  const standing = isObject(object['status']) ? object['status'] : {}
  const conditions: Condition[] = [...(decided.conditions ?? [])]
  const failed = conditionOf(standing, told)?.status === 'False'
  if (works && failed && !conditions.some(c => c.type === told)) conditions.push(isTrue(told, 'AsDecided', ''))
  return difference(object, standing, { ...decided, ...(conditions.length > 0 ? { conditions } : {}) }, now, hasGeneration)
}

/** The patch that tells of a fault; undefined where it is told already. */
export function faultPatch(object: KubeObject, fault: Fault, now: Instant, type = reconciled): Patch | undefined {
  const standing = isObject(object['status']) ? object['status'] : {}
  const message = fault.hint === undefined ? fault.message : `${fault.message}. ${fault.hint}`
  const told = conditionOf(standing, type)
  // The generation is that of the decision, which did not come to be: it stays as it is.
  if (told?.status === 'False' && told.reason === fault.code && told.message === message) return undefined
  return { conditions: stamp(standing['conditions'], [isFalse(type, fault.code, message)], now, object.metadata.generation) }
}

function difference(
  object: KubeObject,
  standing: Record<string, unknown>,
  decided: StatusPatch,
  now: Instant,
  hasGeneration: boolean,
): Patch | undefined {
  const { generation } = object.metadata
  const counts =
    hasGeneration && generation !== undefined && (Object.keys(decided).length > 0 || standing['observedGeneration'] !== undefined)
  const patch = {
    ...decided,
    ...(decided.conditions ? { conditions: stamp(standing['conditions'], decided.conditions, now, generation) } : {}),
    ...(counts ? { observedGeneration: generation } : {}),
  }
  return changes(standing, patch) ? patch : undefined
}

/** Whether a merge patch would change the value. */
function changes(standing: unknown, patch: unknown): boolean {
  if (!isObject(patch)) return !sameJson(standing, patch)
  if (!isObject(standing)) return true
  for (const key in patch) {
    const wanted = patch[key]
    if (wanted === undefined) continue
    const has = Object.hasOwn(standing, key) && standing[key] !== undefined
    if (wanted === null ? has : !has || changes(standing[key], wanted)) return true
  }
  return false
}
