import { type Condition, isFalse, isTrue } from '../../../core/condition.ts'
import type { Instant } from '../../../core/duration.ts'
import { step } from '../../../core/machine.ts'
import { act, idle, type Plan, release, wait } from '../../../core/plan.ts'
import { audited } from './boot-order.ts'
import { lit } from './led.ts'
import { lifecycle } from './lifecycle.ts'
import { ejects, takenOut } from './media.ts'
import { ended, isOpen } from './note.ts'
import { observation } from './observation.ts'
import { refusal } from './operations.ts'
import type { Seen } from './seen.ts'
import { heardAgain } from './shutdown.ts'
import { farewell, nowAndThen } from './timing.ts'
import { unheld } from './unheld.ts'
import type { Verb } from './verbs.ts'

export function decide(seen: Seen, now: Instant): Plan<Verb> {
  const plan = decided(seen, now)
  const { phase, phaseSince, ...status } = plan.status
  const conditions = [...(status.conditions ?? []), ...recovered(seen)]
  return {
    ...plan,
    status: {
      ...status,
      ...(phase === undefined ? {} : { state: phase, stateSince: phaseSince }),
      ...powerOf(seen, Object.keys(status).some(key => key !== 'conditions') || phase !== undefined),
      ...(conditions.length > 0 ? { conditions } : {}),
    },
  }
}

function decided(seen: Seen, now: Instant): Plan<Verb> {
  const { server } = seen
  if (server.deleting) return farewellOf(seen)
  if (server.operation === 'ignore') return idle('it is ignored, as its annotation says')
  if (seen.observeOnly) return looksOn(seen)
  if (server.updater !== undefined) return updated(server.updater)
  return audited(seen, lit(seen, ejects(seen) ?? refusal(seen) ?? unheld(seen) ?? step(lifecycle, server.standing, seen, now)))
}

/** After a restore: what was about to be done then is void, and nothing is done before everything was looked at once. */
function looksOn({ boot }: Seen): Plan<Verb> {
  const because = 'everything is looked at first: this state comes from a backup'
  return wait(because, nowAndThen, isOpen(boot) ? { status: ended('Voided', because) } : {})
}

/** A machine that is cut off while its firmware is written may never come back: whatever else is wanted of it waits for the job. */
function updated(updater: string): Plan<Verb> {
  const because = `${updater} has it: nothing is switched or armed meanwhile`
  return wait(because, nowAndThen, { status: { conditions: [isTrue('Updating', 'JobHasIt', because)] } })
}

/** Deleting a server switches nothing off. What was armed for its next boot is taken back, if its BMC can be reached in time. */
function farewellOf({ server, machine, boot }: Seen): Plan<Verb> {
  // The job sees that the server goes, and stops; what it has begun is not disturbed.
  if (server.updater !== undefined)
    return server.deletingAge < farewell ? wait(`waits for ${server.updater} to stop`, nowAndThen) : act('it can be forgotten', [release])
  if (isOpen(boot)) return wait('no boot stays open', 0, { status: ended('Superseded', 'the server is deleted') })
  const taken = server.deletingAge < farewell ? takenOut({ machine, boot }) : undefined
  if (taken) return taken
  const armed = machine.is === 'there' && machine.armed !== undefined && machine.armed.lasts !== 'Disabled'
  if (armed && server.deletingAge < farewell) return act('nothing stays armed', [{ do: 'disarm' }])
  if (machine.is === 'silent' && server.deletingAge < farewell) return wait(`waits for its BMC: ${machine.because}`, nowAndThen)
  return act('it can be forgotten', [release])
}

/** Only what lasts is written, and while a server is only being discovered only along with other news: each would be a write more. */
const powerOf = ({ machine, server }: Seen, news: boolean) =>
  machine.is === 'there' && ['On', 'Off', 'Paused'].includes(machine.power) && (news || server.standing.phase !== 'Discovery')
    ? { powerState: machine.power }
    : {}

/** Troubles that are over, wherever the server stands. */
function recovered(seen: Seen): readonly Condition[] {
  const { server, machine } = seen
  const { stands, standing } = server
  const answers = machine.is === 'there' && stands['Reachable']?.status === 'False'
  const free = stands['Quarantined']?.status === 'True' && !['Error', 'Released'].includes(standing.phase ?? '')
  const idleAgain = stands['Updating']?.status === 'True' && server.updater === undefined
  return [
    ...(idleAgain ? [isFalse('Updating', 'Over', '')] : []),
    ...(answers ? [isTrue('Reachable', 'Answered', '')] : []),
    ...(free ? [isFalse('Quarantined', 'Over', '')] : []),
    ...heardAgain(seen),
    ...observation(seen),
  ]
}
