import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type Millis, seconds } from '../core/duration.ts'
import type { Clock } from '../ports/index.ts'
import type { JobExecutor, RunOrder } from '../ports/jobs.ts'
import { type ExecutorOptions, openExecutor } from './executor.ts'

export interface Access {
  /** Added to the environment of the run: how it finds the API. */
  readonly env: Readonly<Record<string, string>>
  /** When the run is over. */
  forget(): void
}

export interface ForkOptions {
  readonly clock: Clock
  /** The program and what comes before the name of the Job's program: `node main.ts job`. */
  readonly command: readonly [program: string, ...args: string[]]
  /** Where a run finds the API and its token; what it lays down is taken away afterwards. */
  access(order: RunOrder): Access
  readonly atOnce?: number
  readonly grace?: Millis
  heard?: ExecutorOptions['heard']
}

export interface ForkExecutor extends JobExecutor {
  close(): Promise<void>
}

const killed = 137

/** Runs each try in a process of its own, as a pod would: what it does to its memory or its globals stays with it. */
export function forkExecutor({ clock, command, access, atOnce = 4, grace = seconds(30), heard }: ForkOptions): ForkExecutor {
  const children = new Set<{ kill(): void; readonly over: Promise<void> }>()
  const [program, ...args] = command
  const executor = openExecutor({
    atOnce,
    heard,
    begin(order, { said, ended }) {
      const { env, forget } = access(order)
      // Nothing of this process' own environment but where programs and temporary files are.
      const inherited = Object.fromEntries(
        ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_EXTRA_CA_CERTS'].flatMap(n => (process.env[n] ? [[n, process.env[n]]] : [])),
      )
      const child = spawn(program, [...args, order.program], {
        env: { ...inherited, ...order.env, ...env },
        // By the fourth it hears when this process is gone, so that no run goes on beside its successor.
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      })
      for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream }).on('line', said)
      let cancel = (): void => {}
      const over = new Promise<void>(resolve => {
        const end = (code: number): void => {
          cancel()
          children.delete(entry)
          forget()
          ended(code)
          resolve()
        }
        child.on('error', error => {
          said(`The process cannot be started: ${error.message}`)
          end(killed)
        })
        child.on('close', code => end(code ?? killed))
      })
      const entry = { kill: () => void child.kill('SIGKILL'), over }
      children.add(entry)
      return {
        stop() {
          child.kill('SIGTERM')
          cancel = clock.after(grace, entry.kill)
        },
      }
    },
  })
  return {
    ...executor,
    async close() {
      executor.shut()
      for (const child of children) child.kill()
      await Promise.all([...children].map(({ over }) => over))
    },
  }
}
