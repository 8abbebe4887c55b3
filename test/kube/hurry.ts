import { wallClock } from '../../src/net/wall-clock.ts'
import type { Clock } from '../../src/ports/index.ts'

/** A clock that goes faster than the wall's since `began`: the same for every process that is given the same numbers. */
export const hurried = (speed: number, began: number): Clock => ({
  now: () => Math.round(began + (wallClock.now() - began) * speed),
  elapsed: () => wallClock.elapsed() * speed,
  after: (ms, then) => wallClock.after(ms / speed, then),
  sleep: (ms, signal) => wallClock.sleep(ms / speed, signal),
})
