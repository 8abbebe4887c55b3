import { type Condition, isFalse, isTrue } from '../../../core/condition.ts'
import type { Outcome } from '../../../ports/index.ts'
import { reasonOf } from '../read-image.ts'
import type { Seen, StopAnswer } from './seen.ts'

const type = 'ShutdownAsked'
/** Begins every sentence of a plan that asks a system to shut down. */
export const asks = 'asks its system'

/** What a management controller says that has no way to ask: to say it again changes nothing. */
const refusals: readonly string[] = ['bmc/not-offered', 'bmc/refused']

/** What became of the question that the last plan asked, if it was one. Only in memory: who has forgotten it asks again. */
export function answerOf(last: Outcome | undefined): StopAnswer | undefined {
  if (!last?.because.includes(asks)) return undefined
  if (!last.failed) return { is: 'heard' }
  const { code, message } = last.failed
  return { is: refusals.includes(code) ? 'refused' : 'lost', code, because: message }
}

/** Told when it goes on: why its power is not cut, and what a person can do. */
export const notHeard = ({ server }: Seen, code: string, because: string): Condition =>
  isFalse(
    type,
    reasonOf(code),
    `its system could not be asked to shut down, so its power is not cut by itself: ${because}. To cut it: kubectl annotate server ${server.name} metal.ironcore.dev/operation=force-off-server`,
  )

/** Decided, not guessed: nobody can ask it, and that was said long enough. */
export const cannotAsk = (code: string, because: string): Condition =>
  isFalse(type, reasonOf(code), `its power is cut: its management controller cannot ask a system to shut down (${because})`)

/** That it could not be asked is over when it was heard, or is off. */
export const heardAgain = ({ server, machine, stopping }: Seen): readonly Condition[] =>
  server.stands[type]?.status === 'False' && (stopping?.heard === true || (machine.is === 'there' && machine.power === 'Off'))
    ? [isTrue(type, 'Over', '')]
    : []
