import { hours, type Millis, seconds } from '../../core/duration.ts'

/** What kind of thing a process does at a point of its run; it says what can go wrong there. */
export type PointKind = 'api create' | 'api write' | 'device write' | 'device read' | 'watch event'

/** One moment of a run, found again in any run that is the same up to there. */
export interface Point {
  /** The process, without its restarts. */
  readonly by: string
  readonly call: string
  readonly nth: number
}

export interface PlannedFault extends Point {
  readonly mode: Mode
}

export type Mode = CallMode | WatchMode

export type CallMode =
  | 'crash before'
  | 'crash after'
  | 'fails'
  /** It fails, and so does every other call of this name for half a minute. */
  | 'outage'
  | 'reply lost'
  | 'twice'
  | 'late'
  /** Somebody else writes to the object just before. */
  | 'overtaken'
  /** People change their minds for a while, just after it took effect and before anybody hears of it. */
  | 'meddled'
  /** Somebody removes the object by force just before, and makes it anew under the same name. */
  | 'recreated'
  /** The process stands still for longer than a lease lasts, before it can hear the answer. */
  | 'stopped'
  /** The process reaches devices, and for longer than a lease lasts no API server. */
  | 'cut off'
  | 'clock +1s'
  | 'clock -1s'
  | 'clock +1h'
  | 'clock -1h'

/** The watch stands still from this event on until so many are held back; the connection ends, the history is gone, … */
export type WatchMode = 'lag 1' | 'lag 2' | 'lag 4' | 'lag all' | 'dropped' | 'gone' | 'coalesced' | 'repeated'

/** Everything that can go wrong at a point of a kind. A read that fails and one whose answer is lost are the same. */
export const modesOf: Readonly<Record<PointKind, readonly Mode[]>> = {
  'api create': ['crash before', 'crash after', 'fails', 'outage', 'reply lost', 'twice', 'late'],
  'api write': ['crash before', 'crash after', 'fails', 'outage', 'reply lost', 'twice', 'late', 'overtaken', 'meddled'],
  'device write': ['crash before', 'crash after', 'fails', 'outage', 'reply lost', 'twice', 'late'],
  'device read': ['crash before', 'fails', 'outage'],
  'watch event': ['lag 1', 'lag 2', 'lag 4', 'lag all', 'dropped', 'gone', 'coalesced', 'repeated'],
}

export const clockJumps: Readonly<Partial<Record<Mode, Millis>>> = {
  'clock +1s': seconds(1),
  'clock -1s': seconds(-1),
  'clock +1h': hours(1),
  'clock -1h': hours(-1),
}

export const lagOf: Readonly<Partial<Record<Mode, number>>> = { 'lag 1': 1, 'lag 2': 2, 'lag 4': 4, 'lag all': Number.POSITIVE_INFINITY }

const separator = ' & '

export const printPoint = ({ by, call, nth }: Point): string => `${by}: ${call}#${nth}`

/** A plan as one line that can be pasted into a command. No faults at all is the plan `none`. */
export const printPlan = (plan: readonly PlannedFault[]): string =>
  plan.length === 0 ? 'none' : plan.map(fault => `${printPoint(fault)} = ${fault.mode}`).join(separator)

const shape = /^(\S+): (.+)#(\d+) = (.+)$/

export function parsePlan(text: string): readonly PlannedFault[] | undefined {
  if (text === 'none') return []
  const faults = text.split(separator).map(part => {
    const found = shape.exec(part)
    const mode = allModes.find(known => known === found?.[4])
    return found && mode ? { by: found[1]!, call: found[2]!, nth: Number(found[3]), mode } : undefined
  })
  return faults.every(fault => fault !== undefined) ? faults : undefined
}

/** What can befall a process at any call of its own, besides. */
export const clockModes: readonly Mode[] = ['clock +1s', 'clock -1s', 'clock +1h', 'clock -1h']

const allModes: readonly Mode[] = [...modesOf['api write'], ...modesOf['watch event'], ...clockModes, 'recreated', 'stopped', 'cut off']
