import type { Millis } from '../../core/duration.ts'
import { isObject } from '../../core/json.ts'
import type { OfferedStep } from '../../policy/metal3/agent-plan.ts'
import type { Bmc } from '../../ports/bmc.ts'
import type { AgentAt, AgentCalls } from '../../ports/ironic-agent.ts'
import type { EngineMemory, EngineStep, HostOrder, Papers, RamdiskLogs, Ramdisks, Work } from '../../ports/provisioner.ts'
import { commandFor } from '../agent/commands.ts'
import type { AgentDesk } from '../agent/desk.ts'
import { takesMd5 } from '../agent/image-info.ts'
import { inventoryOf } from '../agent/inventory.ts'
import { nodeOf } from '../agent/node.ts'
import type { Expected } from '../agent/place.ts'
import { ramdiskFor } from '../ramdisk/built.ts'
import { type AgentSight, wordsOf } from './sight.ts'

/** What the engine needs for everything that runs in a ramdisk. Without it, it says so. */
export interface AgentLane {
  readonly desk: AgentDesk
  readonly calls: AgentCalls
  readonly ramdisks: Ramdisks
  readonly papers: Papers
  /** Keeps what a ramdisk wrote; nobody does where it is missing. */
  readonly logs?: RamdiskLogs
  /** From the start of a machine to the first call of its agent; half an hour where it is not said. */
  readonly startTimeout?: Millis
}

/** Whether an agent may call in this try: from the moment on at which its machine is told what to boot next. */
export const isExpected = (work: Work, memory: EngineMemory | undefined): memory is EngineMemory =>
  memory?.work === work &&
  (memory.stage === 'agent' || (memory.stage === 'boot' && ['bootOnce', 'switchOn', 'restart'].includes(memory.step)))

/** Tells the desk whom to expect; a host whose hardware addresses nobody knows yet is asked for them once, through its controller. */
export async function expectAgent(
  { desk, ramdisks }: AgentLane,
  host: HostOrder,
  attempt: number,
  use: <T>(work: (bmc: Bmc) => Promise<T>) => Promise<T>,
  signal: AbortSignal,
): Promise<void> {
  const known = host.macs.length > 0 ? host.macs : desk.macs(host.uid)
  const macs = known ?? (await use(bmc => bmc.inventory.read(signal))).nics.flatMap(({ mac }) => mac?.toLowerCase() ?? [])
  const network = await networkOf(ramdisks, host, signal)
  desk.expect({
    uid: host.uid,
    attempt,
    macs,
    addresses: host.addresses ?? [],
    node: nodeOf(host),
    takesMd5: takesMd5(host.image),
    ...(network ? { network } : {}),
  })
}

async function networkOf(ramdisks: Ramdisks, host: HostOrder, signal: AbortSignal): Promise<Expected['network']> {
  if (host.address.boots !== 'Pxe' || host.systemUUID === undefined) return undefined
  const found = await ramdiskFor(host, ramdisks, signal)
  if ('missing' in found || found.kernel === undefined || found.initramfs === undefined) return undefined
  return { uuid: host.systemUUID, kernel: found.kernel, initramfs: found.initramfs, arguments: found.arguments ?? '' }
}

/** Everything that is known of an agent in this try, asked from itself where it has called. */
export async function lookAtAgent(
  lane: AgentLane,
  host: HostOrder,
  work: Work,
  memory: EngineMemory,
  signal: AbortSignal,
): Promise<AgentSight> {
  const heard = lane.desk.heard(host.uid, memory.attempt)
  if (!heard?.agent) return { is: 'agent', heard, ...(heard?.inventory ? { inventory: heard.inventory } : {}) }
  if (work === 'inspect') return inspected(lane, heard, heard.agent, signal)
  const lacks = work === 'deploy' && memory.plan === undefined ? await lacksOf(lane, host, signal) : undefined
  try {
    const steps = memory.plan === undefined ? await stepsOf(lane, host, work, heard.agent, signal) : undefined
    const commands = await lane.calls.commands(heard.agent, signal)
    if (memory.step === 'command' && commands.at(-1)?.status === 'FAILED') await keepLogs(lane, host, memory.attempt, heard.agent, signal)
    return { is: 'agent', heard, said: { commands, ...(steps ? { steps } : {}) }, ...(lacks === undefined ? {} : { lacks }) }
  } catch (error) {
    return { is: 'agent', heard, said: { unreachable: wordsOf(error) } }
  }
}

