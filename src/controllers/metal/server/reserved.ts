import { act, idle, type Plan, wait } from '../../../core/plan.ts'
import { carry } from './attempt.ts'
import { boots } from './boots.ts'
import { settled } from './conditions.ts'
import { watchDisk } from './disk.ts'
import { watchInstall } from './install.ts'
import { ended, isOf, isOpen } from './note.ts'
import { askedFor, forcedOff, notNow } from './operations.ts'
import { rest } from './rest.ts'
import type { MachineThere, Seen, SeenConfiguration } from './seen.ts'
import { noted, stop } from './stop.ts'
import { withMachine } from './there.ts'
import { believed, nowAndThen, seldom, soon } from './timing.ts'
import { safeStop, staysStopped } from './unexpected.ts'
import type { Verb } from './verbs.ts'

/** A claim has it: what the claim says about power and boot is what happens. */
export const reserved = (seen: Seen, now: number): Plan<Verb> =>
  withMachine(seen, machine => {
    const { claim, configuration, boot } = seen
    if (claim?.power === 'Off') return forcedOff(seen, machine, wantsOff, now) ?? notNow(seen, wantsOff) ?? off(seen, machine, now)
    if (!configuration || configuration.deleting) return idle('waits for its claim to say what it boots')
    const asked = askedFor(seen, machine, now)
    if (asked) return asked
    if (isOpen(boot)) return booting(seen, machine, boot, configuration, now)
    if (machine.power === 'Off') return isOff(seen, machine, configuration, now)
    if (seen.stopping) return stopping(seen, machine, now)
    return isOf(boot, configuration) ? rest(seen, machine, boot, configuration) : stranger(seen, machine, configuration, now)
  })

const wantsOff = 'its claim wants it off'

function off(seen: Seen, machine: MachineThere, now: number): Plan<Verb> {
  if (machine.power !== 'Off') return stop(seen, machine, wantsOff, now)
  if (isOpen(seen.boot)) return wait('it is off', 0, { status: ended('SwitchedOff', wantsOff) })
  if (machine.armed && machine.armed.lasts !== 'Disabled') return act('it is off, and nothing stays armed', [{ do: 'disarm' }])
  // Whoever switched it off, from now on its claim wants that: that it wants it on again is a command like any other.
  if (seen.configuration && !isExpected(seen, seen.configuration))
    return wait('it is off already, and its claim wants that now', seldom, {
      status: { stopping: noted('graceful', wantsOff, now), conditions: settled(seen, 'UnexpectedPowerTransition', 'WantedOff') },
    })
  return wait('it is off, as its claim wants it', seldom)
}

function booting(seen: Seen, machine: MachineThere, boot: NonNullable<Seen['boot']>, c: SeenConfiguration, now: number): Plan<Verb> {
  if (!isOf(boot, c) || boot.configuration?.generation !== c.generation) {
    const because = 'what it shall boot has changed since'
    return act(because, boot.step === 'Running' ? [] : [{ do: 'disarm' }], { status: ended('Superseded', because), again: 0 })
  }
  if (boot.step !== 'Running') return carry(seen, machine, boot, c, now)
  return boot.method === 'Hdd' ? watchDisk(seen, machine, boot) : watchInstall(seen, machine, boot, c)
}

/** Ends of a boot that were decided here: that the machine is off after them is no accident. */
const endedHere: readonly (string | undefined)[] = ['SwitchedOff', 'Superseded', 'Voided']

/** Whether its being off is as it should be before a boot: it was switched off here, or has never been on for this configuration. */
function isExpected({ stopping, boot }: Seen, configuration: SeenConfiguration): boolean {
  return stopping !== undefined || !isOf(boot, configuration) || endedHere.includes(boot.outcome)
}

function isOff(seen: Seen, machine: MachineThere, configuration: SeenConfiguration, now: number): Plan<Verb> {
  if (!isExpected(seen, configuration)) {
    if (machine.powerFor < believed) return wait('it is off, which nobody here asked for', soon)
    return staysStopped(seen) ?? wait('it went off, and nobody here asked for that', nowAndThen, safeStop(seen, machine, 'it went off'))
  }
  return boots(seen, configuration, now)
}

function stopping(seen: Seen, machine: MachineThere, now: number): Plan<Verb> {
  const note = seen.stopping!
  return stop(seen, machine, note.because, now, note.how)
}

/** It runs something that was not started for this configuration. Nothing that may be somebody's system is ever cycled for it. */
function stranger(seen: Seen, machine: MachineThere, configuration: SeenConfiguration, now: number): Plan<Verb> {
  const { boot } = seen
  const before = boot?.configuration
  const elsewhere = before !== undefined && (before.namespace !== configuration.namespace || before.name !== configuration.name)
  if (elsewhere && configuration.provisioned === 'no' && machine.powerFor >= believed)
    return stop(seen, machine, 'it was switched on before its claim had booted it', now)
  return wait('it runs, and is not cycled by itself: its next commanded power cycle boots as its policy says', nowAndThen)
}
