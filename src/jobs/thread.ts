import type { MessagePort } from 'node:worker_threads'
import type { RunOrder } from '../ports/jobs.ts'
import { exitCodeOf, type RunProgram } from './run-program.ts'

export type ToThread = { readonly run: number; readonly order: RunOrder } | { readonly stop: number }
export type FromThread = { readonly run: number; readonly said: string } | { readonly run: number; readonly code: number }

/** The other side of `threadExecutor`: what a thread does with the runs that it is told of. */
export function serveRuns(port: Pick<MessagePort, 'on' | 'postMessage'>, program: RunProgram): void {
  const lives = new Map<number, AbortController>()
  const tell = (message: FromThread): void => port.postMessage(message)
  port.on('message', (message: ToThread) => {
    if ('stop' in message) return lives.get(message.stop)?.abort(new Error('the run was stopped'))
    const { run, order } = message
    const life = new AbortController()
    lives.set(run, life)
    const say = (said: string): void => tell({ run, said })
    void exitCodeOf(program, order, life.signal, say).then(code => {
      lives.delete(run)
      tell({ run, code })
    })
  })
}
