import type { Instant } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { act, idle, type Plan, wait } from '../../../core/plan.ts'
import { nextBoot } from '../../../policy/boot/next-boot.ts'
import { arm, carry, isArmed } from './attempt.ts'
import { begin } from './boots.ts'
import { earlierBoots } from './earlier.ts'
import { factsOf } from './facts.ts'
import { type BootOrder, ended, isOf, isOpen, newNote } from './note.ts'
import { forcedOff } from './operations.ts'
import type { MachineThere, Seen } from './seen.ts'
import { stop } from './stop.ts'
import { withMachine } from './there.ts'
import { attemptLife, believed, comesUp, nowAndThen, often, soon, surely } from './timing.ts'
import { wasReset } from './unexpected.ts'
import type { Verb } from './verbs.ts'

/** Somebody works on it: it boots what that one says, whenever it boots, until the work is over. */
export const maintenance = (seen: Seen, now: Instant): Plan<Verb> =>
  withMachine(seen, machine => {
    const { maintenance: held } = seen
    // Also where the work is over: a machine that is cut off while it is flashed may never come back.
    if (machine.busy && machine.power !== 'Off') return wait('its firmware is being updated: nothing is switched or armed meanwhile', often)
    const forced = forcedOff(seen, machine, 'somebody asked for it', now)
    if (forced) return forced
    if (held?.is !== 'there') return ends(seen, machine, now)
    if (held.power === 'Off') return off(seen, machine, now)
    return held.boots ? boots(seen, machine, now) : power(seen, machine, now)
  })

function off(seen: Seen, machine: MachineThere, now: Instant): Plan<Verb> {
  if (machine.power !== 'Off') return stop(seen, machine, 'its maintenance wants it off', now)
  if (isOpen(seen.boot)) return wait('it is off', 0, { status: ended('SwitchedOff', 'its maintenance wants it off') })
  if (machine.armed && machine.armed.lasts !== 'Disabled') return act('it is off, and nothing stays armed', [{ do: 'disarm' }])
  return wait('it is off, as its maintenance wants it', nowAndThen)
}

/** Without a template nothing is told to the machine but its power; what somebody else's boot had armed for it least of all. */
function power({ maintenance: held, boot }: Seen, machine: MachineThere, now: Instant): Plan<Verb> {
  if (held?.power !== 'On' || machine.power === 'On') return wait('it is worked on', nowAndThen)
  if (machine.power !== 'Off' || machine.powerFor < believed) return wait(`it is ${machine.power}`, soon)
  if (isOpen(boot)) return wait('it is off', 0, { status: ended('SwitchedOff', 'its maintenance has begun') })
  if (machine.armed?.lasts !== 'Disabled') return act('nothing stays armed: its maintenance boots nothing', [{ do: 'disarm' }])
  const because = 'its maintenance wants it on'
  // Noted, so that it is known at the end whose doing it was.
  return act(because, [{ do: 'switchOn' }], { status: { starting: { asked: printInstant(now), because }, stopping: null }, again: often })
}

function boots(seen: Seen, machine: MachineThere, now: Instant): Plan<Verb> {
  const { configuration, boot } = seen
  if (!configuration || configuration.deleting) return idle('waits for its maintenance to say what it boots')
  if (isOpen(boot) && (!isOf(boot, configuration) || boot.configuration?.generation !== configuration.generation)) {
    const because = 'what it shall boot has changed: a maintenance has it'
    return act(because, machine.armed?.lasts === 'Disabled' ? [] : [{ do: 'disarm' }], { status: ended('Superseded', because), again: 0 })
  }
  if (configuration.state !== 'Ready') return idle(configuration.problem ?? 'waits for the image of its maintenance')
  const next = nextBoot({ is: 'maintenance', policy: configuration.policy })
  if (next.is === 'hold') return idle(next.because)
  const order: BootOrder = { purpose: 'Maintenance', method: next.method, configuration, because: next.because, life: attemptLife }
  if (isOpen(boot)) return boot.step === 'Running' ? works(seen, machine, boot, order, now) : carry(seen, machine, boot, configuration, now)
  if (machine.power === 'Off') return begin(seen, order, now)
  return stop(seen, machine, 'its maintenance boots an image of its own', now)
}

