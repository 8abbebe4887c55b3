import { isFalse, isTrue } from '../../../core/condition.ts'
import { type Instant, minutes } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { act, idle, type Plan } from '../../../core/plan.ts'
import { type Candidate, nextTurn, type RolloutStep } from '../../../policy/firmware/rollout.ts'
import type { Seen, SeenServer, Verb } from './seen.ts'

/** An object for every server; first they are only scanned, then told what is wanted, a few at a time. */
export function decide(seen: Seen, now: Instant): Plan<Verb> {
  const { set, servers, surplus } = seen
  if (set.deleting) return idle('its objects go with it')
  if (set.resumeAsked) {
    const failed = servers.filter(server => candidateOf(seen, server).is === 'failed').map(({ name }) => name)
    const accepted = [...new Set([...seen.state.accepted, ...failed])].toSorted()
    return act('goes on, as asked', [{ do: 'takeOperation' }], { status: { revision: set.revision, accepted, paused: null } })
  }
  const fleet = servers.map(server => candidateOf(seen, server))
  const step = nextTurn(set.rules, fleet, seen.state)
  const actions: Verb[] = [
    ...surplus.map((member): Verb => ({ do: 'deleteMember', member })),
    ...servers
      .filter(({ member, other }) => !member && other === undefined)
      .map(({ name }): Verb => ({ do: 'createMember', server: name })),
    ...servers.flatMap(server => {
      const tell = tellOf(server, step)
      return tell.length > 0 ? tell : paceOf(server)
    }),
    ...servers.flatMap(server => maintenanceOf(seen, server)),
    // Whoever is not selected any more is given back when no job has it.
    ...seen.strays.filter(({ updating }) => !updating).map(({ server }): Verb => ({ do: 'deleteMaintenance', server })),
  ]
  return act(step.because, actions, {
    status: statusOf(seen, fleet, step, now),
    events: eventsOf(seen, step),
    ...(actions.length > 0 ? { again: 0 } : seen.strays.length > 0 ? { again: minutes(1) } : {}),
  })
}

/** What would not change anything is told at once: it needs no turn. */
function tellOf({ name, member }: SeenServer, step: RolloutStep): readonly Verb[] {
  if (!member || member.told) return []
  return (member.known && member.asWanted && member.downgrade === undefined) || step.tell.includes(name)
    ? [{ do: 'tell', member: member.name }]
    : []
}

/** Not while a job has it, which would stop at another generation; nor where it failed, which would be forgotten with one. */
const paceOf = ({ member }: SeenServer): readonly Verb[] =>
  member && !member.inPace && !member.updating && member.failure === undefined ? [{ do: 'pace', member: member.name }] : []

function candidateOf({ set }: Seen, server: SeenServer): Candidate & { readonly message?: string } {
  const { name, group, member, other } = server
  const free = isFree(server, set.maintenancePolicy !== undefined)
  const is = (what: Candidate['is'], message?: string) => ({ name, group, free, is: what, ...(message === undefined ? {} : { message }) })
  if (other !== undefined) return is('overridden', `${other} says what is wanted of it`)
  if (!member?.known) return { ...is('scanning', member?.says), mute: member?.mute === true }
  if (member.told && member.inSync) return is('as-wanted')
  if (member.told && member.failure !== undefined) return is('failed', member.failure)
  if (member.downgrade !== undefined && !set.allowDowngrade && !member.told)
    return is('held', `it would go back from ${member.downgrade}; allowDowngrade is not set`)
  if (member.told) return is('told', member.says)
  if (member.asWanted) return is('as-wanted')
  return is('different', free ? undefined : `server is ${server.state}`)
}

/** Whether an update of it can begin or goes on; a claimed server only where a maintenance may take it. */
const isFree = ({ state, claimed, member, maintenance }: SeenServer, byMaintenance: boolean): boolean =>
  member?.updating === true || maintenance !== undefined || (claimed ? byMaintenance && state === 'Reserved' : state === 'Available')

function maintenanceOf({ set }: Seen, server: SeenServer): readonly Verb[] {
  const { name, member, maintenance, claimed } = server
  const works = member?.told === true && !member.inSync && member.failure === undefined
  if (works && claimed && set.maintenancePolicy !== undefined && !maintenance)
    return [{ do: 'createMaintenance', server: name, uid: member.uid, policy: set.maintenancePolicy }]
  const over = maintenance && !maintenance.deleting && !works && !member?.updating
  return over ? [{ do: 'deleteMaintenance', server: name }] : []
}

function statusOf(seen: Seen, fleet: readonly (Candidate & { readonly message?: string })[], step: RolloutStep, now: Instant) {
  const count = (...what: readonly Candidate['is'][]): number => fleet.filter(({ is }) => what.includes(is)).length
  const paused = step.phase === 'Paused'
  const { pausedSince, pausedFor } = seen.state
  const objects = new Map(seen.servers.map(({ name, member }) => [name, member?.name]))
  const shown = fleet.filter(({ is }) => is !== 'as-wanted' && is !== 'different').slice(0, 1_000)
  return {
    phase: step.phase,
    revision: seen.set.revision,
    selected: fleet.length,
    inSync: count('as-wanted'),
    updating: count('told'),
    failed: count('failed'),
    waiting: count('different', 'scanning'),
    canaries: step.canaries,
    accepted: seen.state.accepted,
    paused: paused
      ? { since: pausedFor === step.because && pausedSince !== undefined ? pausedSince : printInstant(now), reason: step.because }
      : null,
    servers: shown.map(({ name, is, message }) => {
      const object = objects.get(name)
      return {
        name,
        state: words[is],
        ...(object === undefined ? {} : { object }),
        ...(message === undefined ? {} : { message: message.slice(0, 1_000) }),
      }
    }),
    conditions: [
      step.phase === 'Done'
        ? isTrue('InSync', 'AsWanted', '')
        : isFalse('InSync', step.phase, paused ? step.because : 'the rollout goes on'),
    ],
  }
}

const words = {
  scanning: 'Scanning',
  'as-wanted': 'InSync',
  different: 'Waiting',
  told: 'Updating',
  failed: 'Failed',
  held: 'Held',
  overridden: 'Overridden',
} as const satisfies Record<Candidate['is'], string>

const eventsOf = ({ state }: Seen, step: RolloutStep) =>
  step.phase === 'Paused' && state.pausedFor !== step.because
    ? ([{ type: 'Warning', reason: 'RolloutPaused', message: step.because }] as const)
    : []
