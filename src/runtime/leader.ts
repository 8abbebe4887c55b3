import { Fault } from '../core/fault.ts'

/** Whether this process is the one that acts. */
export interface Leader {
  readonly holds: boolean
  /** Throws where it is not, provably. */
  check(): void
  /** Requests under way. */
  readonly writing: number
  /** Called at every change. */
  onTurn(listener: (holds: boolean) => void): void
  start(): void
  /** Lets go, so that the next need not wait. */
  stop(): Promise<void>
}

export const notLeader = (because: string): Fault => new Fault('runtime/not-leader', `Cannot act: ${because}`)

/** For a process that nobody shares the work with: its store has a lock of its own. */
export function alwaysLeader(): Leader {
  const listeners: ((holds: boolean) => void)[] = []
  let started = false
  return {
    get holds() {
      return started
    },
    check() {
      if (!started) throw notLeader('the controllers are not running')
    },
    writing: 0,
    onTurn: listener => listeners.push(listener),
    start() {
      started = true
      for (const listener of listeners) listener(true)
    },
    async stop() {
      started = false
    },
  }
}
