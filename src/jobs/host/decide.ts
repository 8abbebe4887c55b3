import { isFalse, isTrue } from '../../core/condition.ts'
import { type Instant, type Millis, minutes, seconds } from '../../core/duration.ts'
import { printInstant } from '../../core/instant.ts'
import { act, idle, type Plan, wait } from '../../core/plan.ts'
import type { Seen, Verb } from './seen.ts'

/** As Kubernetes: 10 seconds after the first failure, doubling to six minutes. */
export const backoffAfter = (failed: number): Millis => (failed === 0 ? 0 : Math.min(seconds(10) * 2 ** (failed - 1), minutes(6)))

/**
 * Brings a Job to its end as Kubernetes' own controller does, with the same words in its status. Status is decided only where it differs:
 * a Job's schema keeps no observedGeneration, so that every decided status would be a write.
 */
export function decide(seen: Seen, now: Instant): Plan<Verb> {
  if (seen.deleting) return idle('it is going')
  if (seen.end !== undefined) return afterEnd(seen, now)
  if (seen.notHere !== undefined) return notHere(seen.notHere, seen.toldNotHere)
  if (seen.suspend) return suspended(seen)
  if (seen.suspended === true) return act('it goes on', [], { status: { conditions: [isFalse('Suspended', 'JobResumed', 'Job resumed')] } })
  const { startTime, deadline, run } = seen
  if (startTime !== undefined && deadline !== undefined && now - startTime >= deadline && run.is !== 'ended')
    return run.is === 'unknown'
      ? fails(seen, now, 'DeadlineExceeded', 'Job was active longer than specified deadline', seen.failed + (seen.active ? 1 : 0))
      : act('it takes longer than its deadline', [{ do: 'stop' }], { again: seconds(1) })
  switch (run.is) {
    case 'ended':
      return afterRun(seen, now)
    case 'running':
      return seen.active && startTime !== undefined
        ? wait('it runs', pace(seen.runsFor))
        : wait('it runs', seconds(1), { status: { ...starting(seen, now), active: 1, ready: 1 } })
    case 'waiting':
      // The longer the line, the later it is worth a look.
      return wait(`${run.ahead} runs are before it`, Math.min(seconds(1) + run.ahead * 50, minutes(1)))
    case 'unknown':
      return begins(seen)
    default:
      return run satisfies never
  }
}

/** Short programs are seen soon, long ones cost little. */
const pace = (runsFor: Millis): Millis => Math.min(Math.max(seconds(1), Math.floor(runsFor / 10)), seconds(10))

const starting = ({ startTime }: Seen, now: Instant): object => (startTime === undefined ? { startTime: printInstant(now) } : {})

function begins({ failed, restsFor, active }: Seen): Plan<Verb> {
  const rest = backoffAfter(failed) - restsFor
  if (rest > 0) return wait(`it failed ${failed} times and rests`, rest)
  const because = active
    ? 'it ran when this host went down, and is started anew'
    : failed === 0
      ? 'it begins'
      : `it begins again: try ${failed + 1}`
  return act(because, [{ do: 'start', attempt: failed + 1 }], { again: seconds(1) })
}

function afterRun(seen: Seen, now: Instant): Plan<Verb> {
  const { verdict, failed, backoffLimit, run } = seen
  const code = run.is === 'ended' ? run.code : 0
  switch (verdict) {
    case 'done':
    case undefined: {
      const words = 'Reached expected number of succeeded pods'
      const conditions = [isTrue('SuccessCriteriaMet', 'CompletionsReached', words), isTrue('Complete', 'CompletionsReached', words)]
      const status = { ...starting(seen, now), ...idleCounts, succeeded: 1, completionTime: printInstant(now), conditions }
      // No Event: a fleet that is scanned would write one for each, and its condition says the same.
      return act('it is done', [], { status })
    }
    case 'hopeless':
      return fails(
        seen,
        now,
        'PodFailurePolicy',
        `Container exited with code ${code}, which ends the Job by its podFailurePolicy`,
        failed + 1,
      )
    case 'ignored':
      // The same try once more: what is ignored is not counted.
      return act(`it exited with code ${code}, which does not count`, [{ do: 'stop' }], { again: seconds(10) })
    case 'counts':
      if (failed + 1 > backoffLimit)
        return fails(seen, now, 'BackoffLimitExceeded', 'Job has reached the specified backoff limit', failed + 1)
      return act(`it exited with code ${code}`, [], {
        status: { ...starting(seen, now), ...idleCounts, failed: failed + 1 },
        events: [{ type: 'Warning', reason: 'RunFailed', message: `Try ${failed + 1} exited with code ${code}` }],
      })
    default:
      return verdict satisfies never
  }
}

const idleCounts = { active: null, ready: null }

function fails(seen: Seen, now: Instant, reason: string, message: string, failed: number): Plan<Verb> {
  const conditions = [isTrue('FailureTarget', reason, message), isTrue('Failed', reason, message)]
  return act(`it failed: ${message}`, [], {
    status: { ...starting(seen, now), ...idleCounts, failed, conditions },
    events: [{ type: 'Warning', reason, message }],
  })
}

function afterEnd({ ended, ttl }: Seen, now: Instant): Plan<Verb> {
  if (ttl === undefined || ended === undefined) return idle('it is over')
  const left = ended + ttl - now
  return left > 0 ? wait('it is over, and kept for a while', left) : act('it was kept long enough', [{ do: 'delete' }])
}

function notHere(why: string, told: boolean): Plan<Verb> {
  const because = `it cannot run on this host: ${why}`
  if (told) return idle(because)
  return act(because, [], {
    status: { conditions: [isFalse('Runnable', 'NotRunnableHere', because)] },
    events: [{ type: 'Warning', reason: 'NotRunnableHere', message: because }],
  })
}

function suspended({ run, suspended: told }: Seen): Plan<Verb> {
  if (run.is === 'running' || run.is === 'waiting') return act('it is suspended', [{ do: 'stop' }], { again: seconds(1) })
  if (told === true) return idle('it is suspended')
  const conditions = [isTrue('Suspended', 'JobSuspended', 'Job suspended')]
  return act('it is suspended', [], { status: { ...idleCounts, startTime: null, conditions } })
}
