import { hours, type Millis, minutes, seconds } from '../../core/duration.ts'
import { cleanPlan, deployPlan, type Plan, restart } from '../../policy/metal3/agent-plan.ts'
import { raidPlan, tellsOfVolumes } from '../../policy/metal3/raid-plan.ts'
import type { AgentCommand } from '../../ports/ironic-agent.ts'
import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { heartbeatTimeout } from '../agent/place.ts'
import type { AgentSight } from './sight.ts'
import { type Begun, begin, done, givenFor, giveUp, note, often, pending, soon } from './turns.ts'

/** From the start of its machine to the first call of its agent. */
const callPatience = minutes(30)
/** An agent that has not called for so long is lost. */
const silence = heartbeatTimeout * 2.5
/** What takes long may wait for a person, for days: it is looked at less often then. Whoever tells of its progress wakes the host besides. */
const lookAgain = (given: Millis): Millis => (given < minutes(30) ? often : given < hours(2) ? minutes(1) : minutes(5))
/** What was asked for and does not show among its commands after this long did not arrive. */
const arrival = seconds(45)

/** What follows from what an agent says: its machine is described, its next step begins, or it has done all there is to do. */
export function agentTurn(sight: AgentSight, host: HostOrder, begun: Begun): Turn {
  const lost = lostOf(sight, begun)
  if (lost) return lost
  const { said } = sight
  if (begun.work === 'inspect' && sight.inventory) return done('its agent told what it is made of', { inventory: sight.inventory })
  if (said && 'unreachable' in said) return { is: 'busy', because: said.unreachable, again: often }
  if (begun.work === 'inspect') return giveUp(begun, 'its agent does not tell what it is made of')
  if (!said) return pending('its agent was heard', soon)
  if (sight.lacks !== undefined) return giveUp(begun, sight.lacks)
  const { plan } = begun.memory ?? {}
  if (plan === undefined) return planned(said.steps ?? [], host, begun)
  return works(said.commands, plan, begun)
}

function lostOf({ heard }: AgentSight, begun: Begun): Turn | undefined {
  if (heard?.agent)
    return heard.agent.silentFor > silence
      ? giveUp(begun, `its agent has been silent for ${minutesOf(heard.agent.silentFor)} minutes`)
      : undefined
  const waited = givenFor(begun, 'call')
  const listening = heard?.listening ?? 0
  if (waited === undefined)
    return listening > silence
      ? giveUp(begun, 'its agent is lost: it called before, and does not any more')
      : pending('waits for its agent to call again')
  return waited > (begun.startTimeout ?? callPatience) && listening > silence
    ? giveUp(begun, `no agent called within ${minutesOf(waited)} minutes after it was told to boot the ramdisk`)
    : pending('waits for its agent to call')
}

const minutesOf = (ms: number): number => Math.round(ms / minutes(1))

function planned(offered: Parameters<typeof cleanPlan>[0], host: HostOrder, begun: Begun): Turn {
  const plan = planFor(offered, host, begun)
  if ('because' in plan) return giveUp(begun, plan.because)
  return {
    is: 'progress',
    because: `its agent is to do ${plan.steps.join(', ')}`,
    again: soon,
    memory: note(begun, 'planned', { plan: plan.steps }),
  }
}

function planFor(offered: Parameters<typeof cleanPlan>[0], host: HostOrder, { work }: Begun): Plan {
  if (work === 'clean') return cleanPlan(offered)
  if (work === 'prepare') return host.raid ? raidPlan(offered, host.raid) : { because: 'there is nothing to prepare' }
  const step = host.customDeploy ?? 'write_image'
  return deployPlan(offered, { step, bootloader: host.customDeploy === undefined && host.bootMode !== 'legacy' })
}

/** One command after the other. An agent does not say what it was given, so its commands are told apart by how many there were before. */
function works(commands: readonly AgentCommand[], plan: readonly string[], begun: Begun): Turn {
  const { memory } = begun
  const [current, ...rest] = plan
  if (current === undefined) return leaves(begun)
  if (current === restart) return bootsAgain(begun, rest)
  const seen = memory?.seen ?? 0
  if (memory?.step !== 'command' || memory.command !== current) {
    if (commands.at(-1)?.status === 'RUNNING') return pending('its agent is still busy')
    return gives(begun, current, plan, commands.length)
  }
  if (commands.length < seen) return giveUp(begun, `its agent was started anew while it did ${current}`)
  const ours = commands.slice(seen).find(({ name }) => isOf(current, name))
  if (!ours) {
    const given = givenFor(begun, 'command') ?? 0
    if (given < arrival) return pending(`its agent was given ${current}`, soon)
    const tries = memory.tries ?? 1
    if (tries >= 4) return giveUp(begun, `its agent does not take ${current}`)
    return gives(begun, current, plan, commands.length, tries + 1)
  }
  if (ours.status === 'RUNNING') return pending(`its agent does ${current}`, lookAgain(givenFor(begun, 'command') ?? 0))
  if (ours.status === 'FAILED') return giveUp(begun, `its agent failed at ${current}: ${ours.error ?? 'it does not say why'}`)
  if (current === 'raid.create_configuration' && !tellsOfVolumes(ours.result))
    return giveUp(begun, `its agent did ${current}, and tells of no volume that it made`)
  const [next] = rest
  if (next === restart) return bootsAgain(begun, rest.slice(1))
  return next === undefined ? leaves(begun) : gives(begun, next, rest, commands.length)
}

const gives = (begun: Begun, command: string, plan: readonly string[], seen: number, tries?: number): Turn =>
  begin(
    begun,
    `its agent does ${command}`,
    { do: 'command', command, work: begun.work, attempt: String(begun.memory?.attempt ?? 0) },
    { plan, command, seen, ...(tries === undefined ? {} : { tries }) },
  )

/** What its agent did counts after a restart: another agent, with a token of its own, goes on with the rest. */
const bootsAgain = (begun: Begun, plan: readonly string[]): Turn => ({
  is: 'progress',
  because: 'its agent wants a restart before it goes on',
  again: soon,
  memory: { ...note(begun, 'again', { stage: 'boot', plan }), attempt: (begun.memory?.attempt ?? 0) + 1 },
})

const leaves = (begun: Begun): Turn => ({
  is: 'progress',
  because: 'its agent has done everything',
  again: soon,
  memory: note(begun, 'done', { stage: 'leave', plan: [] }),
})

/** Agents name a command without its extension, and all steps of a deployment alike. */
const isOf = (entry: string, name: string): boolean =>
  ['standby.sync', 'image.install_bootloader'].includes(entry) ? name === entry.split('.')[1] : /^execute_(deploy|clean)_step$/.test(name)
