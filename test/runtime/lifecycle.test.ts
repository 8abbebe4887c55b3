import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import { machine, step, when } from '../../src/core/machine.ts'
import { act, idle, wait } from '../../src/core/plan.ts'
import type { Performer } from '../../src/ports/index.ts'
import { type TestWorld, testWorld, type Widget, widgetReconciler, widgets } from './world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await testWorld()
})
afterEach(() => world.close())

const key = { name: 'a', namespace: 'default' }

describe('metrics of a lifecycle', () => {
  it('tell how long phases took, and who is in one for too long', async () => {
    const slow = machine<Widget, never>()({
      initial: 'Small',
      phases: {
        Small: {
          does: () => wait('it is small', seconds(10)),
          within: minutes(1),
          exits: { Big: when('it grew', s => s.spec.size === 9) },
        },
        Big: { does: () => idle('it is big'), exits: {}, final: true },
      },
    })
    await world.widget('a')
    const controllers = world.controllers()
    const standing = ({ status }: Widget) => ({ phase: status?.phase, phaseSince: status?.phaseSince })
    controllers.add(() =>
      widgetReconciler({ observe: async (object: Widget) => object, decide: (seen, now) => step(slow, standing(seen), seen, now) }),
    )
    controllers.start()
    await world.clock.advance(minutes(2))
    expect(await controllers.metrics()).toContain('rackwright_phase_overstayed{controller="widgets",phase="Small"} 1')
    expect((await world.get('a')).status?.conditions).toMatchObject([{ type: 'Overstayed', status: 'True' }])
    await world.kube.patch(widgets, key, { merge: { spec: { size: 9 } } })
    await world.clock.settle()
    const text = await controllers.metrics()
    expect(text).not.toContain('rackwright_phase_overstayed{')
    expect(text).toContain('rackwright_phase_duration_seconds_sum{controller="widgets",phase="Small"} 120')
    expect(text).toContain('rackwright_leader 1')
    await controllers.stop()
  })
})

describe('a look', () => {
  it('knows for how long a fact is so: by the clock that never jumps, from first sight, without gaps', async () => {
    await world.widget('a', { size: 1 })
    const ages: number[] = []
    let fails = false
    const start = () => {
      const controllers = world.controllers()
      controllers.add(() =>
        widgetReconciler({
          observe: async (object: Widget, look) => {
            ages.push(look.lasting(`size ${object.spec.size}`))
            if (fails) throw new Error('not now')
            return object
          },
          decide: () => wait('', seconds(10)),
        }),
      )
      controllers.start()
      return controllers
    }
    const first = start()
    await world.clock.advance(seconds(10))
    world.clock.jump(-minutes(60))
    await world.clock.advance(seconds(10))
    expect(ages.splice(0)).toEqual([0, 10_000, 20_000])
    fails = true
    await world.clock.advance(seconds(10))
    fails = false
    await world.clock.advance(seconds(2))
    expect(ages.splice(0).map(age => Math.floor(age / 10_000))).toEqual([3, 3])
    await world.kube.patch(widgets, key, { merge: { spec: { size: 2 } } })
    await world.clock.settle()
    expect(ages.splice(0)).toEqual([0])
    await first.stop()
    const second = start()
    await world.clock.settle()
    expect(ages).toEqual([0])
    await second.stop()
  })

  it('that cannot see a fact leaves it as it was: it neither begins nor ends', async () => {
    await world.widget('a')
    const ages: (number | undefined)[] = []
    let sees = false
    const controllers = world.controllers()
    controllers.add(() =>
      widgetReconciler({
        observe: async (object: Widget, look) => {
          ages.push(sees ? look.lasting('power Off') : void look.unseen('power '))
          return object
        },
        decide: () => wait('', seconds(10)),
      }),
    )
    controllers.start()
    await world.clock.advance(seconds(10))
    sees = true
    await world.clock.advance(seconds(10))
    sees = false
    await world.clock.advance(seconds(10))
    sees = true
    await world.clock.advance(seconds(10))
    expect(ages).toEqual([undefined, undefined, 0, undefined, 20_000])
    await controllers.stop()
  })

  it('that finds the object changed before a destructive action waits for the cache to show it, instead of asking again and again', async () => {
    await world.widget('a')
    const done: number[] = []
    const blast: Performer<Widget, { do: string }> = {
      destructive: true,
      run: async (_, { object }) => void done.push(object.spec.size ?? 0),
    }
    const controllers = world.controllers()
    controllers.add(() =>
      widgetReconciler({
        observe: async (object: Widget) => object,
        decide: () => (done.length > 0 ? idle('done') : act('blasts', [{ do: 'blast' }])),
        perform: { blast },
      }),
    )
    let first = true
    world.through(async (request, onward) => {
      if (first && request.method === 'GET' && request.url.endsWith('/widgets/a')) {
        first = false
        world.hold()
        await world.kube.patch(widgets, key, { merge: { spec: { size: 7 } } })
      }
      return onward(request)
    })
    controllers.start()
    await world.clock.settle()
    const reads = () => world.asked.filter(({ path, method }) => method === 'GET' && path.endsWith('/widgets/a')).length
    expect([done, reads(), controllers.activity().parked]).toEqual([[], 1, 1])
    world.release()
    await world.clock.settle()
    expect([done, reads()]).toEqual([[7], 2])
    await controllers.stop()
  })

  it('whose status the server does not keep is not repeated at once', async () => {
    await world.widget('a')
    const controllers = world.controllers()
    let looks = 0
    const observe = async (object: Widget) => {
      looks++
      return object
    }
    // The schema does not know this field, and the server drops it.
    const decide = () => idle('', { status: { unheardOf: true, observedGeneration: null } })
    controllers.add(() => widgetReconciler({ observe, decide }))
    controllers.start()
    await world.clock.advance(minutes(10))
    expect(looks).toBeLessThanOrEqual(3)
    await controllers.stop()
  })
})
