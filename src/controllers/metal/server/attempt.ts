import { isFalse, isTrue } from '../../../core/condition.ts'
import type { Instant } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { act, type Plan, wait } from '../../../core/plan.ts'
import type { BootMethod } from '../../../policy/boot/method.ts'
import { settled } from './conditions.ts'
import { earlierBoots } from './earlier.ts'
import { isInserted, isUnnamed } from './media.ts'
import { type BootOrder, ended, newNote } from './note.ts'
import type { Armed, BootNote, MachineThere, Seen, SeenConfiguration } from './seen.ts'
import { attemptLife, callsEnd, nowAndThen, often, soon, startPatience } from './timing.ts'
import { interrupted } from './unexpected.ts'
import type { Verb } from './verbs.ts'

type Open = NonNullable<Seen['boot']>

/** Begins a boot: noted first, then the machine is told what to boot. It must be off. */
export function open(seen: Seen, order: BootOrder, now: Instant, more: readonly Verb[] = []): Plan<Verb> {
  const note = newNote(seen, order, now)
  const because = `boot ${note.attempt}: ${order.because}`
  return act(because, [...disc(order.slot, order.configuration), arm(note.method, order.configuration), ...more], {
    status: {
      boot: note,
      ...earlierBoots(seen),
      stopping: null,
      conditions: settled(seen, 'UnexpectedPowerTransition', 'BootsAgain'),
    },
    events: [{ type: 'Normal', reason: 'Boots', message: because }],
  })
}

/** Carries a boot from its note to the machine being on; what runs then is another story. */
export function carry(seen: Seen, machine: MachineThere, boot: Open, configuration: SeenConfiguration, now: Instant): Plan<Verb> {
  if (boot.holder !== seen.us) return adopt(seen, boot)
  if (boot.age >= attemptLife) {
    const because = `boot ${boot.attempt} did not begin within ${attemptLife / 60_000} minutes`
    return act(because, [{ do: 'disarm' }], { status: ended('Superseded', because) })
  }
  return boot.step === 'Arming' ? readBack(seen, machine, boot, configuration, now) : start(seen, machine, boot, now)
}

/** Another process noted it. What that one asked for may still be on its way; after that, the hardware tells how far it came. */
function adopt({ us }: Seen, { holder, attempt, stepAge }: Open): Plan<Verb> {
  if (stepAge < callsEnd)
    return wait(`boot ${attempt} was begun by ${holder ?? 'somebody'}, whose calls may still arrive`, callsEnd - stepAge)
  return wait(`takes over boot ${attempt} from ${holder ?? 'somebody'}`, 0, { status: { boot: { holder: us } } })
}

function readBack(seen: Seen, machine: MachineThere, boot: Open, configuration: SeenConfiguration, now: Instant): Plan<Verb> {
  const { power, armed } = machine
  if (power === 'On' || power === 'PoweringOn')
    return interrupted(seen, machine, boot, 'it was switched on before it was told what to boot')
  if (power !== 'Off') return wait(`it is ${power}`, soon)
  if (boot.method === 'VirtualMedia' && !isInserted(machine, boot.slot)) return inserts(machine, boot, configuration)
  if (isArmed(armed, boot.method))
    return act(`${boot.method} is armed, as was read back: it is switched on`, [{ do: 'switchOn' }], {
      status: { boot: { step: 'Starting', asked: printInstant(now) }, conditions: honoured(seen) },
      again: soon,
    })
  const because = `${boot.method} shall be armed, ${wordsOf(armed)} was read back`
  // The first look after the note finds what was there before; only what is found again and again is worth a condition.
  const told = boot.stepAge < often ? [] : [isFalse('BootOverrideHonoured', 'ReadBackDiffers', because)]
  return act(because, [arm(boot.method, configuration)], { status: { conditions: told } })
}

function start(seen: Seen, machine: MachineThere, boot: Open, now: Instant): Plan<Verb> {
  const { power, armed, evidence } = machine
  if (power === 'On') {
    const because = `it is on: boot ${boot.attempt} runs`
    return wait(because, often, { status: { boot: { step: 'Running', reset: evidence?.lastResetTime ?? null } } })
  }
  if (power !== 'Off') return wait(`it is ${power}`, soon)
  if (boot.askedAge < startPatience) return wait('it was switched on and may still come', soon)
  // Off, and what was armed is gone: it was on, booted something, and is off again.
  if (!isArmed(armed, boot.method)) return interrupted(seen, machine, boot, 'it was on and is off again')
  return act('it did not come on: it is switched on once more', [{ do: 'switchOn' }], {
    status: { boot: { asked: printInstant(now) } },
    again: soon,
  })
}

/** Its disc is put in until it was read back; one that nobody can name is not booted, whatever it is. */
function inserts(machine: MachineThere, boot: Open, configuration: SeenConfiguration): Plan<Verb> {
  const verbs = [...disc(boot.slot, configuration), arm(boot.method, configuration)]
  if (!isUnnamed(machine, boot.slot) || boot.stepAge < often) return act('its disc is not in yet', verbs, { again: soon })
  const because =
    'its BMC shows that a disc is in its drive and not which one: nothing is booted from it. Another firstBoot than VirtualMedia does without'
  return act(because, verbs, { status: { conditions: [isFalse('BootOverrideHonoured', 'MediaNotShown', because)] }, again: nowAndThen })
}

const disc = (slot: string | undefined, { image }: SeenConfiguration): readonly Verb[] =>
  slot === undefined ? [] : [{ do: 'insert', slot, image }]

/** Only where it was said before that it is not so. */
const honoured = ({ server }: Seen) =>
  server.stands['BootOverrideHonoured']?.status === 'False' ? [isTrue('BootOverrideHonoured', 'ReadBack', '')] : []

const targetOf = (method: BootNote['method']): BootMethod['target'] => (method === 'VirtualMedia' ? 'Cd' : method)

export const isArmed = (armed: Armed | undefined, method: BootNote['method']): boolean =>
  armed?.target === targetOf(method) && armed.lasts === 'Once' && (method !== 'UefiHttp' || armed.address !== 'other')

export const wordsOf = (armed: Armed | undefined): string =>
  armed === undefined || armed.lasts === 'Disabled' ? 'nothing' : `${armed.raw} (${armed.lasts})`

export function arm(method: BootNote['method'], { artifacts, image, external }: SeenConfiguration): Verb {
  const target = targetOf(method)
  if (external)
    return { do: 'arm', target, ...(method === 'UefiHttp' && external.address !== undefined ? { address: external.address } : {}) }
  const uki = method === 'UefiHttp' ? artifacts.find(({ role }) => role === 'uki') : undefined
  return { do: 'arm', target, ...(uki ? { fetches: { artifact: uki, image } } : {}) }
}
