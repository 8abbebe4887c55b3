import { act, type Plan } from '../../../core/plan.ts'
import { boots } from './boots.ts'
import { isOpen } from './note.ts'
import type { MachineThere, Seen } from './seen.ts'
import { stop } from './stop.ts'
import { also, type Verb } from './verbs.ts'

/** Lasts until somebody takes the server back to work. */
export const parkedAnnotation = 'metal.ironcore.dev/parked'

/** What can be asked for in which phase. `ignore` is no operation: it stays, and nothing is done while it does. */
const known: Readonly<Record<string, readonly string[]>> = {
  'resume-boot': ['Reserved'],
  'force-on-server': ['Reserved'],
  'graceful-restart-server': ['Reserved'],
  'hard-restart-server': ['Reserved'],
  'power-cycle-server': ['Reserved'],
  'force-off-server': ['Initial', 'Available', 'Reserved', 'Released', 'Maintenance'],
  'force-release': ['Released', 'Error'],
  retry: ['Error'],
  park: ['Available', 'Reserved', 'Parked'],
  unpark: ['Parked'],
}

/** What was asked for and does not fit is taken away, with a word about it; nobody waits for something that never comes. */
export function refusal({ server }: Seen): Plan<Verb> | undefined {
  const { operation, standing } = server
  if (operation === undefined || operation === 'ignore' || standing.phase === undefined) return undefined
  const phases = Object.hasOwn(known, operation) ? known[operation] : undefined
  if (phases?.includes(standing.phase)) return undefined
  // It was for the phase that it led out of.
  const done = operation === 'retry' && phases !== undefined
  const message = phases
    ? `operation ${operation} is for servers in state ${phases.join(' or ')}, this one is ${standing.phase}`
    : `operation ${operation} is not known; known are ${Object.keys(known).join(', ')}`
  return act(message, [{ do: 'takeOperation' }], {
    events: done ? [] : [{ type: 'Warning', reason: 'UnsupportedOperation', message }],
  })
}

const resumes: readonly string[] = ['resume-boot', 'force-on-server']
const forced: readonly string[] = ['hard-restart-server', 'power-cycle-server', 'force-off-server']

/** Somebody wants a claimed server booted again. It is switched off first, as after any stop, and its policy says what it boots then. */
export function askedFor(seen: Seen, machine: MachineThere, now: number): Plan<Verb> | undefined {
  const { operation } = seen.server
  if (operation === undefined || operation === 'ignore') return undefined
  const take: Verb = { do: 'takeOperation' }
  const why = `${operation} was asked for`
  // Asked for and begun; or it boots anyway.
  if (isOpen(seen.boot) && (resumes.includes(operation) || seen.boot.step !== 'Running')) return act('it boots already', [take])
  if (machine.power === 'Off') {
    const plan = seen.configuration ? boots(seen, seen.configuration, now, [take]) : undefined
    return plan && (plan.actions.length > 0 ? plan : also(plan, take))
  }
  if (seen.stopping?.because === why) return act('it is being switched off', [take])
  const plan = stop(seen, machine, why, now, forced.includes(operation) ? 'forced' : 'graceful')
  return plan.actions.length > 0 ? also(plan, take) : plan
}

/** Somebody answers for what is lost: the power is cut where it would otherwise be asked for first. */
export const forcedOff = (seen: Seen, machine: MachineThere, why: string, now: number): Plan<Verb> | undefined => {
  if (seen.server.operation !== 'force-off-server') return undefined
  const take: Verb = { do: 'takeOperation' }
  return machine.power === 'Off' ? act('it is off already', [take]) : also(stop(seen, machine, why, now, 'forced'), take)
}

/** What was asked for while it cannot be done is not kept for later: then nobody would expect it any more. */
export function notNow({ server: { operation } }: Seen, why: string): Plan<Verb> | undefined {
  if (operation === undefined || operation === 'ignore') return undefined
  const message = `operation ${operation} is not done: ${why}`
  return act(message, [{ do: 'takeOperation' }], { events: [{ type: 'Warning', reason: 'UnsupportedOperation', message }] })
}
