import { isFalse, isTrue } from '../../../core/condition.ts'
import { act, type Plan, wait } from '../../../core/plan.ts'
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
    if (isOpen(seen.boot)) return wait(why, 0, { status: ended('SwitchedOff', why) })
    // Before the wait that follows: where its answer is lost, it must not arrive after the next claim’s boot was armed.
    if (machine.armed === undefined || machine.armed.lasts !== 'Disabled') return act('nothing stays armed', [{ do: 'disarm' }])
    if (machine.powerFor < surely) return wait('it is off; its BMC is asked once more', surely - machine.powerFor)
    if (!seen.claim && seen.server.reclaim === 'Retain') return wait('it is kept as it is: its reclaim policy is Retain', seldom)
    if (!seen.claim) return wait('waits for something to say that its disks are wiped (condition Sanitized)', seldom)
    return act('it is off and nothing is armed: its claim is let go', [{ do: 'letGo' }], {
      status: { conditions: [isFalse('Sanitized', 'NotWiped', 'its disks hold what its last claim left on them')] },
    })
  })
}

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
