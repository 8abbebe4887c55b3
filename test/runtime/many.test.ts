import { expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { idle, wait } from '../../src/core/plan.ts'
import { testWorld, type Widget, widgetReconciler, widgets } from './world.ts'

const key = { name: 'a', namespace: 'default' }

it('thousands of objects are looked at at once on one thread: who waits costs nobody anything', async () => {
  const world = await testWorld()
  const count = 2_000
  for (let n = 0; n < count; n++) await world.widget(`w-${n}`)
  const waiting: (() => void)[] = []
  const controllers = world.controllers({ workers: count })
  controllers.add(() =>
    widgetReconciler({
      observe: async (object: Widget) => {
        await new Promise<void>(resolve => waiting.push(resolve))
        return object
      },
      decide: () => idle('seen'),
    }),
  )
  controllers.start()
  await world.clock.settle()
  expect(waiting).toHaveLength(count)
  for (const answer of waiting) answer()
  await world.clock.settle()
  expect(controllers.settled()).toBe(true)
  await controllers.stop()
  await world.close()
})

it('the history of an object keeps the last twenty things that were said of it, and says each once for as long as it is so', async () => {
  const world = await testWorld()
  await world.widget('a')
  let looks = 0
  const controllers = world.controllers()
  controllers.add(() =>
    widgetReconciler({
      observe: async (object: Widget) => object,
      decide: () => wait(`sentence ${Math.floor(looks++ / 2)}`, minutes(1)),
    }),
  )
  controllers.start()
  await world.clock.settle()
  await world.clock.advance(minutes(59))
  const lines = controllers.history(widgets, key)
  expect(looks).toBe(60)
  expect(lines.map(({ because }) => because)).toEqual(Array.from({ length: 20 }, (_, n) => `sentence ${n + 10}`))
  expect(new Set(lines.map(({ at, until }) => until - at))).toEqual(new Set([minutes(1)]))
  await controllers.stop()
  await world.close()
})
