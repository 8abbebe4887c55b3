import type { Instant, Millis } from '../../core/duration.ts'
import { parseInstant } from '../../core/instant.ts'
import { sameUuid } from '../../policy/identity.ts'
import type { BmcPool } from '../../ports/bmc.ts'
import type { EngineMemory, HostOrder, Provisioner, Turn, Work } from '../../ports/provisioner.ts'
import { ramdiskFor } from '../ramdisk/built.ts'
import { type AgentLane, command, expectAgent, isExpected, lookAtAgent } from './agent-lane.ts'
import { clean } from './clean.ts'
import { dataMedia } from './data-media.ts'
import { deploy } from './deploy.ts'
import { type Answer, firmwareAnswers } from './firmware-answers.ts'
import { firmwareView } from './firmware-view.ts'
import { inspect } from './inspect.ts'
import { leave } from './leave.ts'
import { poolName } from './pool-name.ts'
import { settled } from './power.ts'
import { prepare } from './prepare.ts'
import { service } from './service.ts'
import { read, type Sight, silent, type There } from './sight.ts'
import { start, stop } from './start.ts'
import { carryOut } from './steps.ts'
import { done, failed, often, withMachine } from './turns.ts'
import { young } from './update-turn.ts'

export type { AgentLane } from './agent-lane.ts'

/** Our own engine: Redfish by the roles that servers use, too, and the protocol of Ironic's agent. Nothing else has to be installed. */
export function directEngine(pool: BmcPool, lane?: AgentLane): Provisioner {
  const answers = firmwareAnswers()
  return {
    name: 'direct',
    look: (host, work, memory, signal) => look(pool, lane, host, work, { memory, answer: answers.of(host, memory) }, signal),
    health: sight => ((sight as Sight).is === 'there' ? (sight as There).health : undefined),
    judge: (host, work, memory, sight, now) => judge(host, work, memory, sight as Sight, now, lane?.startTimeout),
    perform: (host, step, signal) =>
      step.do === 'command' && lane
        ? command(lane, host, step, signal)
        : answers.keep(host, step, () => pool.use(poolName(host), bmc => carryOut(bmc, step, signal), signal)),
    media: dataMedia(pool),
    firmware: firmwareView(pool),
    async forget(host) {
      answers.forget(host)
      lane?.desk.dismiss(host.uid)
      await pool.forget(poolName(host))
    },
  }
}

async function look(
  pool: BmcPool,
  lane: AgentLane | undefined,
  host: HostOrder,
  work: Work,
  known: { readonly memory: EngineMemory | undefined; readonly answer: Answer | undefined },
  signal: AbortSignal,
): Promise<Sight> {
  const { memory } = known
  // Whoever answers there is told no password in a language that this engine does not speak.
  if (!host.address.direct) return { is: 'silent', code: 'provisioner/not-spoken', because: notSpoken(host) }
  try {
    if (lane && isExpected(work, memory))
      await expectAgent(lane, host, memory.attempt, does => pool.use(poolName(host), does, signal), signal)
    else lane?.desk.dismiss(host.uid)
    if (lane && isExpected(work, memory) && memory.stage === 'agent') return await lookAtAgent(lane, host, work, memory, signal)
    const there = await pool.use(poolName(host), bmc => read(bmc, host, work, known, signal), signal)
    const usesRamdisk = work === 'inspect' || work === 'deploy' || work === 'clean' || (work === 'prepare' && host.raid !== undefined)
    return lane && usesRamdisk ? { ...there, ramdisk: await ramdiskFor(host, lane.ramdisks, signal) } : there
  } catch (error) {
    return silent(error)
  }
}

function judge(
  host: HostOrder,
  work: Work,
  memory: EngineMemory | undefined,
  sight: Sight,
  now: Instant,
  startTimeout: Millis | undefined,
): Turn {
  if (!host.address.direct) return failed(notSpoken(host), false)
  const stranger = strangerOf(host, sight)
  if (stranger !== undefined) return failed(stranger)
  if (isUnseen(memory, work, now))
    return { is: 'busy', because: 'its firmware is being written: nothing is switched meanwhile', again: often }
  const begun = { work, memory: stillTrue(memory, sight), now, ...(startTimeout === undefined ? {} : { startTimeout }) }
  switch (work) {
    case 'register':
      if (sight.is !== 'there') return failed(sight.is === 'silent' ? sight.because : 'its agent was asked instead of its controller')
      return done('its management controller answers', {
        powered: sight.power === 'On',
        ...(sight.uuid === undefined ? {} : { systemUUID: sight.uuid }),
      })
    case 'inspect':
      return inspect(sight, host, begun)
    case 'prepare':
      return prepare(sight, host, begun)
    case 'service':
      return settled(service(sight, host, begun), begun)
    case 'deploy':
      return deploy(sight, host, begun)
    case 'clean':
      return clean(sight, host, begun)
    case 'powerOn':
      return withMachine(sight, machine => settled(start(machine, host, begun), begun))
    case 'powerOff':
      return withMachine(sight, machine => settled(stop(machine, host, begun), begun))
    case 'letGo':
      return withMachine(sight, machine => leave(machine, host, begun))
    default:
      return work satisfies never
  }
}

const notSpoken = ({ address }: HostOrder): string => `${address.scheme} is not spoken by this engine: it needs the ironic engine`

/** An update that was begun for something else, and may not be listed yet. */
const isUnseen = (memory: EngineMemory | undefined, work: Work, now: Instant): boolean =>
  memory?.update !== undefined && memory.work !== work && memory.step === 'update' && now - (parseInstant(memory.since) ?? 0) < young

/** A drive that was emptied is not ours any more: whatever is put into it next is somebody else's. */
function stillTrue(memory: EngineMemory | undefined, sight: Sight): EngineMemory | undefined {
  if (memory?.slot === undefined || memory.step === 'insert' || sight.is !== 'there' || !sight.slots) return memory
  if (sight.slots.some(({ id, inserted }) => id === memory.slot && inserted)) return memory
  const { slot: _, ...rest } = memory
  return rest
}

/** Somebody may have put another machine into its place: that one is never touched. */
const strangerOf = ({ systemUUID, address }: HostOrder, sight: Sight): string | undefined =>
  sight.is === 'there' && systemUUID !== undefined && sight.uuid !== undefined && !sameUuid(sight.uuid, systemUUID)
    ? `another machine answers at ${address.hostname}: its UUID is ${sight.uuid}, and ${systemUUID} was registered. If that is meant, delete the host and make it anew`
    : undefined
