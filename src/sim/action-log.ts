import type { Millis } from '../core/duration.ts'

/** One thing that happened between a process and the world. Plain data: invariants read it, and a failing run is its text. */
export interface Entry {
  readonly at: Millis
  /** Which process, as `name` or `name.2` after its first restart; `user` for people, `world` for what befalls. */
  readonly by: string
  readonly what: What
  /** Which call, as `patch servers/status default/s1` or `srv-1/power.set`; for others what happened. */
  readonly call: string
  /** The how-many-th call of this name by this process, restarts included. */
  readonly nth: number
  /** Nothing is changed by it. */
  readonly reads?: true
  /** Answer code, error, arguments: whatever the kind of entry calls for. */
  readonly detail?: unknown
}

export type What =
  /** A process asked. */
  | 'asks'
  /** It took effect: API writes and device calls, at the moment when the world changed. */
  | 'effect'
  /** The process heard the answer, or that there is none. */
  | 'hears'
  /** A fault of the plan. */
  | 'fault'
  /** A process starts, stops, resumes, dies. */
  | 'life'

/** Everything that happened, in order; only ever longer. */
export interface ActionLog {
  readonly entries: readonly Entry[]
  add(entry: Entry): void
  /** Called with each entry as it is added. */
  onEntry(then: (entry: Entry) => void): void
  text(): string
}

export function openActionLog(): ActionLog {
  const entries: Entry[] = []
  const listeners: ((entry: Entry) => void)[] = []
  return {
    entries,
    add(entry) {
      entries.push(entry)
      for (const listener of listeners) listener(entry)
    },
    onEntry: then => void listeners.push(then),
    text: () => entries.map(line).join(''),
  }
}

const line = ({ at, by, what, call, nth, detail }: Entry): string =>
  `${(at / 1_000).toFixed(3).padStart(10)} ${by.padEnd(6)} ${what.padEnd(6)} ${call}${nth > 0 ? `#${nth}` : ''}${detail === undefined ? '' : ` ${JSON.stringify(detail)}`}\n`
