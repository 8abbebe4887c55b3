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
  const answer = (id: number, work: () => unknown, stop: () => void): void => {
    try {
      port.postMessage({ id, value: work() } satisfies Answer)
    } catch (error) {
      const { code, message, retry, hint } = error instanceof Fault ? error : new Fault('store/outcome-unknown', String(error))
      port.postMessage({ id, fault: { code, message, retry, hint } } satisfies Answer)
      if (code === 'store/outcome-unknown') stop()
    }
  }
  const begin = (): Opened => {
    const connection = openConnection(options)
    const idle = setTimeout(() => connection.vacuum() && idle.refresh(), 250)
    const stop = (): void => {
      clearTimeout(idle)
      port.close()
      connection.close()
    }
    port.on('message', ({ id, do: operation, with: given }: Question) => {
      idle.refresh()
      if (operation === 'close') answer(id, stop, () => {})
      else answer(id, () => (connection[operation] as (...given: unknown[]) => unknown)(...given), stop)
    })
    return { state: connection.state, notes: connection.notes }
  }
  answer(0, begin, () => {})
}

if (parentPort) serve(parentPort, workerData as ConnectionOptions)
