import type { Millis } from '../../core/duration.ts'
import type { JsonObject } from '../../core/json.ts'
import { percentOf, type SimTask } from '../machine/tasks.ts'
import { isOn, takes } from '../misbehaviour/switches.ts'
import type { SimBmc } from './bmc.ts'
import { messageOf } from './messages.ts'
import type { Outcome } from './node.ts'
import { iso } from './resources/shape.ts'

export interface NewTask {
  readonly name: string
  readonly kind: SimTask['kind']
  readonly takes: Millis
  readonly state: SimTask['state']
}

/** BMCs remember only so many. */
const remembered = 20

export function newTask(bmc: SimBmc, { name, kind, takes: long, state }: NewTask): SimTask {
  bmc.taskCount++
  const task: SimTask = {
    id: `JID_${bmc.taskCount}`,
    name,
    kind,
    takes: long,
    state,
    begun: bmc.site.clock.now(),
    ended: undefined,
    message: '',
    stuck: false,
    job: undefined,
  }
  bmc.tasks = [...(bmc.tasks ?? []).slice(1 - remembered), task]
  return task
}

export function endTask(bmc: SimBmc, task: SimTask, state: 'Completed' | 'Exception', message: string): void {
  if (task.stuck) return
  task.state = state
  task.message = message
  task.ended = bmc.site.clock.now()
}

/** Settings jobs end with the reset that applied them. */
export function settle(bmc: SimBmc): void {
  const { machine } = bmc
  for (const task of bmc.tasks ?? [])
    if (task.kind === 'settings' && task.state === 'Pending' && machine.lastReset > task.begun && !machine.biosPending)
      endTask(bmc, task, 'Completed', 'The settings are in force.')
}

/** What a client may see of a task now; undefined where the BMC pretends that there is none. */
export function visibleTask(bmc: SimBmc, id: string): SimTask | undefined {
  settle(bmc)
  const { update } = bmc.make.personality
  const task = bmc.tasks?.find(one => one.id === id)
  const now = bmc.site.clock.now()
  if (!task) return undefined
  if (update.appearsAfter !== undefined && now - task.begun < update.appearsAfter) return undefined
  if (task.ended === undefined) return task
  if (update.forgottenAfter !== undefined && now - task.ended > update.forgottenAfter) return undefined
  return isOn(bmc.machine, 'finished-task-gone') ? undefined : task
}

const redfishState: Readonly<Record<SimTask['state'], string>> = {
  Running: 'Running',
  Pending: 'Pending',
  Completed: 'Completed',
  Exception: 'Exception',
}

export function taskResource(bmc: SimBmc, task: SimTask): JsonObject {
  const { at, personality } = bmc.make
  const now = bmc.site.clock.now()
  const percent = task.stuck ? Math.min(99, percentOf({ ...task, state: 'Running' }, now)) : percentOf(task, now)
  const moved = personality.update.becomesJob && task.kind === 'update'
  const message = moved ? messageOf('OperationTransitionedToJob', [jobPath(bmc, task)]) : messageOf(messageFor(task), [], [])
  return {
    '@odata.id': at.spell(`${at.tasks}/${task.id}`),
    '@odata.type': '#Task.v1_7_1.Task',
    Id: task.id,
    Name: task.name,
    TaskState: moved ? 'Completed' : redfishState[task.state],
    TaskStatus: task.state === 'Exception' ? 'Critical' : 'OK',
    PercentComplete: moved ? 100 : percent,
    StartTime: iso(task.begun),
    ...(task.ended === undefined ? {} : { EndTime: iso(task.ended) }),
    TaskMonitor: personality.update.monitorOf(task.id),
    Messages: [{ ...message, ...(task.message && !moved ? { Message: task.message } : {}) }],
  }
}

export const jobPath = (bmc: SimBmc, task: SimTask): string => bmc.make.at.spell(`/redfish/v1/JobService/Jobs/${task.id}`)

const messageFor = (task: SimTask) => (task.state === 'Exception' ? 'GeneralError' : task.state === 'Completed' ? 'Success' : 'Accepted')

/** 202, and where to look: in the header, in a message, or in a body that looks like an error, as the vendor does. */
export function acceptedAs(bmc: SimBmc, task: SimTask): Outcome {
  const { at, personality } = bmc.make
  const { update } = personality
  const monitor = update.monitorOf(task.id)
  if (takes(bmc.machine, 'no-location')) return { status: 202, body: {} }
  const path = at.spell(`${at.tasks}/${task.id}`)
  if (update.names === 'message-args') return { status: 202, body: { Accepted: { ...messageOf('Accepted', [path]) } } }
  if (update.names === 'error-shaped')
    return {
      status: 202,
      headers: { location: monitor },
      body: {
        error: {
          code: 'iLO.0.10.ExtendedInfo',
          message: 'See the extended information.',
          '@Message.ExtendedInfo': [{ MessageId: 'Base.1.13.Success' }],
        },
      },
    }
  return { status: 202, headers: { location: monitor, 'retry-after': '5' }, body: taskResource(bmc, task) }
}
