import { fork } from 'node:child_process'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startEmbedded } from '../src/cli/embedded.ts'
import { homeAt, prepareHome } from '../src/cli/home.ts'
import { silent } from '../src/ports/index.ts'
import type { Benchmark } from './result.ts'
import { inFolder } from './things.ts'

/** How long bad input holds the event loop of the server that refuses it: the server here, its senders in a process of their own. */
const benchmark: Benchmark = {
  name: 'hostile',
  run: () =>
    inFolder(async directory => {
      const home = homeAt({ home: join(directory, 'home') })
      prepareHome(home)
      const embedded = await startEmbedded({ home, host: '127.0.0.1', port: 0, log: silent })
      try {
        const quiet = await delayDuring(() => sender(embedded.kubeconfig, 'plain'))
        const loaded = await delayDuring(() => sender(embedded.kubeconfig, 'hostile'))
        const figure = (name: string, ours: number, baseline: number, atMost: number) => ({
          name,
          ours,
          baseline,
          unit: 'ms',
          target: { atMost, of: 'ours' as const },
        })
        return [
          figure('event-loop delay p99 under bad input, against good', loaded.p99, quiet.p99, 50),
          figure('event-loop delay at most under bad input, against good', loaded.max, quiet.max, 1_000),
        ]
      } finally {
        await embedded.close()
      }
    }),
}
export default benchmark

async function delayDuring(work: () => Promise<void>): Promise<{ readonly p99: number; readonly max: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await work()
  delay.disable()
  return { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 }
}

const sender = (kubeconfig: string, mode: string): Promise<void> =>
  new Promise((resolve, reject) => {
    fork(join(import.meta.dirname, 'hostile-sender.ts'), [kubeconfig, mode]).once('exit', code =>
      code === 0 ? resolve() : reject(new Error(`the sender ended with ${code}`)),
    )
  })
