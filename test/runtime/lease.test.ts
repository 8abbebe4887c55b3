import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hours, minutes, seconds } from '../../src/core/duration.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { act, wait } from '../../src/core/plan.ts'
import type { ResourceRef } from '../../src/ports/index.ts'
import type { Controllers } from '../../src/runtime/index.ts'
import { type TestWorld, testWorld, type Widget, widgetReconciler } from './world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await testWorld()
})
afterEach(() => world.close())

const leases: ResourceRef<KubeObject> = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true }
const lease = { namespace: 'rackwright-system', name: 'controllers' }
const holder = async () => ((await world.kube.get(leases, lease))['spec'] as { holderIdentity?: string }).holderIdentity

/** A process whose controller blasts every 10 seconds, and notes who did. */
function process(identity: string, blasts: string[], run?: (signal: AbortSignal) => Promise<void>): Controllers {
  const controllers = world.controllers({ identity, lease })
  controllers.add(() =>
    widgetReconciler({
      observe: async (object: Widget) => object,
      decide: () => act('blasts', [{ do: 'blast' }], { again: seconds(10) }),
      perform: {
        blast: {
          destructive: true,
          run: async (_, { signal }) => {
            blasts.push(identity)
            await run?.(signal)
          },
        },
      },
    }),
  )
  controllers.start()
  return controllers
}

describe('a lease', () => {
  it('I16 lets one of two processes act, and the other when the first lets go', async () => {
    await world.widget('a')
    const blasts: string[] = []
    const one = process('one', blasts)
    await world.clock.settle()
    const two = process('two', blasts)
    await world.clock.advance(minutes(2))
    expect(new Set(blasts)).toEqual(new Set(['one']))
    expect([one.health(), two.health()]).toMatchObject([
      { ok: true, leader: true },
      { ok: true, leader: false },
    ])
    expect(await holder()).toBe('one')
    await one.stop()
    expect(await holder()).toBeUndefined()
    blasts.length = 0
    await world.clock.advance(seconds(5))
    expect(blasts).toEqual(['two'])
    await two.stop()
  })

  it('I16 is taken over only after its whole duration without a renewal, by which time the other has stopped', async () => {
    await world.widget('a')
    const blasts: string[] = []
    let cut = false
    world.through(async (request, onward) => {
      const renews = request.url.includes('/leases/') && Buffer.from(request.body ?? []).includes('"one"')
      if (cut && renews) throw new Error('cut off')
      return onward(request)
    })
    const one = process('one', blasts)
    await world.clock.settle()
    const two = process('two', blasts)
    await world.clock.advance(seconds(20))
    cut = true
    const times: { who: boolean[]; at: number }[] = []
    for (let s = 0; s < 30; s++) {
      await world.clock.advance(seconds(1))
      times.push({ who: [one.health().leader, two.health().leader], at: s })
    }
    const lost = times.findIndex(({ who }) => !who[0])
    const won = times.findIndex(({ who }) => who[1])
    expect(lost).toBeGreaterThan(0)
    expect(won - lost).toBeGreaterThanOrEqual(2)
    expect(won).toBeLessThanOrEqual(18)
    expect(times.some(({ who }) => who[0] && who[1])).toBe(false)
    await one.stop()
    await two.stop()
  })

  it('survives a renewal whose answer never comes', async () => {
    await world.widget('a')
    const one = process('one', [])
    await world.clock.settle()
    let swallowed = 0
    world.through(async (request, onward) => {
      const response = await onward(request)
      if (request.url.includes('/leases/') && request.method === 'PATCH' && swallowed++ === 0) await new Promise(() => {})
      return response
    })
    for (let s = 0; s < 30; s++) {
      await world.clock.advance(seconds(1))
      expect(one.health().leader).toBe(true)
    }
    expect(swallowed).toBeGreaterThan(5)
    await one.stop()
  })

  it('I16 does not authorise anything when the wall clock jumped, until it is renewed', async () => {
    await world.widget('a')
    const blasts: string[] = []
    const one = process('one', blasts)
    await world.clock.advance(seconds(1))
    expect(blasts).toHaveLength(1)
    for (const jump of [hours(1), -hours(2), -seconds(1)]) {
      // Right after a renewal: a small step back is a doubt that would pass by itself.
      await world.clock.advance(seconds(2) - (world.clock.elapsed() % seconds(2)))
      world.clock.jump(jump)
      expect(one.health().leader).toBe(false)
      await world.clock.advance(seconds(3))
      expect(one.health().leader).toBe(true)
      blasts.length = 0
      await world.clock.advance(seconds(60))
      expect(blasts.length).toBeGreaterThanOrEqual(6)
    }
    await one.stop()
  })

  it('I16 that runs out aborts what is under way', async () => {
    await world.widget('a')
    const aborted: unknown[] = []
    const one = process(
      'one',
      [],
      signal =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            aborted.push(signal.reason)
            reject(signal.reason as Error)
          }),
        ),
    )
    await world.clock.settle()
    world.through(async (request, onward) => {
      if (request.url.includes('/leases')) throw new Error('cut off')
      return onward(request)
    })
    await world.clock.advance(seconds(15))
    expect(aborted).toMatchObject([{ code: 'runtime/not-leader' }])
    expect((await world.get('a')).status?.conditions).toBeUndefined()
    await one.stop()
  })
})

it('a process without a lease leads from its start to its end', async () => {
  const controllers = world.controllers()
  controllers.add(() => widgetReconciler({ observe: async object => object, decide: () => wait('', minutes(1)) }))
  expect(controllers.health()).toMatchObject({ ok: false, leader: false })
  controllers.start()
  await world.clock.settle()
  expect(controllers.health()).toEqual({ ok: true, leader: true, because: [] })
  await controllers.stop()
  expect(controllers.health()).toMatchObject({ ok: false, leader: false })
})
