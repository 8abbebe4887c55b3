import { hours, minutes, seconds } from '../../../core/duration.ts'
import { act, type Plan, release, wait } from '../../../core/plan.ts'
import type { Seen } from './seen.ts'
import type { Verb } from './verbs.ts'

/** A BMC that is silent may be writing: an object that is deleted waits this long for it, and no longer. */
const longest = hours(2)
/** A machine that a job left on is switched off by whoever looks after servers, once it is given back. */
const leftOn = minutes(2)

/** The job is over: the server is given back when its BMC says that nothing is being written, and the machine is off or left as it is. */
export function giveBack({ machine, server, target }: Seen): Plan<Verb> | undefined {
  if (!server?.updater?.ours) return undefined
  const { job } = server.updater
  if (machine?.is === 'silent')
    return wait(`waits for the BMC of server ${server.name}, which job ${job} has worked on: ${machine.because}`, seconds(30))
  if (machine?.busy) return wait(`the BMC of server ${server.name} is still at work for job ${job}`, seconds(30))
  if (machine && machine.power !== 'Off' && machine.onFor < leftOn && !target.deleting)
    return wait(`waits for server ${server.name} to be off after job ${job}`, seconds(30))
  return act(`job ${job} is over: server ${server.name} is given back`, [{ do: 'letGo' }])
}

/** Deleting: a job that runs is ended, what it began is waited for, and the server forgets this object. */
export function farewell(seen: Seen): Plan<Verb> {
  const { job, server, target } = seen
  if (job && (job.is === 'pending' || job.is === 'running'))
    return act(`ends job ${job.name}`, [{ do: 'deleteJob', namespace: job.namespace, job: job.name }], { again: seconds(5) })
  if (server?.updater?.ours) {
    const back = giveBack(seen)
    if (back && (back.actions.length > 0 || target.deletingFor < longest)) return back
    return act(`its BMC has been silent for ${longest / hours(1)} hours: the server is given back`, [{ do: 'letGo' }])
  }
  if (server?.refers) return act('the server forgets it', [{ do: 'unrefer' }])
  return act('nothing refers to it any more', [release])
}
