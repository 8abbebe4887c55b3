import { act, type Plan, wait } from '../../../core/plan.ts'
import { ended, isOpen } from './note.ts'
import type { MachineThere, Seen } from './seen.ts'
import { startPatience, surely } from './timing.ts'
import type { Verb } from './verbs.ts'

/**
 * What is still to be done before a machine that is off may be left as it is: a switch-on that is under way, a boot that is open, something
 * armed. Undefined when nothing is.
 */
export function cleared({ boot }: Seen, machine: MachineThere, why: string): Plan<Verb> | undefined {
  if (isOpen(boot) && boot.step === 'Starting' && boot.askedAge < startPatience)
    return wait(`${why}: it was switched on a moment ago and may still come`, startPatience - boot.askedAge)
  if (isOpen(boot)) return wait(why, 0, { status: ended('SwitchedOff', why) })
  // Before the wait that follows: where its answer is lost, it must not arrive after the next boot was armed.
  if (machine.armed === undefined || machine.armed.lasts !== 'Disabled') return act('nothing stays armed', [{ do: 'disarm' }])
  return undefined
}

/** Before somebody else may have it: the same, and no reading that may be the one before. */
export function surelyCleared(seen: Seen, machine: MachineThere, why: string): Plan<Verb> | undefined {
  const before = cleared(seen, machine, why)
  if (before || machine.powerFor >= surely) return before
  return wait('it is off; its BMC is asked once more', surely - machine.powerFor)
}
