import type { Clock } from '../../ports/index.ts'
import { sleeping } from './sleep.ts'

/**
 * Waits and spans pass `speed` times as fast; the date does not, so that times in the API stay those of the wall. For controllers over
 * simulated machines that are in the same hurry: how long they wait for a machine keeps its proportion to how long machines take.
 */
export function hurriedClock(wall: Clock, speed: number): Clock {
  const after: Clock['after'] = (ms, then) => wall.after(ms / speed, then)
  return { now: () => wall.now(), elapsed: () => wall.elapsed() * speed, after, sleep: sleeping(after) }
}
