import { fileURLToPath } from 'node:url'
import { forkExecutor } from '../../jobs/forks.ts'
import { jobHost, jobs } from '../../jobs/host/index.ts'
import { openSweeper } from '../../jobs/host/sweep.ts'
import { requestToken } from '../../jobs/host/token.ts'
import { jobPrograms } from '../../jobs/programs/index.ts'
import { threadExecutor } from '../../jobs/threads.ts'
import type { Connection } from '../../kube/index.ts'
import type { Clock, Ids, Kube, Log } from '../../ports/index.ts'
import type { JobExecutor } from '../../ports/jobs.ts'
import { openControllers } from '../../runtime/index.ts'
import { kubeconfigIn } from '../job/fork.ts'
import { type JobLogs, openJobLogs } from '../job/log-files.ts'
import type { ThreadData } from '../job/thread.ts'
import { ensureJobAccess } from './job-access.ts'

export interface JobHostOptions {
  readonly kube: Kube
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly identity: string
  /** Where programs find the API; each comes with a token of its own. */
  readonly api: Omit<Connection, 'login'>
  /** References of the image that this program is. */
  readonly images: readonly string[]
  /** Each run in a process of its own instead of a thread. */
  readonly isolate: boolean
  /** Where processes find their kubeconfigs. */
  readonly folder: string
  /** Where what Jobs say is kept. */
  readonly logFolder: string
  /** How much faster than real ones the machines are. */
  readonly speed: number
}

export interface JobHost {
  /** What the tries of a Job said, oldest first; undefined where there is no such Job. */
  logs(namespace: string, name: string): Promise<readonly string[] | undefined>
  close(): Promise<void>
}

type Executor = JobExecutor & { close(): Promise<void> }

/** Runs the Jobs of the embedded API. */
export async function openJobHost(options: JobHostOptions): Promise<JobHost> {
  const { kube, clock, ids, log, identity, images } = options
  await ensureJobAccess(kube)
  const kept = await openJobLogs(options.logFolder)
  const executor = options.isolate ? inProcesses(options, kept.say) : inThreads(options, kept.say)
  const sweeper = openSweeper(kube, clock, executor)
  const controllers = openControllers({ kube, clock, ids, log, identity })
  controllers.add(own =>
    jobHost({ kube: own, executor, images, programs: jobPrograms, token: requestToken(kube), started: sweeper.started }),
  )
  controllers.start()
  return {
    async logs(namespace, name) {
      const job = await kube.find(jobs, { namespace, name })
      if (!job) return undefined
      const tries = Array.from({ length: (job.status?.failed ?? 0) + 1 }, (_, n) => ({ job: job.metadata.uid ?? '', attempt: n + 1 }))
      return (await Promise.all(tries.map(run => kept.read(run)))).flat()
    },
    async close() {
      sweeper.close()
      await controllers.stop()
      await executor.close()
      await kept.close()
    },
  }
}

function inThreads({ clock, api, speed }: JobHostOptions, heard: JobLogs['say']): Executor {
  const data: ThreadData = { api, speed }
  return threadExecutor({ entry: sibling('../job/thread'), clock, data, heard })
}

function inProcesses({ clock, api, folder, speed }: JobHostOptions, heard: JobLogs['say']): Executor {
  const main = fileURLToPath(sibling('../../main'))
  const args = speed === 1 ? [] : ['--speed', String(speed)]
  return forkExecutor({
    clock,
    heard,
    command: [process.execPath, main, 'job', ...args],
    access: order => kubeconfigIn(folder, api, order),
  })
}

/** Sources run as they are, and built ones are JavaScript. */
const sibling = (path: string): URL => new URL(`${path}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
