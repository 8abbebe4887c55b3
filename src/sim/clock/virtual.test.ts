import { expect, it } from 'vitest'
import { hours, seconds } from '../../core/duration.ts'
import { newLife } from '../life.ts'
import { processClock } from './process-clock.ts'
import type { Timeline } from './timeline.ts'
import { firstInstant, virtualClock } from './virtual.ts'

async function passes(clock: Timeline, ms: number): Promise<void> {
  const end = clock.elapsed() + ms
  do await clock.settle()
  while (clock.advance(end))
}

it('a virtual clock fires timers in the order of their times, and those of one time in the order in which they were set', async () => {
  const clock = virtualClock()
  const fired: string[] = []
  clock.after(20, () => fired.push('c'))
  clock.after(10, () => fired.push('a'))
  clock.after(10, () => {
    fired.push('b')
    clock.after(0, () => fired.push('b, at once'))
  })
  await passes(clock, 15)
  expect(fired).toEqual(['a', 'b', 'b, at once'])
  expect(clock.now()).toBe(firstInstant + 15)
  await passes(clock, 5)
  expect(fired.at(-1)).toBe('c')
})
it('time does not move before everything that can happen without it has happened', async () => {
  const clock = virtualClock()
  const seen: number[] = []
  void (async () => {
    for (let i = 0; i < 100; i++) await Promise.resolve()
    await clock.sleep(1_000)
    seen.push(clock.elapsed())
  })()
  clock.after(5, () => seen.push(clock.elapsed()))
  await passes(clock, 2_000)
  expect(seen).toEqual([5, 1_000])
})
it('a cancelled timer does not fire and is not counted', async () => {
  const clock = virtualClock()
  const cancels = Array.from({ length: 5_000 }, (_, i) => clock.after(1_000 + i, () => expect.fail('it fired')))
  for (const cancel of cancels) cancel()
  expect(clock.timers).toBe(0)
  await passes(clock, hours(1))
})
it('a sleep ends with its signal, and leaves no timer', async () => {
  const clock = virtualClock()
  const over = new AbortController()
  const slept = clock.sleep(seconds(10), over.signal).catch((error: Error) => error.message)
  over.abort(new Error('enough'))
  expect(await slept).toBe('enough')
  expect(clock.timers).toBe(0)
})
it('a world that sets timers for now for ever is told so', async () => {
  const clock = virtualClock()
  const again = (): void => void clock.after(0, again)
  again()
  expect(() => {
    for (let i = 0; i < 100_000; i++) clock.advance(1)
  }).toThrow('timers fired at')
})

it('the timers of a process are gone when it dies, and setting another one is noticed', async () => {
  const world = virtualClock()
  const life = newLife()
  const clock = processClock(world, life)
  clock.after(10, () => expect.fail('it fired'))
  life.die()
  clock.after(10, () => expect.fail('it fired'))
  await passes(world, 100)
  expect([clock.timers, world.timers, life.ghosts]).toEqual([0, 0, 1])
})
it('the timers of a process that stands still fire when it goes on, in order; what it cancels first does not', async () => {
  const world = virtualClock()
  const life = newLife()
  const clock = processClock(world, life)
  const fired: string[] = []
  clock.after(10, () => {
    fired.push('a')
    cancel()
  })
  const cancel = clock.after(20, () => fired.push('b'))
  clock.after(30, () => fired.push('c'))
  life.stop()
  await passes(world, seconds(60))
  expect(fired).toEqual([])
  life.resume()
  expect(fired).toEqual(['a', 'c'])
})
it('a jump moves the date of one process, and neither its spans nor its timers', async () => {
  const world = virtualClock()
  const clock = processClock(world, newLife())
  const fired: number[] = []
  clock.after(1_000, () => fired.push(clock.elapsed()))
  clock.jump(hours(-1))
  expect(clock.now()).toBe(firstInstant - hours(1))
  await passes(world, 2_000)
  expect(fired).toEqual([1_000])
})
