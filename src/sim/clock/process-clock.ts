import type { Millis } from '../../core/duration.ts'
import type { Clock } from '../../ports/index.ts'
import type { Life } from '../life.ts'
import { sleeping } from './sleep.ts'

/** The clock of one simulated process: its timers end with it, and its idea of the date may be wrong. */
export interface ProcessClock extends Clock {
  readonly timers: number
  /** The date moves, as when somebody sets it; spans measured with `elapsed` and running timers do not notice. */
  jump(by: Millis): void
}

export function processClock(world: Clock, life: Life): ProcessClock {
  const running = new Set<() => void>()
  let skew: Millis = 0
  const after: Clock['after'] = (ms, then) => {
    if (!life.asks()) return () => {}
    const cancel = world.after(ms, () => {
      life.deliver(() => {
        // Cancelled between coming due and being delivered: a process that stood still wakes up to both.
        if (running.delete(cancel)) then()
      })
    })
    running.add(cancel)
    return () => {
      running.delete(cancel)
      cancel()
    }
  }
  life.onDeath(() => {
    for (const cancel of running) cancel()
    running.clear()
  })
  return {
    now: () => world.now() + skew,
    elapsed: () => world.elapsed(),
    after,
    sleep: sleeping(after),
    get timers() {
      return running.size
    },
    jump(by) {
      skew += by
    },
  }
}
