import type { Clock } from '../ports/index.ts'

/** The longest delay a timer takes (2^31-1 ms); longer waits are chained. */
const longest = 2_147_483_647

/** Time as the machine tells it. */
export const wallClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, then) {
    let timer: NodeJS.Timeout
    const arm = (left: number): void => {
      timer = setTimeout(() => (left > longest ? arm(left - longest) : then()), Math.min(Math.max(left, 0), longest))
    }
    arm(ms)
    return () => clearTimeout(timer)
  },
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const cancel = wallClock.after(ms, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      const abort = (): void => {
        cancel()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
    }),
}
