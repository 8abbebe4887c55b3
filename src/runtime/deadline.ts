import type { Millis } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import type { Clock } from '../ports/index.ts'

/** Runs work that may hang and may ignore its signal. */
export interface Deadlines {
  /**
   * After the time given, or when told to stop, the work's signal fires and nobody waits any longer.
   * `ended` hears when the work itself is over, which may be later, or never.
   */
  run<T>(doing: string, work: (signal: AbortSignal) => Promise<T>, ended?: () => void): Promise<T>
  /** Stops everything under way. */
  stop(reason: Error): void
}

interface Running {
  readonly doing: string
  readonly late: Millis
  stop(reason: Error): void
}

/** Everything has the same time, so what began first is late first: one timer does for all. */
export function openDeadlines(clock: Clock, ms: Millis): Deadlines {
  const running = new Set<Running>()
  let cancel: (() => void) | undefined

  function arm(wait: Millis): void {
    cancel ??= clock.after(wait, () => {
      cancel = undefined
      const now = clock.elapsed()
      for (const one of running) {
        if (one.late > now) return arm(one.late - now)
        running.delete(one)
        one.stop(new Fault('runtime/too-slow', `${one.doing}: no end after ${ms / 1_000} seconds`))
      }
    })
  }

  function over(one: Running): void {
    running.delete(one)
    if (running.size > 0) return
    cancel?.()
    cancel = undefined
  }

  return {
    run: (doing, work, ended) =>
      new Promise((resolve, reject) => {
        const cut = new AbortController()
        const one: Running = {
          doing,
          late: clock.elapsed() + ms,
          stop(reason) {
            cut.abort(reason)
            reject(reason)
          },
        }
        running.add(one)
        arm(ms)
        begun(work, cut.signal).then(
          value => {
            over(one)
            ended?.()
            resolve(value)
          },
          error => {
            over(one)
            ended?.()
            reject(error)
          },
        )
      }),
    stop(reason) {
      for (const one of [...running]) {
        over(one)
        one.stop(reason)
      }
    },
  }
}

/** A throw before the first await is a rejection like any other. */
async function begun<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  return work(signal)
}
