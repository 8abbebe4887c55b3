import { isFalse, isTrue } from './condition.ts'
import type { Instant, Millis } from './duration.ts'
import { parseInstant, printInstant } from './instant.ts'
import type { Action, Plan } from './plan.ts'

/** Why one phase gives way to another: the label is what people read, the test what decides. */
export interface Guard<Seen> {
  readonly label: string
  readonly holds: (seen: Seen) => boolean
}

export const when = <Seen>(label: string, holds: (seen: Seen) => boolean): Guard<Seen> => ({ label, holds })

export interface Phase<Seen, A extends Action, Name extends string> {
  /** What is done while in this phase: level-triggered, repeated until an exit opens. */
  readonly does: (seen: Seen, now: Instant) => Plan<A>
  /** Tried in the order they are written; the first that holds is taken. None means the end of the road. */
  readonly exits: { readonly [To in Name]?: Guard<Seen> }
  /** How long is normal. Overstaying becomes a condition and a metric. */
  readonly within?: Millis
  /** An end by design: the reachability walk does not call it a dead end. */
  readonly final?: true
}

export interface Machine<Seen, A extends Action, Name extends string> {
  readonly initial: Name
  readonly phases: { readonly [P in Name]: Phase<Seen, A, Name> }
}

/** Declares a lifecycle as data. Curried, so that what is seen is said and the phases' names are inferred. */
export const machine =
  <Seen, A extends Action>() =>
  <Name extends string>(definition: Machine<Seen, A, NoInfer<Name>> & { readonly phases: Record<Name, unknown> }): Machine<Seen, A, Name> =>
    definition as Machine<Seen, A, Name>

/** Where an object stands in its lifecycle, as its status says. */
export interface Standing {
  readonly phase: string | undefined
  readonly phaseSince: string | undefined
}

/** One step: at most one move, and a move does nothing else, so that it is durable before the new phase acts. */
export function step<Seen, A extends Action, Name extends string>(
  m: Machine<Seen, A, Name>,
  standing: Standing,
  seen: Seen,
  now: Instant,
): Plan<A> {
  const name = standing.phase
  if (name === undefined) return move(undefined, m.initial, 'it is new', now)
  if (!Object.hasOwn(m.phases, name)) {
    return { because: `phase ${name} is not one of this lifecycle: nothing is done on a guess`, status: {}, actions: [], events: [] }
  }
  const phase = m.phases[name as Name]
  for (const [to, guard] of Object.entries(phase.exits) as [Name, Guard<Seen>][])
    if (guard.holds(seen)) return move(name, to, guard.label, now)
  const plan = phase.does(seen, now)
  if (phase.within === undefined) return plan
  const since = standing.phaseSince === undefined ? now : (parseInstant(standing.phaseSince) ?? now)
  const left = since + phase.within - now
  const overstayed = left < 0
  const condition = overstayed
    ? isTrue('Overstayed', 'TooLong', `${name} should take ${phase.within / 1000} s at most: ${plan.because}`)
    : isFalse('Overstayed', 'InTime', '')
  return {
    ...plan,
    ...(overstayed ? {} : { latest: left + 1 }),
    status: { ...plan.status, conditions: [...(plan.status.conditions ?? []), condition] },
  }
}

function move<A extends Action>(from: string | undefined, to: string, label: string, now: Instant): Plan<A> {
  const because = from === undefined ? `enters ${to}: ${label}` : `${from} → ${to}: ${label}`
  return {
    because,
    status: { phase: to, phaseSince: printInstant(now), conditions: [isFalse('Overstayed', 'InTime', '')] },
    actions: [],
    events: [{ type: 'Normal', reason: to, message: because }],
    again: 0,
  }
}
