import { isFalse } from '../../../core/condition.ts'
import { act, type Plan, wait } from '../../../core/plan.ts'
import { isProvisioned } from '../../../policy/boot/evidence.ts'
import { arm, isArmed } from './attempt.ts'
import { type BootFacts, factsOf } from './facts.ts'
import { ended } from './note.ts'
import type { MachineThere, Seen, SeenConfiguration } from './seen.ts'
import { attemptLife, believed, comesUp, nowAndThen, often, soon } from './timing.ts'
import { interrupted } from './unexpected.ts'
import type { Verb } from './verbs.ts'

type Open = NonNullable<Seen['boot']>

interface View {
  readonly seen: Seen
  readonly machine: MachineThere
  readonly boot: Open
  readonly configuration: SeenConfiguration
  readonly facts: BootFacts
}

/** Watches a machine that booted from the network: what it fetched and reported, its provisioning, and the installer's own reboot. */
export function watchInstall(seen: Seen, machine: MachineThere, boot: Open, configuration: SeenConfiguration): Plan<Verb> {
  const facts = factsOf(machine, boot, configuration)
  const view: View = { seen, machine, boot, configuration, facts }
  const plan = over(view) ?? power(view) ?? provisioned(view) ?? installerDone(view) ?? restarted(view) ?? leftover(view) ?? goesOn(view)
  return remembering(view, plan)
}

/** What was seen once stays known, in whatever is written next: that a system ran, and that it needs no more artefacts. */
function remembering({ boot, facts, machine }: View, plan: Plan<Verb>): Plan<Verb> {
  const told = (plan.status['boot'] ?? {}) as Readonly<Record<string, unknown>>
  const noted = {
    ...(facts.runs && !boot.ran ? { ran: true } : {}),
    ...(boot.serves && facts.allServed && (facts.runs || facts.reported) ? { serves: false } : {}),
    // Some BMCs stamp the reset of a switch-on a while after it.
    ...(settles(boot, facts) ? { reset: machine.evidence?.lastResetTime } : {}),
  }
  return Object.keys(noted).length === 0 ? plan : { ...plan, status: { ...plan.status, boot: { ...noted, ...told } } }
}

const settles = (boot: Open, facts: BootFacts): boolean =>
  facts.wasReset && !boot.ran && !facts.artifactServed && boot.stepAge < comesUp / 4

function over(view: View): Plan<Verb> | undefined {
  const { machine, boot, configuration, facts } = view
  const reset = machine.evidence?.lastResetTime
  // A whole installation may pass while nobody leads: it is marked before it is called done, or its next boot would install again.
  const unmarked = (): Plan<Verb> | undefined => provisioned(view)
  if (facts.installedReported) return unmarked() ?? done(boot, 'the installed system reported its boot', reset)
  if (facts.wasReset && !settles(boot, facts) && facts.runs && (boot.next === 'Hdd' || boot.ran))
    return unmarked() ?? done(boot, 'the installed system runs', reset)
  if (configuration.policy.boot === 'Network' && (facts.artifactServed || configuration.external) && (facts.runs || facts.reported))
    return wait(`boot ${boot.attempt} is done: the system runs`, nowAndThen, { status: ended('Started', 'the system runs', reset) })
  if (boot.age < attemptLife) return undefined
  const complete = configuration.provisioned === 'yes'
  const because = complete
    ? 'its time is over'
    : `after ${attemptLife / 60_000} minutes nothing shows that it booted what it was told: it is not booted again by itself`
  return wait(because, nowAndThen, { status: ended(complete ? 'Closed' : 'NoEvidence', because, reset) })
}

const done = (boot: Open, because: string, reset: string | undefined): Plan<Verb> =>
  wait(`boot ${boot.attempt} is done: ${because}`, nowAndThen, {
    status: ended('Installed', because, reset),
    events: [{ type: 'Normal', reason: 'Installed', message: because }],
  })

