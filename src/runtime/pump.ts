import type { Millis } from '../core/duration.ts'
import type { Clock } from '../ports/index.ts'

/** Starts work, batch by batch, without keeping everybody else from the processor. */
export interface Pump {
  /** There may be something to start. */
  wake(): void
  stop(): void
}

/** After this long without a pause the rest of the process has its turn: sockets, health, the renewal of the lease. */
const slice: Millis = 10

/**
 * `start` starts one piece of work; false where there is none to start. `rests` says that there is none under way either: what comes next
 * comes after a pause anyway. In virtual time no time passes while there is work, so there is no pause.
 */
export function openPump(clock: Clock, start: () => boolean, rests: () => boolean): Pump {
  let woken = false
  let stopped = false
  let since: Millis | undefined
  let cancel: (() => void) | undefined

  function run(): void {
    woken = false
    if (stopped || cancel) return
    since ??= clock.elapsed()
    while (start()) {
      if (clock.elapsed() - since < slice) continue
      cancel = clock.after(0, () => {
        cancel = undefined
        since = undefined
        run()
      })
      return
    }
    if (rests()) since = undefined
  }

  return {
    wake() {
      if (woken || stopped) return
      woken = true
      // A microtask later, so that a batch of events is one awakening.
      void Promise.resolve().then(run)
    },
    stop() {
      stopped = true
      cancel?.()
    },
  }
}
