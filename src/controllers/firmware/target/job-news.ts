import { isFalse } from '../../../core/condition.ts'
import { type Instant, minutes, seconds } from '../../../core/duration.ts'
import { act, type Plan, wait } from '../../../core/plan.ts'
import type { Seen, SeenJob } from './seen.ts'
import { failed, isScan, troubleField } from './trouble.ts'
import type { Verb } from './verbs.ts'

/** What is to be done about a Job that runs or has just ended; undefined where there is none to care for. */
export function jobNews(seen: Seen, now: Instant): Plan<Verb> | undefined {
  const { job, target } = seen
  if (!job) return reported(seen, now)
  const said = target.lastJob?.name === job.name ? target.lastJob : undefined
  const over = { runningJob: null, ...(job.named ? {} : { jobs: target.counted + 1 }) }
  // The job says itself how it ended; one that is worth another try is started anew by Kubernetes as often as its runner allows.
  if (said && (said.outcome === 'Succeeded' || said.outcome === 'Refused' || said.outcome === 'Stopped'))
    return wait(`job ${job.name} is over`, 0, { status: over })
  if (job.is === 'pending' || job.is === 'running') return job.named ? runs(seen, job) : names(seen, job)
  const message =
    job.is === 'gone'
      ? 'its Job vanished before it had reported'
      : job.is === 'complete'
        ? 'its Job ended without having reported what it found'
        : (said?.message ?? job.message ?? 'its Job failed without saying why')
  const counted = failed(seen, { job: job.name, program: job.program, message, final: false }, now)
  return wait(`job ${job.name} failed: ${message}`, 0, { status: { ...over, ...counted.status }, events: counted.events })
}

/** The Job is there: only now is it named. */
const names = ({ target }: Seen, { name, namespace }: SeenJob): Plan<Verb> =>
  wait(`job ${name} was started`, 0, { status: { runningJob: { name, namespace }, jobs: target.counted + 1 } })

function runs({ target, runner }: Seen, job: SeenJob): Plan<Verb> {
  const { lastJob, counted } = target
  const far = lastJob?.name === job.name ? [lastJob.step, lastJob.progress === undefined ? undefined : `${lastJob.progress} %`] : []
  const told = far.filter(Boolean).join(', ')
  if (job.is === 'running') return wait(`job ${job.name} runs${told === '' ? '' : `: ${told}`}`, minutes(5))
  // Nothing has begun: a runner that was set right meanwhile gets the work.
  if (runner && runner.image !== job.image)
    return act(
      `job ${job.name} has not begun, and its JobRunner has changed`,
      [{ do: 'deleteJob', namespace: job.namespace, job: job.name }],
      {
        status: { runningJob: null, jobs: counted },
      },
    )
  const because = `job ${job.name} has not begun${job.message === undefined ? '' : `: ${job.message}`}`
  return wait(because, seconds(60), {
    status: job.message === undefined ? {} : { conditions: [isFalse('JobRuns', 'JobPending', because)] },
  })
}

/** A job that was named and has taken its name off: how did it end? */
function reported(seen: Seen, now: Instant): Plan<Verb> | undefined {
  const { lastJob } = seen.target
  if (!lastJob || lastJob.outcome === 'Running' || lastJob.outcome === 'Stopped') return undefined
  const field = troubleField(lastJob.program)
  const trouble = seen.target[field]
  const left = lastJob.outcome === 'Succeeded' ? stillDiffers(seen, lastJob) : undefined
  // A later try of the same Job may have succeeded.
  if (trouble?.job === lastJob.name && (lastJob.outcome !== 'Succeeded' || left !== undefined)) return undefined
  if (lastJob.outcome === 'Succeeded') {
    if (left !== undefined) {
      const message = `it says that it is done, and yet ${left}`
      const counted = failed(seen, { job: lastJob.name, program: lastJob.program, message, final: false }, now)
      return wait(`job ${lastJob.name} failed: ${message}`, 0, { status: counted.status, events: counted.events })
    }
    if (trouble?.program !== lastJob.program) return undefined
    return wait(`job ${lastJob.name} is done`, 0, { status: { [field]: null } })
  }
  const message = lastJob.message ?? 'it did not say why'
  const final = lastJob.outcome === 'Refused' && !isScan(lastJob.program)
  if (final && lastJob.generation !== undefined && lastJob.generation !== seen.target.generation) return undefined
  // What failed long ago, for another wish, was dealt with then.
  if (trouble === undefined && lastJob.generation !== undefined && lastJob.generation !== seen.target.generation) return undefined
  const counted = failed(seen, { job: lastJob.name, program: lastJob.program, message, final }, now)
  return wait(`job ${lastJob.name} failed: ${message}`, 0, { status: counted.status, events: counted.events })
}

/** What a job that says it is done has left as it was: another one at once would do the same, and the next, for ever. */
function stillDiffers({ target }: Seen, { program, generation }: NonNullable<Seen['target']['lastJob']>): string | undefined {
  const [first] = target.differences
  return first?.program === program && generation === target.generation ? first.text : undefined
}
