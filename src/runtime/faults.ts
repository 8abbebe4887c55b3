import { ApiError } from '../api/status.ts'
import { Fault } from '../core/fault.ts'

export type Step = 'observe' | 'decide' | 'commit' | 'perform'

/** Whatever was thrown, as a fault: with its own code if it has one, otherwise named after the step that threw it. */
export function faultOf(error: unknown, step: Step, doing: string): Fault {
  if (error instanceof Fault) return error
  if (error instanceof ApiError)
    return new Fault(`kube/${kebab(error.reason) || error.code}`, `${doing}: ${error.message}`, 'backoff', { cause: error })
  const found = error instanceof Error ? error.message || error.name : String(error)
  return new Fault(`runtime/${step}-threw`, `${doing}: ${found}`, 'backoff', { cause: error })
}

const kebab = (words: string): string => words.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()

/** Somebody else was quicker: nothing is wrong, the decision was about a state that is no more. */
export const isConflict = (error: unknown): boolean => ApiError.is(error, 'Conflict')
export const isGone = (error: unknown): boolean => ApiError.is(error, 'NotFound')
