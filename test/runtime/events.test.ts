import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { wait } from '../../src/core/plan.ts'
import type { ResourceRef } from '../../src/ports/index.ts'
import { type TestWorld, testWorld, type Widget, widgetReconciler, widgets } from './world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await testWorld()
})
afterEach(() => world.close())

const events: ResourceRef<KubeObject> = { group: '', version: 'v1', plural: 'events', namespaced: true }
const all = async () => (await world.kube.list(events, { namespace: 'default' })).items
const flips = () => {
  let looks = 0
  return () =>
    wait('', seconds(10), { events: looks++ % 2 === 0 ? [{ type: 'Warning', reason: 'Off', message: 'it is off' } as const] : [] })
}
const eventWrites = () => world.writes().filter(({ path }) => path.includes('/events'))

describe('Events', () => {
  it('tell what a plan has to tell, once', async () => {
    const { metadata } = await world.widget('a')
    const controllers = world.controllers()
    const decide = () => wait('', seconds(10), { events: [{ type: 'Normal', reason: 'Big', message: 'it is big' }] })
    controllers.add(() => widgetReconciler({ observe: async object => object, decide }))
    controllers.start()
    await world.clock.advance(minutes(60))
    expect(await all()).toMatchObject([
      {
        type: 'Normal',
        reason: 'Big',
        message: 'it is big',
        count: 1,
        involvedObject: { apiVersion: 'test.rackwright.dev/v1', kind: 'Widget', name: 'a', namespace: 'default', uid: metadata.uid },
        source: { component: 'widgets' },
        reportingInstance: 'test-1',
      },
    ])
    expect(eventWrites()).toHaveLength(1)
    await controllers.stop()
  })

  it('that come again and again are counted, with one write per window', async () => {
    await world.widget('a')
    const controllers = world.controllers()
    controllers.add(() => widgetReconciler({ observe: async object => object, decide: flips() }))
    controllers.start()
    await world.clock.advance(minutes(16))
    expect(eventWrites().length).toBe(4)
    expect(await all()).toMatchObject([{ count: 46 }])
    await controllers.stop()
  })

  it('go on counting after a restart', async () => {
    await world.widget('a')
    for (let life = 0; life < 3; life++) {
      const controllers = world.controllers()
      controllers.add(() => widgetReconciler({ observe: async object => object, decide: flips() }))
      controllers.start()
      await world.clock.settle()
      await controllers.stop()
    }
    expect(await all()).toMatchObject([{ count: 3 }])
  })

  it('that cannot be written disturb nothing', async () => {
    await world.widget('a')
    world.through(async (request, onward) => {
      if (request.url.includes('/events')) throw new Error('no room')
      return onward(request)
    })
    const controllers = world.controllers()
    let looks = 0
    const decide = (_: Widget) => {
      looks++
      return flips()()
    }
    controllers.add(() => widgetReconciler({ observe: async object => object, decide }))
    controllers.start()
    await world.clock.advance(seconds(100))
    expect(looks).toBe(11)
    expect((await world.get('a')).status).toBeUndefined()
    expect(await controllers.metrics()).toContain('rackwright_events_lost 1')
    expect(controllers.history(widgets, { name: 'a', namespace: 'default' })).toHaveLength(1)
    await controllers.stop()
  })
})
