import { describe, expect, it } from 'vitest'
import { hours, minutes } from '../../src/core/duration.ts'
import { idle, wait } from '../../src/core/plan.ts'
import { testWorld, type Widget, widgetReconciler } from './world.ts'

/** What it takes to bring `count` objects to rest, to keep them there for an hour, and to find them there after a restart. */
async function counts(count: number) {
  const world = await testWorld()
  for (let n = 0; n < count; n++) await world.widget(`w-${n}`, { size: n })
  let looks = 0
  const start = async () => {
    const controllers = world.controllers()
    controllers.add(() =>
      widgetReconciler({
        observe: async (object: Widget) => {
          looks++
          return object
        },
        decide: ({ spec, status }) =>
          status?.size === spec.size ? wait('all is well', minutes(10)) : idle('', { status: { size: spec.size ?? 0 } }),
      }),
    )
    controllers.start()
    await world.clock.settle()
    expect(controllers.settled()).toBe(true)
    return controllers
  }
  const since = () => {
    const asked = world.asked.splice(0)
    const found = { looks, writes: 0, lists: 0, watches: 0, other: 0 }
    for (const { method, path } of asked) {
      if (method !== 'GET') found.writes++
      else if (path.includes('sendInitialEvents=true')) found.lists++
      else if (path.includes('watch=1')) found.watches++
      else found.other++
    }
    looks = 0
    return found
  }
  const first = await start()
  const fresh = since()
  const timers = first.activity().timers
  await world.clock.advance(hours(1))
  const hour = since()
  await first.stop()
  const second = await start()
  const restart = since()
  await second.stop()
  await world.close()
  return { fresh, timers, hour, restart }
}

describe('operation counts', () => {
  it.each([1, 10, 100, 1_000])('are exactly linear: %i objects', async count => {
    const { fresh, timers, hour, restart } = await counts(count)
    expect(fresh).toEqual({ looks: 2 * count, writes: count, lists: 1, watches: 0, other: 0 })
    expect(timers).toBe(count)
    expect(hour).toMatchObject({ looks: 6 * count, writes: 0, lists: 0, other: 0 })
    expect(restart).toEqual({ looks: count, writes: 0, lists: 1, watches: 0, other: 0 })
  })
})
