import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { turn } from './clock/virtual.ts'

/** Something that will end outside the microtask queue, and who began it. */
export interface Escape {
  readonly type: string
  readonly stack: string
}

/** Looks for whatever would make a run in virtual time depend on the machine: sockets, files, timers, threads, thread-pool jobs. */
export interface Guard {
  readonly escapes: readonly Escape[]
  /** Everything that `work` begins, at once or later, is looked at. */
  watch<T>(work: () => Promise<T>): Promise<T>
  /** The one macrotask that virtual time itself needs; not looked at. */
  turn(): Promise<void>
  /** No more looking. */
  close(): void
}

/** These end within the turn that began them. */
const microtasks: readonly string[] = ['Microtask', 'TickObject', 'PROMISE', 'AsyncContextFrame']
/** One is enough to fail; some more help to see what it was. */
const enough = 20
const frames = 40

export function openGuard(): Guard {
  const inside = new AsyncLocalStorage<boolean>()
  const escapes: Escape[] = []
  const hook = createHook({
    trackPromises: false,
    init(_id, type) {
      if (microtasks.includes(type) || escapes.length >= enough || inside.getStore() !== true) return
      escapes.push({ type, stack: stackOf() })
    },
  }).enable()
  return {
    escapes,
    watch: work => inside.run(true, work),
    turn: () => inside.run(false, turn),
    close: () => void hook.disable(),
  }
}

function stackOf(): string {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = frames
  const { stack = '' } = new Error('begun here')
  Error.stackTraceLimit = before
  return stack
    .split('\n')
    .slice(1)
    .filter(line => !line.includes('node:internal/') && !line.includes('/sim/guard.ts'))
    .join('\n')
}

/** The escapes as a text that says what to do. */
export const describeEscapes = (escapes: readonly Escape[]): string =>
  escapes.map(({ type, stack }) => `${type} ends outside the microtask queue; give it a port:\n${stack}`).join('\n\n')
