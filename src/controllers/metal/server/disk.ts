import { isUnknown } from '../../../core/condition.ts'
import { act, type Plan, wait } from '../../../core/plan.ts'
import { isArmed } from './attempt.ts'
import { runs } from './facts.ts'
import { ended } from './note.ts'
import type { MachineThere, Seen } from './seen.ts'
import { attemptLife, believed, comesUp, nowAndThen, often, soon } from './timing.ts'
import { interrupted, wasReset } from './unexpected.ts'
import type { Verb } from './verbs.ts'

/** Watches a machine that boots its disk, until its system is seen or its time is over. */
export function watchDisk(seen: Seen, machine: MachineThere, boot: NonNullable<Seen['boot']>): Plan<Verb> {
  const reset = machine.evidence?.lastResetTime
  if (machine.power === 'Off' && machine.powerFor >= believed) return interrupted(seen, machine, boot, 'it went off')
  if (machine.power !== 'On') return wait(`it is ${machine.power}`, soon)
  // Some BMCs stamp the reset of a switch-on a while after it.
  if (wasReset(boot, machine)) {
    if (boot.stepAge >= comesUp / 4) return interrupted(seen, machine, boot, 'it was reset')
    return wait('its BMC has noted the reset of its switch-on', soon, { status: { boot: { reset } } })
  }
  const started = runs(machine)
  if (started) return done('its system runs', machine, boot)
  // Without a word about the boot, what can be seen is that the override was used up and the machine stayed on.
  if (started === undefined && machine.armed?.lasts === 'Disabled' && boot.stepAge >= comesUp)
    return done('it took the override and stayed on', machine, boot)
  if (boot.age < attemptLife) return wait('waits for its system to run', often)
  const because = 'nothing shows that it booted its disk'
  return wait(because, nowAndThen, {
    status: { ...ended('NoEvidence', because, reset), conditions: [isUnknown('BootOverrideHonoured', 'NotSeen', because)] },
  })
}

function done(because: string, machine: MachineThere, boot: NonNullable<Seen['boot']>): Plan<Verb> {
  const status = ended('Started', because, machine.evidence?.lastResetTime)
  const message = `boot ${boot.attempt} is done: ${because}`
  return isArmed(machine.armed, 'Hdd') ? act(message, [{ do: 'disarm' }], { status }) : wait(message, nowAndThen, { status })
}