/** It runs the image of its maintenance. As soon as one boot has used up what was armed, the next is armed: it may restart at any moment. */
function works(seen: Seen, machine: MachineThere, boot: NonNullable<Seen['boot']>, order: BootOrder, now: Instant): Plan<Verb> {
  const { configuration, method } = order
  if (method.name === 'VirtualMedia') return fromDisc(seen, machine, boot, now)
  if (machine.power === 'Off') {
    if (machine.powerFor < believed) return wait('it is off, which nobody here asked for', soon)
    return wait('it went off: it is booted again', 0, { status: ended('SwitchedOff', 'it went off') })
  }
  if (machine.power !== 'On') return wait(`it is ${machine.power}`, soon)
  const facts = factsOf(machine, boot, configuration)
  const started = facts.artifactServed || facts.reported || (configuration.level === 'PowerOn' && machine.armed?.lasts === 'Disabled')
  const armed = isArmed(machine.armed, method.name)
  if ((started && machine.armed?.lasts === 'Disabled') || (armed && boot.age >= attemptLife / 2)) return again(seen, machine, order, now)
  if (started || armed) return wait(armed ? 'it is worked on, and its next boot is armed' : 'it is worked on', nowAndThen)
  const reset = machine.evidence?.lastResetTime
  // Whoever noted a boot in a running machine and could not arm it, or was told that it is armed and it is not.
  if (boot.standby && !wasReset(boot, machine))
    return act(`${method.name} is armed for its next boot`, [arm(method.name, configuration)], {
      status: { boot: { reset: reset ?? null } },
    })
  if (boot.age < attemptLife) return wait('waits for it to fetch the image of its maintenance', often)
  return stop(seen, machine, `nothing shows that it booted the image of its maintenance within ${attemptLife / 60_000} minutes`, now)
}

/** A disc that a running system may read from is not changed under it: where it has restarted, it is switched off and booted anew. */
function fromDisc(seen: Seen, machine: MachineThere, boot: NonNullable<Seen['boot']>, now: Instant): Plan<Verb> {
  if (machine.power === 'Off') {
    if (machine.powerFor < believed) return wait('it is off, which nobody here asked for', soon)
    return wait('it went off: it is booted again', 0, { status: ended('SwitchedOff', 'it went off') })
  }
  if (machine.power !== 'On') return wait(`it is ${machine.power}`, soon)
  if (wasReset(boot, machine) && machine.resetFor >= comesUp)
    return stop(seen, machine, 'it restarted: its maintenance boots its own image', now)
  return wait('it is worked on', nowAndThen)
}

/** Notes the next boot while the machine runs, and arms it. */
function again(seen: Seen, machine: MachineThere, order: BootOrder, now: Instant): Plan<Verb> {
  const reset = machine.evidence?.lastResetTime ?? null
  const note = { ...newNote(seen, order, now), step: 'Running', standby: true, reset }
  const because = `boot ${note.attempt} is armed: whenever it restarts, it boots its maintenance’s image`
  return act(because, [arm(order.method.name, order.configuration)], { status: { boot: note, ...earlierBoots(seen) } })
}

/** The work is over. What was booted for it is stopped; then the server is let go, and whoever has it goes on. */
function ends(seen: Seen, machine: MachineThere, now: Instant): Plan<Verb> {
  const why = 'its maintenance is over'
  const { boot, maintenance: held } = seen
  const worked = boot?.purpose === 'Maintenance' || seen.starting !== undefined
  const ours = worked && seen.stopping?.because !== why
  if (held && ours && machine.power !== 'Off') return stop(seen, machine, why, now)
  if (held && seen.stopping && machine.power !== 'Off') return stop(seen, machine, why, now)
  if (isOpen(boot) && boot.purpose === 'Maintenance') return wait(why, 0, { status: ended('SwitchedOff', why) })
  // Before the wait that follows: where its answer is lost, it must not arrive after the next boot was armed.
  if (held && worked && machine.armed?.lasts !== 'Disabled') return act('nothing stays armed', [{ do: 'disarm' }])
  if (worked && machine.power === 'Off' && machine.powerFor < surely)
    return wait('it is off; its BMC is asked once more', surely - machine.powerFor)
  if (held) return act(`${why}: it is let go`, [{ do: 'endMaintenance' }], seen.starting ? { status: { starting: null } } : {})
  return wait('the next maintenance takes it', nowAndThen)
}