/** The machine is about to be restarted, and with it everything would go that says why. That they cannot be had changes nothing. */
async function keepLogs(
  { calls, logs }: AgentLane,
  { namespace, name }: HostOrder,
  attempt: number,
  agent: AgentAt,
  signal: AbortSignal,
): Promise<void> {
  if (!logs) return
  try {
    const said = await calls.ask(agent, 'log.collect_system_logs', {}, signal)
    const packed = isObject(said) ? said['system_logs'] : undefined
    if (typeof packed === 'string') await logs.keep({ namespace, name, attempt }, Buffer.from(packed, 'base64'))
  } catch {
    signal.throwIfAborted()
  }
}

/** What it found came by itself, or is asked for: a restart of ours in between loses nothing. */
async function inspected(
  { calls }: AgentLane,
  heard: NonNullable<AgentSight['heard']>,
  agent: AgentAt,
  signal: AbortSignal,
): Promise<AgentSight> {
  if (heard.inventory) return { is: 'agent', heard, inventory: heard.inventory }
  try {
    const found = await calls.ask(agent, 'poll.get_hardware_info', {}, signal)
    return { is: 'agent', heard, ...(isObject(found) ? { inventory: inventoryOf(found) } : {}) }
  } catch (error) {
    return { is: 'agent', heard, said: { unreachable: wordsOf(error) } }
  }
}

async function stepsOf(
  { calls }: AgentLane,
  host: HostOrder,
  work: Work,
  agent: AgentAt,
  signal: AbortSignal,
): Promise<readonly OfferedStep[]> {
  const kind = isCleaning(work) ? 'clean' : 'deploy'
  const said = await calls.ask(agent, `${kind}.get_${kind}_steps`, { node: nodeOf(host), ports: [] }, signal)
  const byManager = isObject(said) && isObject(said[`${kind}_steps`]) ? (said[`${kind}_steps`] as Record<string, unknown>) : {}
  return Object.entries(byManager)
    .flatMap(([manager, list]) => (Array.isArray(list) ? list.filter(isObject).map(step => ({ ...step, manager })) : []))
    .map(({ step, interface: part, priority, reboot_requested: restarts, manager }: Record<string, unknown>) => ({
      step: String(step),
      interface: String(part ?? 'deploy'),
      priority: Number(priority ?? 0),
      restarts: restarts === true,
      manager: String(manager),
    }))
}

/** A preparation is done by clean steps, too. */
const isCleaning = (work: string | undefined): boolean => work === 'clean' || work === 'prepare'

/** Nobody finds out after an hour of writing that a Secret is missing. */
async function lacksOf({ papers }: AgentLane, host: HostOrder, signal: AbortSignal): Promise<string | undefined> {
  try {
    await papers.of(host, signal)
    return undefined
  } catch (error) {
    return wordsOf(error)
  }
}

/** Gives the agent its next command. It must be the one that this try is about. */
export async function command(lane: AgentLane, host: HostOrder, step: EngineStep, signal: AbortSignal): Promise<void> {
  const agent = lane.desk.heard(host.uid, Number(step['attempt']))?.agent
  // It called a moment ago: the next look says what became of it.
  if (!agent) return
  const { name, params } = await commandFor(host, isCleaning(step['work']) ? 'clean' : 'deploy', step['command'] ?? '', () =>
    lane.papers.of(host, signal),
  )
  await lane.calls.begin(agent, name, params, signal)
}
