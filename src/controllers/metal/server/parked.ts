import { act, type Plan, wait } from '../../../core/plan.ts'
import { cleared, surelyCleared } from './cleared.ts'
import { letsGo } from './released.ts'
import type { Seen } from './seen.ts'
import { stop } from './stop.ts'
import { withMachine } from './there.ts'
import { seldom } from './timing.ts'
import type { Verb } from './verbs.ts'

export const wantsPark = ({ server }: Seen): boolean => server.operation === 'park' || server.parked
export const isUnparked = (seen: Seen): boolean => !wantsPark(seen)

/** Somebody wants to be alone with it: switched off once, and from then on left as it is, whatever its claim says. */
export function parked(seen: Seen, now: number): Plan<Verb> {
  const { server, claim } = seen
  if (server.operation === 'unpark') return act('it is taken back to work', [{ do: 'unpark' }])
  if (server.parked) {
    if (claim && claim.is !== 'there' && seen.machine.is === 'there' && seen.machine.power === 'Off')
      return surelyCleared(seen, seen.machine, 'its claim is gone') ?? letsGo('it is parked, off, and nothing is armed')
    return wait(`it is parked: nothing is done until somebody says rackwright unpark ${server.name}`, seldom)
  }
  const why = 'it is being parked'
  return withMachine(seen, machine =>
    machine.power === 'Off'
      ? (cleared(seen, machine, why) ?? act('it is off, nothing is armed, and it is parked', [{ do: 'park' }]))
      : stop(seen, machine, why, now),
  )
}
