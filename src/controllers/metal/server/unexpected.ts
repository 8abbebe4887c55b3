import { isTrue } from '../../../core/condition.ts'
import { parseInstant } from '../../../core/instant.ts'
import { act, type Plan, wait } from '../../../core/plan.ts'
import { stands } from './conditions.ts'
import { ended } from './note.ts'
import type { MachineThere, Seen } from './seen.ts'
import { nowAndThen } from './timing.ts'
import type { Verb } from './verbs.ts'

const type = 'UnexpectedPowerTransition'

/** Whether the machine was reset since it came on for this boot. Clocks of BMCs jump back when they restart: only later is later. */
export function wasReset(boot: NonNullable<Seen['boot']>, { evidence }: MachineThere): boolean {
  const [then, now] = [boot.reset, evidence?.lastResetTime].map(text => (text === undefined ? undefined : parseInstant(text)))
  return then !== undefined && now !== undefined && now > then
}

/** A boot that somebody else cut short: it ends, nothing stays armed, and the machine is left as it is until somebody resumes it. */
export function interrupted(seen: Seen, machine: MachineThere, boot: NonNullable<Seen['boot']>, what: string): Plan<Verb> {
  const because = `boot ${boot.attempt} was cut short: ${what}`
  const disarm: readonly Verb[] = machine.armed?.lasts === 'Disabled' ? [] : [{ do: 'disarm' }]
  const { status, events } = safeStop(seen, machine, because)
  return act(because, disarm, {
    status: { ...ended('Interrupted', because, machine.evidence?.lastResetTime), ...status },
    events,
    again: nowAndThen,
  })
}

/** Says what nobody here commanded, with what was seen, and how to go on. */
export function safeStop(seen: Seen, machine: MachineThere, because: string) {
  const when = machine.evidence?.lastResetTime
  const words = `${because}${when === undefined ? '' : ` (last reset ${when})`}. To boot it again: rackwright resume ${seen.server.name}`
  return {
    status: { conditions: [isTrue(type, 'NotCommanded', words)] },
    events: stands(seen, type) ? [] : [{ type: 'Warning' as const, reason: type, message: words }],
  }
}

/** A server that stopped stays stopped; what was said first stays said. */
export const staysStopped = (seen: Seen): Plan<Verb> | undefined =>
  stands(seen, type) ? wait(seen.server.stands[type]?.message ?? 'it stopped', nowAndThen) : undefined
