import { clockModes, type Mode, modesOf, type PlannedFault, printPoint } from '../../../src/sim/faults/fault.ts'
import type { Passed } from '../../../src/sim/faults/injector.ts'
import type { Run } from '../../../src/sim/run.ts'
import type { AnyStory } from './stories.ts'

/** Renewals of a Lease are all alike: these many of each process stand for the rest. */
const renewals = 3

/**
 * The points of a run at which something can go wrong: every one of the story, and of the rest after it (where nothing but looks repeat
 * themselves) the first of each call.
 */
export function pointsOf({ passed, told }: Run, series = false): readonly Passed[] {
  const seen = new Map<string, number>()
  const looks = new Map<string, number>()
  return passed.filter((point, index) => {
    const name = `${point.by}: ${point.call}`
    const before = seen.get(name) ?? 0
    const isLease = point.call.includes(' leases')
    const isRest = index >= told
    if (isRest && seen.has(`${name} at rest`)) return false
    if (isRest) seen.set(`${name} at rest`, 1)
    seen.set(name, before + 1)
    if (series && point.kind === 'device read') {
      const looked = looks.get(name) ?? 0
      looks.set(name, looked + 1)
      if (looked >= 2) return false
    } else if (point.kind !== 'watch event' && !isLease) looks.clear()
    return !isLease || before < renewals
  })
}

const at = ({ by, call, nth }: Passed, mode: Mode): PlannedFault => ({ by, call, nth, mode })

export interface Choice {
  /** Modes for calls besides the usual ones. */
  readonly besides: readonly Mode[]
  /** Modes that mean nothing in this story. */
  readonly without: readonly Mode[]
  readonly series: boolean
}

/** What can go wrong in a story: processes stand still only where another one can take over; people meddle only where it is said how. */
export const choiceOf = ({ setting }: AnyStory): Choice => ({
  besides: setting.together ? [] : ['stopped'],
  without: [...(setting.meddle ? [] : (['meddled'] as const)), ...(setting.without ?? [])],
  series: setting.series === true,
})

/** Everything that can go wrong once. */
export const singles = (run: Run, { besides, without, series }: Choice): readonly PlannedFault[] => {
  const isAlike = alikeIn(run)
  return pointsOf(run, series).flatMap(point => {
    const calls = point.kind !== 'watch event'
    const user: readonly Mode[] = point.kind === 'api write' && /^patch valves|^patch [a-z]+\/status /.test(point.call) ? ['recreated'] : []
    return [...modesOf[point.kind], ...(calls ? [...clockModes, ...user, ...besides] : [])]
      .filter(mode => !without.includes(mode) && !isAlike(point, mode))
      .map(mode => at(point, mode))
  })
}

/**
 * A process that dies forgets what it was about, and a clock that jumps is everybody's: where nothing was written since the same befell the
 * same, and no time has passed, it is not tried again.
 */
function alikeIn({ entries }: Run): (point: Passed, mode: Mode) => boolean {
  const writes: number[] = []
  let written = 0
  for (const { what, reads } of entries) {
    writes.push(written)
    if (!reads && what !== 'hears') written++
  }
  const seen = new Set<string>()
  const calls = new Set<string>()
  return ({ by, call, entry, kind }, mode) => {
    if (!(mode === 'crash before' ? kind === 'device read' : clockModes.includes(mode))) return false
    // Each call is tried once, whatever stands before it.
    const isFirst = !calls.has(`${by}: ${call} = ${mode}`)
    calls.add(`${by}: ${call} = ${mode}`)
    if (isFirst) return false
    const name = `${mode === 'crash before' ? by : ''} ${mode} ${writes[entry] ?? written} ${entries[entry]?.at}`
    if (seen.has(name)) return true
    seen.add(name)
    return false
  }
}

/** In pairs one short and one long lag stand for all, and an event that comes twice for none: it was never seen to matter. */
const notInPairs: readonly Mode[] = ['lag 1', 'lag 4', 'repeated']
export const isForPairs = ({ mode }: PlannedFault): boolean => !notInPairs.includes(mode)

/** What can go wrong after a fault, in the run that it led to. */
export function secondsAfter(run: Run, first: PlannedFault, { without, series }: Choice): readonly PlannedFault[] {
  const points = pointsOf(run, series)
  const begins = points.findIndex(point => printPoint(point) === printPoint(first))
  return points.slice(begins + 1).flatMap(point => {
    // A hold that a clock cuts short shows where something failed before.
    const clock: readonly Mode[] = point.kind === 'device read' ? ['clock +1h'] : []
    return [...modesOf[point.kind], ...clock].filter(mode => !without.includes(mode)).map(mode => at(point, mode))
  })
}
