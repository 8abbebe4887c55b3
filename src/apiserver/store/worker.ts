import { parentPort, workerData } from 'node:worker_threads'
import { Fault } from '../../core/fault.ts'
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts'

export type Operation = 'load' | 'append' | 'compact' | 'backup' | 'close'
export type Question = { readonly id: number; readonly do: Operation; readonly with: readonly unknown[] }
export type Answer = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly fault: Pick<Fault, 'code' | 'message' | 'retry' | 'hint'> }
)
export type Opened = Pick<Connection, 'state' | 'notes'>

function serve(port: NonNullable<typeof parentPort>, options: ConnectionOptions): void {
  /** Answers with what `work` returns or throws; false after an error that leaves the connection unusable. */
  const answer = (id: number, work: () => unknown): boolean => {
    try {
      port.postMessage({ id, value: work() } satisfies Answer)
      return true
    } catch (error) {
      const { code, message, retry, hint } = error instanceof Fault ? error : new Fault('store/outcome-unknown', String(error))
      port.postMessage({ id, fault: { code, message, retry, hint } } satisfies Answer)
      return code !== 'store/outcome-unknown'
    }
  }
  answer(0, (): Opened => {
    const connection = openConnection(options)
    const idle = setTimeout(() => connection.vacuum() && idle.refresh(), 250)
    port.on('message', ({ id, do: operation, with: given }: Question) => {
      idle.refresh()
      const usable = answer(id, () => (connection[operation] as (...given: unknown[]) => unknown)(...given))
      if (usable && operation !== 'close') return
      clearTimeout(idle)
      port.removeAllListeners('message').close()
      if (!usable) connection.close()
    })
    return { state: connection.state, notes: connection.notes }
  })
}

if (parentPort) serve(parentPort, workerData as ConnectionOptions)
