import type { BmcTask } from '../../ports/bmc.ts'
import type { Answer } from './exchange.ts'
import { idOf, pathOfLocation, safePath } from './link.ts'
import { isObjection, messagesOf } from './messages.ts'
import { amount, field, known, list, part, text, texts } from './read.ts'

const going = ['New', 'Starting', 'Running', 'Suspended', 'Interrupted', 'Pending', 'Stopping', 'Service', 'Cancelling']
/** States of jobs, Redfish's and Dell's own. */
const goingJobs = [
  ...going,
  'UserIntervention',
  'Validating',
  'Continue',
  'Scheduled',
  'Scheduling',
  'Downloading',
  'Downloaded',
  'ReadyForExecution',
  'RebootPending',
  'Waiting',
  'Paused',
  'PendingActivation',
  'NotStarted',
]
const failedJobs = ['Exception', 'Killed', 'Cancelled', 'Failed', 'CompletedWithErrors', 'RebootFailed', 'Invalid', 'Terminated']

/** Of these, those that begin with the next reset, and wait for ever if nobody dares to reset the machine. */
const waiting = ['Pending', 'Scheduled', 'RebootPending', 'ReadyForExecution', 'NotStarted', 'PendingActivation']

/** Where to ask about what was begun: the Task itself before its monitor, which forgets (Lenovo: after one look); at last the words. */
export function taskAddress({ status, headers, body }: Answer): string | undefined {
  const type = text(body, '@odata.type') ?? ''
  if (/#(Task|Job|DellJob)\./.test(type)) return idOf(body)
  const location = pathOfLocation(headers['location'])
  if (location !== undefined) return location
  // Supermicro wraps the messages in an object called Accepted and names the task among their arguments.
  const accepted = part(body, 'Accepted')
  const args = [...messagesOf(body), ...messagesOf(accepted)].flatMap(message => message.args)
  for (const arg of [...args, ...texts(accepted, 'MessageArgs')]) {
    const path = safePath(arg)
    if (path !== undefined && /\/(Tasks|TaskMonitors|Jobs)\//i.test(path)) return path
  }
  return status === 202 ? idOf(body) : undefined
}

/** What a task's or a job's resource, or the answer of its monitor, says of it. */
export function taskOf({ status, body }: Answer): BmcTask {
  const state = text(body, 'TaskState') ?? text(body, 'JobState')
  if (state === undefined) {
    if (status === 202) return { state: 'Running' }
    return messagesOf(body).some(isObjection) ? { state: 'Failed', ...said(body) } : { state: 'Succeeded', ...said(body) }
  }
  const percent = amount(body, 'PercentComplete')
  return known<BmcTask>({
    state: outcome(state, text(body, 'TaskStatus') ?? text(body, 'JobStatus') ?? text(part(body, 'Status'), 'Health')),
    percent: percent === undefined ? undefined : Math.min(Math.max(percent, 0), 100),
    message: said(body).message,
  })
}

/** Whether a task does something at this moment, or may: one of a state that nobody knows is taken for such. */
export function isUnderWay(body: unknown): boolean {
  const { state } = taskOf({ status: 200, headers: {}, body })
  return (state === 'Running' || state === 'Unknown') && !waiting.includes(text(body, 'TaskState') ?? text(body, 'JobState') ?? '')
}

function outcome(state: string, health: string | undefined): BmcTask['state'] {
  if (goingJobs.includes(state)) return 'Running'
  if (failedJobs.includes(state)) return 'Failed'
  if (state !== 'Completed') return 'Unknown'
  return health === 'Critical' ? 'Failed' : 'Succeeded'
}

/** Lenovo ends a task by naming the job that goes on with it. */
export function jobBehind(body: unknown): string | undefined {
  for (const item of list(body, 'Messages')) {
    if (!(text(item, 'MessageId') ?? '').endsWith('OperationTransitionedToJob')) continue
    for (const arg of texts(item, 'MessageArgs')) {
      const path = safePath(arg)
      if (path !== undefined) return path
    }
  }
  return undefined
}

function said(body: unknown): { readonly message?: string } {
  const last = list(body, 'Messages').at(-1)
  const words = text(last, 'Message') ?? text(body, 'Message') ?? messagesOf(body).at(-1)?.text
  return words === undefined || words === '' ? {} : { message: words.slice(0, 300) }
}

export const isTask = (body: unknown): boolean => field(body, 'TaskState') !== undefined || field(body, 'JobState') !== undefined
