import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seconds } from '../../src/core/duration.ts'
import { act } from '../../src/core/plan.ts'
import { type TestWorld, testWorld, type Widget, widgetReconciler, widgets } from './world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await testWorld()
})
afterEach(() => world.close())

/** Controllers with one action under way for each object. */
async function busy(names: readonly string[], run: (signal: AbortSignal) => Promise<void>) {
  for (const name of names) await world.widget(name)
  const controllers = world.controllers({ workers: 1 })
  const started: string[] = []
  controllers.add(() =>
    widgetReconciler({
      observe: async (object: Widget) => {
        started.push(object.metadata.name)
        return object
      },
      decide: () => act('works', [{ do: 'work' }], { again: seconds(1) }),
      perform: { work: { run: (_, { signal }) => run(signal) } },
    }),
  )
  controllers.start()
  await world.clock.settle()
  return { controllers, started }
}

describe('stop()', () => {
  it('lets what runs finish, and starts nothing new', async () => {
    let finish = (): void => {}
    const work = new Promise<void>(resolve => {
      finish = resolve
    })
    const { controllers, started } = await busy(['a', 'b'], () => work)
    let over = false
    const stop = controllers.stop().then(() => {
      over = true
    })
    await world.clock.settle()
    expect(over).toBe(false)
    finish()
    await stop
    expect(started).toEqual(['a'])
  })

  it('leaves no timer behind for what was written last and does not show any more', async () => {
    await world.widget('a')
    let finish = (): void => {}
    const work = new Promise<void>(resolve => {
      finish = resolve
    })
    const controllers = world.controllers()
    controllers.add(kube =>
      widgetReconciler({
        observe: async (object: Widget) => object,
        decide: () => act('writes', [{ do: 'write' }]),
        perform: {
          write: {
            async run(_, { object }) {
              await work
              await kube.patch(widgets, { name: object.metadata.name, namespace: 'default' }, { merge: { spec: { size: 9 } } })
            },
          },
        },
      }),
    )
    const before = world.clock.pending
    controllers.start()
    await world.clock.settle()
    world.hold()
    const stop = controllers.stop()
    await world.clock.settle()
    finish()
    await world.clock.settle()
    world.release()
    await stop
    expect(world.clock.pending).toBe(before)
  })

  it('aborts what does not finish in time', async () => {
    let aborted = 0
    const { controllers } = await busy(
      ['a'],
      signal =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            aborted++
            reject(signal.reason as Error)
          }),
        ),
    )
    const stop = controllers.stop(seconds(3))
    await world.clock.advance(seconds(2))
    expect(aborted).toBe(0)
    await world.clock.advance(seconds(1))
    await stop
    expect(aborted).toBe(1)
    expect((await world.get('a')).status).toBeUndefined()
  })

  it('ends even where work ignores its signal, and leaves no timer behind', async () => {
    const before = world.clock.pending
    const { controllers } = await busy(['a', 'b'], () => new Promise(() => {}))
    const stop = controllers.stop(seconds(3))
    await world.clock.advance(seconds(10))
    await stop
    await world.clock.settle()
    expect(world.clock.pending).toBe(before)
    expect(world.logged.some(({ what }) => what.includes('did not stop'))).toBe(true)
  })
})
