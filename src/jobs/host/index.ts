import { type Job, jobEnd } from '../../api/batch/job.ts'
import { seconds } from '../../core/duration.ts'
import { parseInstant } from '../../core/instant.ts'
import type { ControllerKube, ObjectKey, Reconciler, ResourceRef } from '../../ports/index.ts'
import type { JobExecutor, RunKey } from '../../ports/jobs.ts'
import { decide } from './decide.ts'
import { verdictOf } from './exit-policy.ts'
import { type HostLimits, runnableOf } from './runnable.ts'
import type { Seen, Verb } from './seen.ts'

export const jobs: ResourceRef<Job> = { group: 'batch', version: 'v1', plural: 'jobs', namespaced: true }

export interface JobHostPorts extends HostLimits {
  readonly kube: ControllerKube
  readonly executor: JobExecutor
  /** A token for a ServiceAccount, good for an hour. */
  token(account: ObjectKey, signal: AbortSignal): Promise<string>
  /** Told of every run that is started, so that those whose Job goes can be stopped. */
  started(job: Job, run: RunKey): void
}

/** Runs Jobs where there are no containers: those of this very program, with everything that a pod would have. */
export const jobHost = ({ kube, executor, token, started, ...limits }: JobHostPorts): Reconciler<Job, Seen, Verb> => ({
  name: 'job-host',
  kind: jobs,
  watches: [],
  async observe(job, { lasting }) {
    const { metadata, spec, status } = job
    const runnable = runnableOf(job, limits)
    const run = executor.state(runOf(job))
    const ended = jobEnd(job)
    const conditionIs = (type: string): string | undefined => status?.conditions?.find(one => one.type === type)?.status
    const suspended = conditionIs('Suspended')
    return {
      deleting: metadata.deletionTimestamp !== undefined,
      end: ended,
      ended: ended && endOf(job),
      ttl: spec.ttlSecondsAfterFinished === undefined ? undefined : seconds(spec.ttlSecondsAfterFinished),
      notHere: 'because' in runnable ? runnable.because : undefined,
      toldNotHere: conditionIs('Runnable') === 'False',
      suspend: spec.suspend === true,
      suspended: suspended === undefined ? undefined : suspended === 'True',
      active: (status?.active ?? 0) > 0,
      startTime: instant(status?.startTime),
      deadline: spec.activeDeadlineSeconds === undefined ? undefined : seconds(spec.activeDeadlineSeconds),
      failed: status?.failed ?? 0,
      backoffLimit: spec.backoffLimit ?? 6,
      run,
      verdict: run.is === 'ended' && !('because' in runnable) ? verdictOf(run.code, runnable.container, spec.podFailurePolicy) : undefined,
      runsFor: run.is === 'running' ? lasting(`runs ${status?.failed ?? 0}`) : 0,
      restsFor: run.is === 'unknown' ? lasting(`rests ${status?.failed ?? 0}`) : 0,
    }
  },
  decide,
  perform: {
    start: {
      async run({ attempt }, { object, signal }) {
        const runnable = runnableOf(object, limits)
        if ('because' in runnable) return
        const key = { job: object.metadata.uid ?? '', attempt }
        const { name, namespace = 'default' } = object.metadata
        const order = { ...key, name, namespace, ...runnable, token: await token({ namespace, name: runnable.account }, signal) }
        started(object, key)
        executor.start(order)
      },
    },
    stop: { run: async (_, { object }) => executor.stop(runOf(object)) },
    delete: {
      async run(_, { object, signal }) {
        const { uid } = object.metadata
        await kube.delete(jobs, object.metadata, { signal, propagation: 'Background', ...(uid === undefined ? {} : { uid }) })
      },
    },
  },
})

/** The try that is due or under way. */
const runOf = ({ metadata, status }: Job): RunKey => ({ job: metadata.uid ?? '', attempt: (status?.failed ?? 0) + 1 })

const instant = (text: string | undefined): number | undefined => (text === undefined ? undefined : parseInstant(text))

function endOf({ status }: Job): number | undefined {
  return instant(status?.completionTime ?? status?.conditions?.find(one => one.type === 'Failed')?.lastTransitionTime)
}
