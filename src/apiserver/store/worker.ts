import { parentPort, workerData } from 'node:worker_threads'
import { Fault } from '../../core/fault.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'

export type Operation = 'load' | 'append' | 'compact' | 'backup' | 'close'
export type Question = { readonly do: Operation; readonly with: readonly unknown[] }
/** One for the opening, then one for each question, in their order. */
export type Answer = { readonly value: unknown } | { readonly fault: Pick<Fault, 'code' | 'message' | 'retry' | 'hint'> }

function serve(port: NonNullable<typeof parentPort>, options: ConnectionOptions): void {
  /** Answers with what `work` returns or throws; false after an error that leaves the connection unusable. */
  const answer = (work: () => unknown): boolean => {
    try {
      port.postMessage({ value: work() } satisfies Answer)
      return true
    } catch (error) {
      const { code, message, retry, hint } = error instanceof Fault ? error : new Fault('store/outcome-unknown', String(error))
      port.postMessage({ fault: { code, message, retry, hint } } satisfies Answer)
      return code !== 'store/outcome-unknown'
    }
  }
  answer((): Pick<Connection, 'state' | 'notes'> => {
    const connection = openConnection(options)
    const idle = setTimeout(() => connection.vacuum() && idle.refresh(), 250)
    port.on('message', (question: Question) => {
      idle.refresh()
      const usable = answer(() => (connection[question.do] as (...given: unknown[]) => unknown)(...question.with))
      if (usable && question.do !== 'close') return
      clearTimeout(idle)
      port.removeAllListeners('message').close()
      if (!usable) connection.close()
    })
    return { state: connection.state, notes: connection.notes }
  })
}

if (parentPort) serve(parentPort, workerData as ConnectionOptions)
