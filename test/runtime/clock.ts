import type { Clock } from '../../src/ports/index.ts'

/** Time that stands until it is told to move, and then goes from timer to timer. */
export interface TestClock extends Clock {
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>
  /** Moves on by `ms`, stopping at every timer on the way. */
  advance(ms: number): Promise<void>
  /** Moves the wall clock only, as an operator does who corrects it. */
  jump(ms: number): void
  readonly pending: number
}

interface Timer {
  readonly at: number
  readonly order: number
  readonly then: () => void
}

export function testClock(): TestClock {
  let elapsed = 0
  let wall = 1_800_000_000_000
  let order = 0
  const timers = new Set<Timer>()

  const after = (ms: number, then: () => void): (() => void) => {
    const timer = { at: elapsed + Math.max(0, ms), order: order++, then }
    timers.add(timer)
    return () => timers.delete(timer)
  }
  const next = (): Timer | undefined => {
    let first: Timer | undefined
    for (const timer of timers) if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer
    return first
  }
  // Every microtask has run once the loop has turned.
  const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

  return {
    now: () => wall,
    elapsed: () => elapsed,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const cancel = after(ms, resolve)
        signal?.addEventListener('abort', () => {
          cancel()
          reject(signal.reason)
        })
      }),
    settle,
    async advance(ms) {
      const end = elapsed + ms
      await settle()
      for (let timer = next(); timer && timer.at <= end; timer = next()) {
        timers.delete(timer)
        wall += timer.at - elapsed
        elapsed = timer.at
        timer.then()
        await settle()
      }
      wall += end - elapsed
      elapsed = end
    },
    jump: ms => {
      wall += ms
    },
    get pending() {
      return timers.size
    },
  }
}
