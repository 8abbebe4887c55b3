import { isFalse, isTrue } from '../../../core/condition.ts'
import { act, type Plan, wait } from '../../../core/plan.ts'
import { surelyCleared } from './cleared.ts'
import { ended, isOpen } from './note.ts'
import { forcedOff } from './operations.ts'
import type { Seen } from './seen.ts'
import { stop } from './stop.ts'
import { withMachine } from './there.ts'
import { often, seldom, surely } from './timing.ts'
import type { Verb } from './verbs.ts'

/** Off as its BMC says, nothing armed, no boot open; then its claim is let go, and only then. */
export function released(seen: Seen, now: number): Plan<Verb> {
  if (seen.server.operation === 'force-release') return forceRelease(seen)
  return withMachine(seen, machine => {
    const why = 'its claim is gone'
    const forced = forcedOff(seen, machine, why, now)
    if (forced) return forced
    if (machine.power !== 'Off') return stop(seen, machine, why, now)
    const before = surelyCleared(seen, machine, why)
    if (before) return before
    if (!seen.claim && seen.server.reclaim === 'Retain') return wait('it is kept as it is: its reclaim policy is Retain', seldom)
    if (!seen.claim) return wait('waits for something to say that its disks are wiped (condition Sanitized)', seldom)
    return letsGo('it is off and nothing is armed')
  })
}

/** Its claim is over; what that one left on its disks is said. */
export const letsGo = (because: string): Plan<Verb> =>
  act(`${because}: its claim is let go`, [{ do: 'letGo' }], {
    status: { conditions: [isFalse('Sanitized', 'NotWiped', 'its disks hold what its last claim left on them')] },
  })

/** A BMC that is dead for good confirms nothing: somebody answered for it, and the server is set aside. */
export function forceRelease(seen: Seen): Plan<Verb> {
  const because = 'somebody released it by force: whether it is off is not known'
  const status = {
    ...(isOpen(seen.boot) ? ended('Superseded', because) : {}),
    conditions: [isTrue('Quarantined', 'ForceReleased', because), isFalse('Sanitized', 'NotWiped', because)],
  }
  const events = [{ type: 'Warning' as const, reason: 'ForceReleased', message: because }]
  const verb: Verb = seen.claim ? { do: 'letGo', takesOperation: true } : { do: 'takeOperation' }
  return act(because, [verb], { status, events, again: often })
}

/** Its last claim's data may be on its disks. */
export const isUnwiped = ({ server }: Seen): boolean => server.stands['Sanitized']?.status === 'False'

/** The same, and somebody wants that nobody else gets it so. */
export const isHeldBack = (seen: Seen): boolean => isUnwiped(seen) && (seen.server.requireSanitized || seen.server.reclaim === 'Retain')

/** What must be so before anybody else may have it. */
export const isFree = ({ server, claim, machine, boot }: Seen): boolean =>
  server.reclaim === 'Recycle' &&
  (!server.requireSanitized || server.stands['Sanitized']?.status === 'True') &&
  claim === undefined &&
  !isOpen(boot) &&
  machine.is === 'there' &&
  machine.power === 'Off' &&
  machine.powerFor >= surely &&
  machine.armed?.lasts === 'Disabled'
