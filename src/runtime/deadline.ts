import type { Millis } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import type { Clock } from '../ports/index.ts'

/** How to tell each piece of work under way to stop. */
export type Running = Set<(reason: Error) => void>

/**
 * Runs work that may hang and may ignore its signal: after `ms`, or when told to stop, the signal fires and nobody waits any longer.
 * `ended` hears when the work itself is over, which may be later, or never.
 */
export function bounded<T>(
  bounds: { readonly clock: Clock; readonly running: Running; readonly ms: Millis },
  doing: string,
  work: (signal: AbortSignal) => Promise<T>,
  ended: () => void = () => {},
): Promise<T> {
  const { clock, running, ms } = bounds
  return new Promise((resolve, reject) => {
    const cut = new AbortController()
    const stop = (reason: Error): void => {
      cancel()
      cut.abort(reason)
      reject(reason)
    }
    const cancel = clock.after(ms, () => stop(new Fault('runtime/too-slow', `${doing}: no end after ${ms / 1_000} seconds`)))
    running.add(stop)
    const over = (): void => {
      cancel()
      running.delete(stop)
      ended()
    }
    begun(work, cut.signal).then(
      value => {
        over()
        resolve(value)
      },
      error => {
        over()
        reject(error)
      },
    )
  })
}

/** A throw before the first await is a rejection like any other. */
async function begun<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  return work(signal)
}
