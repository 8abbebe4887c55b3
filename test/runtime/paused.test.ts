import { expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { pausedAnnotation } from '../../src/core/paused.ts'
import { act } from '../../src/core/plan.ts'
import { testWorld, type Widget, widgetReconciler, widgets } from './world.ts'

it('I24 a paused object is left alone by every controller: no finalizer, no status, no action, until it is not paused any more', async () => {
  const world = await testWorld()
  const key = { name: 'a', namespace: 'default' }
  await world.widget('a', { size: 3 })
  await world.kube.patch(widgets, key, { merge: { metadata: { annotations: { [pausedAnnotation]: 'it moves to another cluster' } } } })
  let done = 0
  const controllers = world.controllers()
  controllers.add(() =>
    widgetReconciler({
      finalizer: 'test.rackwright.dev/hold',
      observe: async (object: Widget) => object,
      decide: seen => (done === 0 ? act('it must grow', [{ do: 'grow' }], { status: { size: seen.spec.size ?? 0 } }) : act('it grew', [])),
      perform: { grow: { destructive: true, run: async () => void done++ } },
    }),
  )
  controllers.start()
  await world.clock.advance(minutes(30))
  expect([world.writes().length, done]).toEqual([0, 0])
  expect(controllers.history(widgets, key)).toMatchObject([{ because: 'it is paused: it moves to another cluster' }])
  await world.kube.patch(widgets, key, { merge: { metadata: { annotations: { [pausedAnnotation]: null } } } })
  await world.clock.advance(minutes(30))
  expect(done).toBe(1)
  await controllers.stop()
  await world.close()
})