/** Off without having been told to be. An installer that reported its end may end so: then its disk is armed, and it is switched on. */
function power(view: View): Plan<Verb> | undefined {
  const { seen, machine, boot, configuration } = view
  if (machine.power === 'On') return undefined
  if (machine.power !== 'Off') return wait(`it is ${machine.power}`, soon)
  if (machine.powerFor < believed) return wait('it is off, which nobody here asked for', soon)
  if (boot.next !== 'Hdd') return interrupted(seen, machine, boot, 'it went off')
  if (!isArmed(machine.armed, 'Hdd'))
    return act('arms the disk: the installer is done, and has switched it off', [arm('Hdd', configuration)])
  return act('the installer is done: it is switched on to boot its disk', [{ do: 'switchOn' }], { again: often })
}

/** A reset from within: where a report armed the disk it is on its way there; otherwise it is answered once, if it was the system's own. */
function restarted(view: View): Plan<Verb> | undefined {
  const { seen, machine, boot, configuration, facts } = view
  if (!facts.wasReset || settles(boot, facts)) return undefined
  const bySystem = boot.next === 'Hdd' || (facts.artifactServed && boot.ran === true && configuration.level !== 'PowerOn')
  if (!bySystem) return interrupted(seen, machine, boot, 'it was reset before its system was seen running')
  const comes = machine.resetFor < comesUp || machine.evidence?.inPost === true
  if (comes) return wait(boot.next === 'Hdd' ? 'it restarts from its disk' : 'its system has reset it: waits for what it boots', often)
  const last = machine.evidence?.lastResetTime
  // Noted before it was done: where the machine was not reset since, it was not done.
  const answered = boot.cycled && (last === undefined || boot.answered !== last)
  if (answered || facts.runs === undefined) return interrupted(seen, machine, boot, 'its system has reset it, and nothing runs since')
  return act(
    'its system has reset it and nothing runs: it is switched off and on once, to boot its disk',
    [arm('Hdd', configuration), { do: 'switchOff', how: 'forced' }],
    { status: { boot: { cycled: true, answered: last ?? null, next: 'Hdd' } }, again: soon },
  )
}

function provisioned({ configuration, facts, boot }: View): Plan<Verb> | undefined {
  const { provisioned: mark, level, namespace, name, uid, revision } = configuration
  if (mark !== 'no') return undefined
  const evidence = { poweredOn: true, artifactServed: facts.artifactServed, bootReported: facts.reported }
  const { done: enough, because } = isProvisioned(level, evidence)
  if (!enough) return undefined
  const message = `boot ${boot.attempt} provisioned it: ${because}`
  return act(message, [{ do: 'markProvisioned', namespace, name, uid, revision }], {
    events: [{ type: 'Normal', reason: 'Provisioned', message }],
  })
}

/** The installer said that it is done and will restart, or does so already: the disk is armed for that, and only now. */
function installerDone({ machine, boot, configuration, facts }: View): Plan<Verb> | undefined {
  if (!facts.installed || configuration.level === 'PowerOn' || configuration.policy.boot !== 'Hdd') return undefined
  // Once it has restarted, what was armed is used up, or came too late.
  if (boot.next === 'Hdd' && (facts.wasReset || isArmed(machine.armed, 'Hdd'))) return undefined
  return act('the installer is done: its disk is armed for the restart', [arm('Hdd', configuration)], { status: { boot: { next: 'Hdd' } } })
}

/** An override for one boot that is still there although its boot was served would boot the network again. */
function leftover({ machine, boot, facts }: View): Plan<Verb> | undefined {
  if (boot.next === 'Hdd' || !facts.artifactServed || !isArmed(machine.armed, boot.method)) return undefined
  return act('what it was told for one boot is still armed after it: it is taken back', [{ do: 'disarm' }])
}

function goesOn({ boot, facts, configuration }: View): Plan<Verb> {
  if (configuration.external) return wait('it is on; what another boot server serves it is not seen from here', often)
  if (boot.next === 'Hdd') return wait('waits for the installer to restart it', often)
  if (facts.artifactServed) return wait(facts.reported ? 'its system runs and has reported' : 'it has fetched its image', often)
  if (facts.runs !== true) return wait('waits for it to fetch its image', often)
  const because = `something runs, and it has not fetched its image: it did not boot by ${boot.method}`
  return wait(
    because,
    often,
    boot.stepAge < comesUp ? {} : { status: { conditions: [isFalse('BootOverrideHonoured', 'NotSeen', because)] } },
  )
}
