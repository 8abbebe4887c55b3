import { type Instant, type Millis, seconds } from '../../core/duration.ts'
import { parseInstant, printInstant } from '../../core/instant.ts'
import type { EngineMemory, Turn, Work } from '../../ports/provisioner.ts'
import type { Sight, There } from './sight.ts'
import { order, type Step } from './steps.ts'

export const soon = seconds(5)
export const often = seconds(15)

export const done = (because: string, more: Omit<Extract<Turn, { is: 'done' }>, 'is' | 'because'> = {}): Turn => ({
  is: 'done',
  because,
  ...more,
})
export const failed = (because: string, retryable = true): Turn => ({ is: 'failed', because, retryable })
export const pending = (because: string, again: Millis = often): Turn => ({ is: 'progress', because, again })

/** What is noted with a step, so that whoever comes next knows what was begun, and when. */
export interface Begun {
  readonly work: Work
  readonly memory: EngineMemory | undefined
  readonly now: Instant
  readonly slot?: string
}

/** Notes a step, then does it. */
export const begin = ({ work, memory, now, slot }: Begun, because: string, step: Step): Turn => ({
  is: 'progress',
  because,
  again: soon,
  memory: {
    work,
    attempt: memory?.work === work ? memory.attempt : (memory?.attempt ?? 0) + 1,
    step: step.do,
    since: printInstant(now),
    ...(slot === undefined ? (memory?.slot === undefined ? {} : { slot: memory.slot }) : { slot }),
  },
  does: order(step),
})

/** For how long the step that was begun last has been given; undefined where it was another. */
export function givenFor({ work, memory, now }: Begun, step: Step['do']): Millis | undefined {
  if (memory?.work !== work || memory.step !== step) return undefined
  const since = parseInstant(memory.since)
  return since === undefined ? undefined : Math.max(0, now - since)
}

/** Does something with a machine that answers and is busy with nothing else; otherwise says what is in the way. */
export function withMachine(sight: Sight, does: (machine: There) => Turn): Turn {
  // It may be restarting, or somebody pulled a cable for a moment: nothing is given up for that.
  if (sight.is === 'silent') return { is: 'busy', because: sight.because, again: often }
  if (sight.jobs > 0)
    return { is: 'busy', because: 'its firmware or settings are being written: nothing is switched meanwhile', again: often }
  if (sight.power === 'Unknown' || sight.power === 'Paused')
    return { is: 'busy', because: `its power is ${sight.power}: nothing is switched`, again: often }
  return does(sight)
}
