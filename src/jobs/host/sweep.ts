import type { Job } from '../../api/batch/job.ts'
import { seconds } from '../../core/duration.ts'
import type { Clock, Reader } from '../../ports/index.ts'
import type { JobExecutor, RunKey } from '../../ports/jobs.ts'
import { jobs } from './index.ts'

export interface Sweeper {
  started(job: Job, run: RunKey): void
  close(): void
}

/** Stops runs whose Job was deleted: nobody else would hear of it, as the object is gone. Looks only while something runs. */
export function openSweeper(kube: Pick<Reader, 'find'>, clock: Clock, executor: JobExecutor): Sweeper {
  const going = new Map<string, { readonly name: string; readonly namespace: string; readonly uid: string; readonly run: RunKey }>()
  let cancel: (() => void) | undefined
  let closed = false
  const look = async (): Promise<void> => {
    for (const [key, { name, namespace, uid, run }] of going) {
      if (executor.state(run).is === 'ended' || executor.state(run).is === 'unknown') going.delete(key)
      else {
        const job = await kube.find(jobs, { name, namespace }).catch(() => 'unknown' as const)
        if (job !== 'unknown' && job?.metadata.uid !== uid) executor.stop(run)
      }
    }
    cancel = undefined
    if (going.size > 0 && !closed) later()
  }
  const later = (): void => {
    cancel ??= clock.after(seconds(5), () => void look())
  }
  return {
    started({ metadata }, run) {
      const { name, namespace = 'default', uid = '' } = metadata
      going.set(`${uid}/${run.attempt}`, { name, namespace, uid, run })
      if (!closed) later()
    },
    close() {
      closed = true
      cancel?.()
    },
  }
}
