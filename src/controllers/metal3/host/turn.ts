import { minutes } from '../../../core/duration.ts'
import { act, type Plan, type StatusPatch, wait } from '../../../core/plan.ts'
import { errorTypeOf, mended, resting, tell } from './errors.ts'
import type { Seen, Verb } from './seen.ts'

/** So long a management controller may be away before that is told as a failure. */
const patience = minutes(10)

/** Does what the engine says to its present work; `finished` is what follows when it is done. */
export function takeTurn(seen: Seen, finished: (turn: Extract<NonNullable<Seen['turn']>, { is: 'done' }>) => Plan<Verb>): Plan<Verb> {
  const { host, turn, work, order, credentials } = seen
  if (credentials.is === 'missing') return tell(host, errorTypeOf('register', host), credentials.because, true)
  if (!turn || !work || !order) return wait('waits for its management controller to be named', 600_000)
  const rest = resting(seen)
  if (rest) return rest
  switch (turn.is) {
    case 'done':
      return finished(turn)
    case 'progress': {
      const status: StatusPatch = {
        ...mended(host),
        ...(turn.memory ? { engine: { slot: null, ...turn.memory } } : {}),
        ...(turn.powered === undefined ? {} : { poweredOn: turn.powered }),
      }
      return turn.does
        ? act(turn.because, [{ do: 'engine', order, step: turn.does }], { status, again: turn.again })
        : wait(turn.because, turn.again, { status })
    }
    case 'busy':
      return seen.busyFor < patience ? wait(turn.because, turn.again) : tell(host, errorTypeOf(work, host), turn.because, true)
    case 'failed':
      return tell(host, errorTypeOf(work, host), turn.because, turn.retryable)
    case 'gone':
      // Nothing was lost but the engine's memory: it is told of the host again.
      return act(turn.because, [], { status: { goodCredentials: null } })
    default:
      return turn satisfies never
  }
}
