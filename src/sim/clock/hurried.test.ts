import { expect, it } from 'vitest'
import { seconds } from '../../core/duration.ts'
import { hurriedClock } from './hurried.ts'
import { firstInstant, virtualClock } from './virtual.ts'

it('a hurried clock lets waits and spans pass faster, and the date as it is', async () => {
  const wall = virtualClock()
  const clock = hurriedClock(wall, 20)
  const fired: number[] = []
  clock.after(seconds(60), () => fired.push(wall.elapsed()))
  void clock.sleep(seconds(100)).then(() => fired.push(wall.elapsed()))
  const cancel = clock.after(seconds(40), () => expect.fail('it fired'))
  cancel()
  do await wall.settle()
  while (wall.advance(seconds(10)))
  expect(fired).toEqual([seconds(3), seconds(5)])
  expect([clock.elapsed(), clock.now()]).toEqual([seconds(200), firstInstant + seconds(10)])
})
