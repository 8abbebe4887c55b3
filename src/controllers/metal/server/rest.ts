import { act, type Plan, wait } from '../../../core/plan.ts'
import { arm, isArmed, wordsOf } from './attempt.ts'
import { runs } from './facts.ts'
import type { MachineThere, Seen, SeenConfiguration } from './seen.ts'
import { nowAndThen, soon } from './timing.ts'
import { safeStop, staysStopped, wasReset } from './unexpected.ts'
import type { Verb } from './verbs.ts'

/** Its boot is over and it is on. Nothing stays armed, unless its policy wants its own restarts to reach the disk. */
export function rest(seen: Seen, machine: MachineThere, boot: NonNullable<Seen['boot']>, configuration: SeenConfiguration): Plan<Verb> {
  if (machine.power !== 'On') return wait(`it is ${machine.power}`, soon)
  if (configuration.unexpectedBoot === 'Disk' && configuration.provisioned === 'yes' && configuration.policy.boot === 'Hdd')
    return keepsDiskArmed(machine, boot, configuration)
  const stopped = staysStopped(seen)
  if (stopped) return stopped
  if (wasReset(boot, machine))
    return wait('it was reset, and nobody here asked for that', nowAndThen, safeStop(seen, machine, 'it was reset'))
  if (machine.armed && machine.armed.lasts !== 'Disabled')
    return act(`${wordsOf(machine.armed)} is armed after its boot: it is taken back`, [{ do: 'disarm' }])
  if (configuration.provisioned === 'no') return wait(boot.because ?? 'it runs, and is not provisioned', nowAndThen)
  return wait('it runs', nowAndThen)
}

/** For hosts whose system restarts itself: after every boot that was seen to work, the disk is armed for the next. */
function keepsDiskArmed(machine: MachineThere, boot: NonNullable<Seen['boot']>, configuration: SeenConfiguration): Plan<Verb> {
  const reset = machine.evidence?.lastResetTime
  if (runs(machine) !== true) return wait('waits for its system to run', nowAndThen)
  const status = wasReset(boot, machine) ? { boot: { reset, next: 'Hdd' } } : boot.next === 'Hdd' ? {} : { boot: { next: 'Hdd' } }
  if (isArmed(machine.armed, 'Hdd')) return wait('it runs, and its disk is armed for its next restart', nowAndThen, { status })
  return act('it runs: its disk is armed for its next restart', [arm('Hdd', configuration)], { status })
}
