import type { Clock } from '../../ports/index.ts'

/** Every clock's `sleep` follows from its `after`. */
export const sleeping =
  (after: Clock['after']): Clock['sleep'] =>
  (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason)
        return
      }
      const abort = (): void => {
        cancel()
        reject(signal?.reason)
      }
      const cancel = after(ms, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      signal?.addEventListener('abort', abort, { once: true })
    })
