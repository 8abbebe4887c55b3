import { createHash } from 'node:crypto'
import type { Entry } from '../../../src/sim/action-log.ts'
import { type Mode, type PlannedFault, printPoint } from '../../../src/sim/faults/fault.ts'
import type { Run } from '../../../src/sim/run.ts'

/** A name for what lies ahead at each point of a run, so that a fault is tried once where two runs have the same before them. */
export interface Futures {
  nameOf(fault: PlannedFault): string
}

/**
 * Two points are alike if the same call is made there and everything that follows without a further fault is the same, but for revisions,
 * names and times that chance made; how long things take counts by its order of magnitude. What a fault leaves behind in a process (a
 * back-off, a note, a late effect under way) shows in what follows, so a fault is taken to do at both what it does at one.
 */
export function futuresOf(run: Run): Futures {
  const { entries, passed } = run
  const after: string[] = Array.from({ length: entries.length + 1 })
  after[entries.length] = ''
  for (let i = entries.length - 1; i >= 0; i--) after[i] = hash(`${worn(entries[i]!, entries[i + 1])}\n${after[i + 1]}`)
  const points = new Map(passed.map(point => [printPoint(point), point.entry]))
  return { nameOf: fault => `${fault.by} ${fault.call} ${fault.mode satisfies Mode} ${after[points.get(printPoint(fault)) ?? 0]}` }
}

const hash = (text: string): string => createHash('sha1').update(text).digest('base64')

/** An entry without what chance made. */
function worn({ at, by, what, call, detail }: Entry, next: Entry | undefined): string {
  const takes = next === undefined ? 0 : Math.ceil(Math.log2(1 + next.at - at))
  const told = detail === undefined ? '' : JSON.stringify(detail).replace(volatile, '')
  return `${by.split('.')[0]} ${what} ${call} ${told} ${takes}`
}

const volatile =
  /"(?:uid|resourceVersion|revision|renewTime|acquireTime|firstTimestamp|lastTimestamp|phaseSince|lastTransitionTime|holderIdentity|reportingInstance|name)":"[^"]*"|"turns":\d+|"after":\d+/g
