import { type Instant, minutes } from '../../../core/duration.ts'
import { parseInstant, printInstant } from '../../../core/instant.ts'
import { act, type Plan, wait } from '../../../core/plan.ts'
import { ended, isOpen } from './note.ts'
import type { MachineThere, Seen, SeenStop } from './seen.ts'
import { asks, cannotAsk, notHeard } from './shutdown.ts'
import { forcedPatience, gracefulPatience, often, soon } from './timing.ts'
import type { Verb } from './verbs.ts'

type How = 'graceful' | 'forced'

/** Notes kept from an earlier time say nothing about a machine that somebody has switched on since. */
const old = minutes(15)
const insists = minutes(1)

/**
 * Switches a machine off: its system is asked first, and five minutes after it was heard the power is cut. Noted before it is asked, so that
 * nobody later takes the machine's being off for an accident.
 */
export function stop(seen: Seen, machine: MachineThere, why: string, now: Instant, first: How = 'graceful'): Plan<Verb> {
  const { stopping } = seen
  if (machine.power === 'PoweringOff') return wait('it is going off', soon)
  if (machine.power === 'Paused' || machine.power === 'Unknown') return wait(`its power is ${machine.power}: nothing is switched`, often)
  if (!stopping || isStale(stopping, now)) return ask(seen, first, why, now)
  if (stopping.how === 'graceful') {
    if (first === 'forced') return ask(seen, 'forced', why, now)
    if (!stopping.heard) return unheard(seen, stopping, why, now)
    if (stopping.age < gracefulPatience) return wait(`its system was asked to shut down: ${stopping.because}`, often)
    return ask(seen, 'forced', `${why}; its system did not shut down within ${gracefulPatience / 60_000} minutes`, now)
  }
  if (stopping.age < forcedPatience) return wait('its power is being cut', soon)
  // Once more, for the reason that was given first.
  return ask(seen, 'forced', stopping.because, now)
}

/** It was noted; whether it was heard is found out by asking again. Asking a system twice does no harm, cutting its power does. */
function unheard(seen: Seen, { answer, age, because }: SeenStop, why: string, now: Instant): Plan<Verb> {
  if (answer?.is === 'heard') return wait(`its system was asked to shut down: ${because}`, often, { status: { stopping: { heard: true } } })
  if (answer?.is === 'refused' && age >= gracefulPatience) {
    const cut = ask(seen, 'forced', `${why}; nobody can ask its system: ${answer.because}`, now)
    return { ...cut, status: { ...cut.status, conditions: [cannotAsk(answer.code, answer.because)] } }
  }
  const told = answer !== undefined && age >= insists ? [notHeard(seen, answer.code, answer.because)] : []
  return act(`${asks} once more to shut down`, [{ do: 'switchOff', how: 'graceful' }], {
    again: often,
    ...(told.length > 0 ? { status: { conditions: told } } : {}),
  })
}

const isStale = ({ asked, age }: SeenStop, now: Instant): boolean => age < minutes(1) && now - (parseInstant(asked) ?? now) > old

/** What is noted of a switch-off: by it the machine's being off is known later for what it is. */
export const noted = (how: How, because: string, now: Instant) => ({ how, asked: printInstant(now), because, heard: null })

function ask({ boot }: Seen, how: How, why: string, now: Instant): Plan<Verb> {
  const because = how === 'graceful' ? `${asks} to shut down: ${why}` : `cuts its power: ${why}`
  return act(because, [{ do: 'switchOff', how }], {
    status: {
      ...(isOpen(boot) ? ended('SwitchedOff', why) : {}),
      stopping: noted(how, why, now),
    },
    again: how === 'graceful' ? often : soon,
  })
}
