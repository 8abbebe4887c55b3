import type { Instant } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import type { Happening, StatusPatch } from '../../../core/plan.ts'
import { retryAfter } from '../../../policy/firmware/retry.ts'
import type { Seen } from './seen.ts'
import type { Program } from './subject.ts'

export const isScan = (program: string): boolean => program.endsWith('-scan')

/** Where the failures of a program are counted. */
export const troubleField = (program: string): 'trouble' | 'scanTrouble' => (isScan(program) ? 'scanTrouble' : 'trouble')

export interface Failure {
  readonly job: string
  readonly program: Program
  readonly message: string
  /** Only another wish leads on. */
  readonly final: boolean
}

/** Counts a job that failed; with another wish counting starts anew. */
export function failed(
  { target }: Seen,
  { job, program, message, final }: Failure,
  now: Instant,
): { status: StatusPatch; events: readonly Happening[] } {
  const { generation } = target
  const trouble = target[troubleField(program)]
  const same = trouble?.program === program && (isScan(program) || trouble.generation === generation)
  const failures = (same ? trouble.failures : 0) + 1
  const after = final ? undefined : retryAfter(failures, isScan(program))
  const next = after === undefined ? null : printInstant(now + after)
  return {
    status: { [troubleField(program)]: { program, failures, generation, job, next, message: message.slice(0, 4_000) } },
    events: [{ type: 'Warning', reason: 'JobFailed', message: `job ${job} (${program}) failed: ${message}`.slice(0, 1_000) }],
  }
}

/** Why a program is not started although there is a reason to; undefined where it may be. */
export function heldBack(
  { target }: Seen,
  program: Program,
  now: Instant,
): { readonly because: string; readonly again: number } | undefined {
  const { generation } = target
  const trouble = target[troubleField(program)]
  if (trouble?.program !== program) return undefined
  if (trouble.generation !== generation && !isScan(program)) return undefined
  const again = retryAfter(trouble.failures, isScan(program))
  if (trouble.next === undefined || again === undefined)
    return {
      because: `${trouble.message}; it is tried again when the wish changes, or by the annotation metal.ironcore.dev/operation: retry`,
      again: Infinity,
    }
  // A wall clock that jumped neither freezes it nor lets it run wild: what was waited counts, too.
  const left = Math.min((trouble.retryAt ?? now) - now, again - trouble.retryFor)
  return left > 0 ? { because: `${trouble.message}; it is tried again at ${trouble.next}`, again: left } : undefined
}
