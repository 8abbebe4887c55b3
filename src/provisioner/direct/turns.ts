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
  /** How far a try with a ramdisk is, where that is not what was noted last. */
  readonly stage?: EngineMemory['stage']
  /** Which volumes a try makes, where that was not noted yet. */
  readonly volumes?: string
  /** From the start of its machine to the first call of its agent. */
  readonly startTimeout?: Millis
  /** The same of what others had pending. */
  readonly flush?: EngineMemory['flush']
}

/** What else a note says; `slot`, `runs` and `asked` are kept until they are said to be empty, the rest only within the same work. */
export interface Noted extends Partial<Omit<EngineMemory, 'work' | 'attempt' | 'step' | 'since' | 'slot' | 'runs' | 'update'>> {
  readonly slot?: string | null
  readonly runs?: EngineMemory['runs'] | null
  readonly update?: EngineMemory['update'] | null
}

/** What is noted when something begins. Another work is another try: nothing but what stays on the machine is taken along. */
export function note({ work, memory, now, stage, flush, volumes }: Begun, step: string, noted: Noted = {}): EngineMemory {
  const same = memory?.work === work ? memory : undefined
  const at = stage ?? same?.stage
  const makes = volumes ?? same?.volumes
  const flushed = flush ?? same?.flush
  const { slot = memory?.slot, runs = memory?.runs, asked = memory?.asked ?? [], update = same?.update, ...more } = noted
  return {
    work,
    attempt: same ? same.attempt : (memory?.attempt ?? 0) + 1,
    step,
    since: printInstant(now),
    ...(at === undefined ? {} : { stage: at }),
    ...(same?.plan === undefined ? {} : { plan: same.plan }),
    ...(makes === undefined ? {} : { volumes: makes }),
    ...(same?.because === undefined ? {} : { because: same.because }),
    ...(flushed === undefined ? {} : { flush: flushed }),
    ...more,
    ...(slot === undefined || slot === null ? {} : { slot }),
    ...(runs === undefined || runs === null ? {} : { runs }),
    ...(asked.length === 0 ? {} : { asked }),
    ...(update === undefined || update === null ? {} : { update }),
  }
}

/** Notes a step, then does it. */
export const begin = (begun: Begun, because: string, step: Step, noted: Noted = {}): Turn => ({
  is: 'progress',
  because,
  again: soon,
  memory: note(begun, step.do, noted),
  does: order(step),
})

/** For how long the step that was begun last has been given; undefined where it was another. */
export function givenFor({ work, memory, now }: Begun, step: string): Millis | undefined {
  if (memory?.work !== work || memory.step !== step) return undefined
  const since = parseInstant(memory.since)
  return since === undefined ? undefined : Math.max(0, now - since)
}

/** This try is over: the next begins from the start, and is counted as another. */
export const giveUp = (begun: Begun, because: string, retryable = true, kept: Pick<EngineMemory, 'update'> = {}): Turn => ({
  is: 'failed',
  because,
  retryable,
  memory: { ...ended(begun, givenUp), ...kept },
})

/** The step of a try that is over. */
export const givenUp = 'given up'

/** What is noted of a try that is over: only what stays on the machine. */
export function ended({ memory, now }: Begun, step: string): EngineMemory {
  return {
    work: 'none',
    attempt: memory?.attempt ?? 0,
    step,
    since: printInstant(now),
    ...(memory?.slot === undefined ? {} : { slot: memory.slot }),
    ...(memory?.runs === undefined ? {} : { runs: memory.runs }),
    ...(memory?.asked === undefined ? {} : { asked: memory.asked }),
  }
}

export interface Insistence {
  readonly asks: string
  readonly waits: string
  readonly gaveUp: string
  /** How long the first time may take; each further one gets twice as long. */
  readonly patience: Millis
  /** How often it is asked for before that is told as a failure. */
  readonly limit?: number
}

/** Asks for a step, and again where nothing came of it, later and later; a machine that never does it is not asked without end. */
export function insist(begun: Begun, step: Step, { asks, waits, gaveUp, patience, limit = 4 }: Insistence, noted: Noted = {}): Turn {
  const given = givenFor(begun, step.do)
  const tries = begun.memory?.tries ?? 1
  if (given === undefined) return begin(begun, asks, step, noted)
  if (given < patience * 2 ** (tries - 1)) return pending(waits)
  if (tries >= limit) return giveUp(begun, `${gaveUp}, although it was asked ${tries} times`)
  return begin(begun, `${asks} once more`, step, { ...noted, tries: tries + 1 })
}

/** Does something with a machine that answers and is busy with nothing else; otherwise says what is in the way. */
export const withMachine = (sight: Sight, does: (machine: There) => Turn): Turn => whenQuiet(sight) ?? does(sight as There)

/** What is in the way of changing anything on a machine; undefined where it answers and is busy with nothing. */
export function whenQuiet(sight: Sight): Turn | undefined {
  if (sight.is === 'agent') return pending('its agent was asked', soon)
  // It may be restarting, or somebody pulled a cable for a moment: nothing is given up for that.
  if (sight.is === 'silent') return { is: 'busy', because: sight.because, again: often }
  if (sight.jobs > 0)
    return { is: 'busy', because: 'its firmware or settings are being written: nothing is switched meanwhile', again: often }
  if (sight.power === 'Unknown' || sight.power === 'Paused')
    return { is: 'busy', because: `its power is ${sight.power}: nothing is switched`, again: often }
  return undefined
}
