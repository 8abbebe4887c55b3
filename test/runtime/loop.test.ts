import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import { Fault } from '../../src/core/fault.ts'
import { act, idle, wait } from '../../src/core/plan.ts'
import { type TestWorld, testWorld, type Widget, widgetReconciler, widgets } from './world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await testWorld()
})
afterEach(() => world.close())

const sized = (seen: Widget) => idle(`it is ${seen.spec.size ?? 0} large`, { status: { size: seen.spec.size ?? 0 } })
const itself = async (object: Widget): Promise<Widget> => object
const key = { name: 'a', namespace: 'default' }

describe('the loop', () => {
  it('commits what was decided once, then rests', async () => {
    await world.widget('a', { size: 3 })
    const controllers = world.controllers()
    let looks = 0
    controllers.add(() =>
      widgetReconciler({
        observe: async object => {
          looks++
          return object
        },
        decide: sized,
      }),
    )
    controllers.start()
    await world.clock.settle()
    expect((await world.get('a')).status).toMatchObject({ size: 3, observedGeneration: 1 })
    expect(world.writes()).toHaveLength(1)
    expect(looks).toBe(2)
    expect(controllers.settled()).toBe(true)
    await world.clock.advance(minutes(60))
    expect(world.writes()).toHaveLength(1)
    expect(looks).toBe(2)
    expect(controllers.history(widgets, key)).toMatchObject([{ controller: 'widgets', because: 'it is 3 large' }])
    await controllers.stop()
  })
})
