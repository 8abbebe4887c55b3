import { Worker } from 'node:worker_threads'
import { type Millis, seconds } from '../core/duration.ts'
import type { Clock } from '../ports/index.ts'
import type { JobExecutor, RunOrder } from '../ports/jobs.ts'
import { type ExecutorOptions, type Hearing, openExecutor } from './executor.ts'
import type { FromThread, ToThread } from './thread.ts'

export interface ThreadOptions {
  /** The module that a thread runs; it calls `serveRuns`. */
  readonly entry: URL
  readonly clock: Clock
  /** What every thread is given at its start. */
  readonly data?: unknown
  readonly threads?: number
  /** Programs mostly wait for BMCs, so that one thread carries many. */
  readonly perThread?: number
  /** How long a program may take to end when it is asked to, before its thread is ended with all that it carries. */
  readonly grace?: Millis
  heard?: ExecutorOptions['heard']
}

export interface ThreadExecutor extends JobExecutor {
  close(): Promise<void>
}

interface Thread {
  readonly worker: Worker
  readonly runs: Map<number, Hearing>
}

/** The exit code of what was killed. */
const killed = 137

/** Runs programs in threads of this process. Threads come with the first runs and stay. */
export function threadExecutor({
  entry,
  clock,
  data,
  threads = 4,
  perThread = 16,
  grace = seconds(30),
  heard,
}: ThreadOptions): ThreadExecutor {
  const pool = new Set<Thread>()
  let count = 0

  const open = (): Thread => {
    const thread: Thread = { worker: new Worker(entry, { workerData: data }), runs: new Map() }
    const gone = (why: string): void => {
      pool.delete(thread)
      for (const run of thread.runs.values()) {
        run.said(`The thread ended: ${why}`)
        run.ended(killed)
      }
      thread.runs.clear()
    }
    thread.worker.on('message', (message: FromThread) => {
      const run = thread.runs.get(message.run)
      if ('said' in message) run?.said(message.said)
      else {
        thread.runs.delete(message.run)
        run?.ended(message.code)
      }
    })
    thread.worker.on('error', error => gone(error instanceof Error ? error.message : String(error)))
    thread.worker.on('exit', code => gone(`exit code ${code}`))
    // It alone does not keep this process alive.
    thread.worker.unref()
    pool.add(thread)
    return thread
  }
  const quietest = (): Thread => {
    const [least] = [...pool].toSorted((a, b) => a.runs.size - b.runs.size)
    return least && (least.runs.size === 0 || pool.size >= threads) ? least : open()
  }
  const tell = ({ worker }: Thread, message: ToThread): void => worker.postMessage(message)

  const executor = openExecutor({
    atOnce: threads * perThread,
    heard,
    begin(order: RunOrder, { said, ended }) {
      const thread = quietest()
      const run = ++count
      let cancel = (): void => {}
      thread.runs.set(run, {
        said,
        ended(code) {
          cancel()
          ended(code)
        },
      })
      tell(thread, { run, order })
      return {
        stop() {
          tell(thread, { stop: run })
          cancel = clock.after(grace, () => void thread.worker.terminate())
        },
      }
    },
  })
  return {
    ...executor,
    async close() {
      executor.shut()
      await Promise.all([...pool].map(({ worker }) => worker.terminate()))
    },
  }
}
