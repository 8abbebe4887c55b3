import type { Instant } from './duration.ts'
import { printInstant } from './instant.ts'
import { isObject } from './json.ts'

/** One aspect of an object's state, as decided: no times. Only `stamp` adds them, when it is committed. */
export interface Condition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

export interface StampedCondition extends Condition {
  readonly lastTransitionTime: string
  readonly observedGeneration?: number
}

export const isTrue = (type: string, reason: string, message: string): Condition => ({ type, status: 'True', reason, message })
export const isFalse = (type: string, reason: string, message: string): Condition => ({ type, status: 'False', reason, message })
export const isUnknown = (type: string, reason: string, message: string): Condition => ({ type, status: 'Unknown', reason, message })

/**
 * Lays decided conditions over those that stand. Types decided here replace theirs, other writers' stay.
 * The time moves only when `status` does, so the same decision is the same bytes.
 */
export function stamp(
  standing: unknown,
  decided: readonly Condition[],
  now: Instant,
  generation: number | undefined,
): readonly StampedCondition[] {
  const before = Array.isArray(standing)
    ? (standing.filter(c => isObject(c) && typeof c['type'] === 'string') as unknown as StampedCondition[])
    : []
  const fresh = decided.map(condition => {
    const old = before.find(c => c.type === condition.type)
    const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : printInstant(now)
    return { ...condition, lastTransitionTime, ...(generation === undefined ? {} : { observedGeneration: generation }) }
  })
  const kept = before.filter(c => !decided.some(d => d.type === c.type))
  return [...kept, ...fresh].sort((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0))
}

export const conditionOf = (status: unknown, type: string): StampedCondition | undefined => {
  const conditions = isObject(status) && Array.isArray(status['conditions']) ? status['conditions'] : []
  return conditions.find(c => isObject(c) && c['type'] === type) as StampedCondition | undefined
}
