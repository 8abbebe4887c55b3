import { printInstant } from '../../core/instant.ts'
import { loadConnection } from '../../kube/index.ts'
import { wallClock } from '../../net/wall-clock.ts'
import type { Options } from '../catalogue/command.ts'
import { runJob } from '../job/run.ts'
import { stopSignal } from '../stop-signal.ts'

/** What a pod of a Job runs: one program, told by its environment what it works for. Its exit code says how it ended. */
export async function job(options: Options, program = ''): Promise<number> {
  const over = new AbortController()
  void stopSignal().then(why => over.abort(new Error(`asked to end: ${why}`)))
  const file = options['kubeconfig']
  const connection = await loadConnection(typeof file === 'string' ? { file } : {})
  const speed = Number(options['speed'] ?? 1)
  const pace = speed === 1 ? {} : { pace: (await import('../../sim/clock/hurried.ts')).hurriedClock(wallClock, speed) }
  const say = (line: string): void => console.log(`${printInstant(wallClock.now())} ${line}`)
  try {
    return await runJob({ program, env: process.env, connection, signal: over.signal, ...pace, say })
  } finally {
    // The line to the host that started it, where there is one, would keep this process alive.
    if (process.connected) process.disconnect()
  }
}
