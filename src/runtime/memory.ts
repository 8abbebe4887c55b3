import type { Millis } from '../core/duration.ts'
import type { Fault } from '../core/fault.ts'
import type { KubeObject } from '../core/object.ts'
import type { Plan } from '../core/plan.ts'
import type { Look, Outcome } from '../ports/index.ts'
import type { HistoryLine } from './controllers.ts'

/** An action that must not be tried again while the object's wishes stay what they were. */
export interface Refused {
  readonly verb: string
  readonly generation: number | undefined
  readonly deleting: boolean
  readonly fault: Fault
}

/** What a controller remembers of one object between two looks. Nothing of it is needed for safety: a restart forgets it all. */
export interface Memory {
  readonly uid: string | undefined
  lines: HistoryLine[] | undefined
  last: Outcome | undefined
  /** Faults in a row. */
  failures: number
  /** Looks in a row that acted, or wanted another look at once, and changed nothing. */
  repeats: number
  /** The Events of the last plan: the same again are no news. */
  told: string
  refused: Refused | undefined
  /** Facts that the last look asked for, and since when they are so. */
  facts: Map<string, Millis> | undefined
  /** The phase it has been in for too long. */
  overstayed: string | undefined
  /** How many looks there were since when. */
  looks: number
  since: Millis
}

export const newMemory = (uid: string | undefined, since: Millis): Memory => ({
  uid,
  lines: undefined,
  last: undefined,
  failures: 0,
  repeats: 0,
  told: '',
  refused: undefined,
  facts: undefined,
  overstayed: undefined,
  looks: 0,
  since,
})

/** Somebody else may have been at work meanwhile: only what was said is still true. */
export function forgetWork(memory: Memory): void {
  Object.assign(memory, newMemory(memory.uid, memory.since), { lines: memory.lines })
}

/** When to look again after a plan was carried out: 0 at once, undefined when something changes. `pause` is for the n-th repetition. */
export function nextLook(plan: Plan, changed: boolean, memory: Memory, pause: (n: number) => Millis): Millis | undefined {
  const again = timeOf(plan.again)
  const latest = timeOf(plan.latest)
  const acted = plan.actions.length > 0
  if (again !== undefined && again > 0) {
    memory.repeats = 0
    return Math.min(again, latest ?? again)
  }
  // A key rests only after a look that did nothing and changed nothing.
  const eager = again !== undefined || acted || changed
  memory.repeats = eager && !changed ? memory.repeats + 1 : 0
  if (!eager) return latest
  return memory.repeats <= 1 ? 0 : pause(memory.repeats - 1)
}

const timeOf = (ms: Millis | undefined): Millis | undefined => (ms !== undefined && Number.isFinite(ms) ? ms : undefined)

const window: Millis = 10_000
const most = 50

/** How long an object that was looked at too often has to wait; undefined where it was not. No mistake in a controller burns a processor. */
export function breather(memory: Memory, now: Millis): Millis | undefined {
  if (now - memory.since >= window) {
    memory.since = now
    memory.looks = 0
  }
  memory.looks++
  return memory.looks > most ? memory.since + window - now : undefined
}

/** Answers for how long facts are so. `keep` makes what was asked the memory: only a look that saw everything says what is no more. */
export function lasting(memory: Memory, now: Millis): Pick<Look, 'lasting' | 'unseen'> & { keep(): void } {
  let asked: Map<string, Millis> | undefined
  return {
    lasting(fact) {
      const since = memory.facts?.get(fact) ?? now
      asked ??= new Map()
      asked.set(fact, since)
      return now - since
    },
    unseen(begins) {
      asked ??= new Map()
      for (const [fact, since] of memory.facts ?? []) if (fact.startsWith(begins)) asked.set(fact, since)
    },
    keep() {
      memory.facts = asked
    },
  }
}

/** The action that is not to be tried again, if it still is not. */
export function refusedFor({ refused }: Memory, { metadata }: KubeObject): Refused | undefined {
  const same = refused?.generation === metadata.generation && refused?.deleting === (metadata.deletionTimestamp !== undefined)
  return same ? refused : undefined
}
