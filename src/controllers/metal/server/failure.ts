import { isTrue } from '../../../core/condition.ts'
import { act, type Plan, wait } from '../../../core/plan.ts'
import { stands } from './conditions.ts'
import { hasFailed } from './discovery.ts'
import { notNow } from './operations.ts'
import { forceRelease } from './released.ts'
import type { Seen } from './seen.ts'
import { stop } from './stop.ts'
import { isDoubtful } from './there.ts'
import { nowAndThen, retryAfter } from './timing.ts'
import type { Verb } from './verbs.ts'

/** Set aside, with a reason, and untouched; the way out is said with it. */
export function failure(seen: Seen, now: number): Plan<Verb> {
  const { machine, boot, configuration, server, claim } = seen
  if (server.operation === 'force-release')
    return claim?.is === 'there' ? notNow(seen, `claim ${claim.name} still wants it`)! : forceRelease(seen)
  if (server.stands['Quarantined']?.reason === 'ForceReleased')
    return wait(`${server.stands['Quarantined'].message}. When it is seen to: ${retryCommand(server.name)}`, nowAndThen)
  if (machine.is === 'doubtful') return setAside(machine.reason, `${machine.because}. It goes on by itself when that is settled`)
  const because = boot?.because ?? 'it could not be discovered'
  const plan = setAside(
    'DiscoveryFailed',
    `${because}. It is tried again after ${retryAfter / 60_000} minutes, or now: ${retryCommand(server.name)}`,
  )
  if (hasFailed(seen) && configuration && !configuration.deleting)
    return act(plan.because, [{ do: 'deleteConfiguration', uid: configuration.uid }], { status: plan.status })
  // What runs there was started here to look at it; nobody else has it.
  if (machine.is === 'there' && machine.power !== 'Off' && !seen.claim && boot?.purpose === 'Discovery') {
    const stopped = stop(seen, machine, 'its discovery failed', now)
    return { ...stopped, status: { ...stopped.status, ...plan.status } }
  }
  return plan
}

const retryCommand = (name: string): string => `kubectl annotate server ${name} metal.ironcore.dev/operation=retry`

const setAside = (reason: string, because: string): Plan<Verb> =>
  wait(because, nowAndThen, { status: { conditions: [isTrue('Quarantined', reason, because)] } })

const wantsRetry = ({ server }: Seen): boolean => server.operation === 'retry'

/** Whether an unclaimed server may be tried again. */
export function mayRetry(seen: Seen): boolean {
  if (seen.claim || isDoubtful(seen)) return false
  if (wantsRetry(seen)) return true
  const forced = seen.server.stands['Quarantined']?.reason === 'ForceReleased'
  const failed = seen.boot?.purpose === 'Discovery' && seen.boot.outcome !== 'Registered'
  return !forced && stands(seen, 'Quarantined') && (!failed || seen.server.phaseAge >= retryAfter)
}
