import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seconds } from '../../src/core/duration.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { act, idle } from '../../src/core/plan.ts'
import { type ResourceRef, wokenBy } from '../../src/ports/index.ts'
import { type TestWorld, testWorld, type Widget, widgetReconciler, widgets } from './world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await testWorld()
})
afterEach(() => world.close())

const configMaps: ResourceRef<KubeObject> = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
const child = ({ metadata: { name, uid } }: Widget) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: `of-${name}`,
    namespace: 'default',
    ownerReferences: [{ apiVersion: 'test.rackwright.dev/v1', kind: 'Widget', name, uid: uid! }],
  },
})
const key = { name: 'a', namespace: 'default' }
const watchesOf = () => world.asked.filter(({ path }) => path.includes('/widgets?') && path.includes('watch=1'))

describe('what a controller wrote itself', () => {
  it('is waited for: the key is parked until its cache shows the commit', async () => {
    await world.widget('a', { size: 1 })
    const seen: (number | undefined)[] = []
    const observe = async (object: Widget) => {
      seen.push(object.status?.size)
      return object
    }
    const controllers = world.controllers()
    controllers.add(() => widgetReconciler({ observe, decide: ({ spec }) => idle('', { status: { size: spec.size } }) }))
    controllers.start()
    await world.clock.settle()
    world.hold()
    await world.kube.patch(widgets, key, { merge: { spec: { size: 2 } } })
    world.release()
    await world.clock.settle()
    expect(seen).toEqual([undefined, 1, 1, 2])
    await controllers.stop()
  })

  it('holds back only its own key, while others go on', async () => {
    const looks: string[] = []
    const observe = async (object: Widget) => {
      looks.push(`${object.metadata.name}${object.status?.size ?? ''}`)
      return object
    }
    await world.widget('a', { size: 1 })
    await world.widget('b', { size: 2 })
    const controllers = world.controllers({ workers: 1 })
    controllers.add(() => widgetReconciler({ observe, decide: ({ spec }) => idle('', { status: { size: spec.size } }) }))
    let commits = 0
    world.through(async (request, onward) => {
      if (request.method === 'PATCH' && commits++ === 0) world.hold()
      return onward(request)
    })
    controllers.start()
    await world.clock.settle()
    expect(looks).toEqual(['a', 'b'])
    expect(controllers.settled()).toBe(false)
    expect(controllers.activity()).toMatchObject({ parked: 2, unseen: 2 })
    world.release()
    await world.clock.settle()
    expect(looks).toEqual(['a', 'b', 'a1', 'b2'])
    expect(controllers.settled()).toBe(true)
    await controllers.stop()
  })

  it('makes the cache be read anew when it does not show after 30 seconds', async () => {
    await world.widget('a', { size: 1 })
    const looks: (number | undefined)[] = []
    const observe = async (object: Widget) => {
      looks.push(object.status?.size)
      return object
    }
    const controllers = world.controllers()
    controllers.add(() => widgetReconciler({ observe, decide: ({ spec }) => idle('', { status: { size: spec.size } }) }))
    let deaf = true
    world.through(async (request, onward) => {
      const response = await onward(request)
      const shared = response.shared
      if (!shared || !('events' in shared) || !deaf) return response
      // The watch tells its beginning, and then nothing more although its connection stands.
      const events = async function* () {
        yield (await shared.events[Symbol.asyncIterator]().next()).value
        await new Promise(() => {})
      }
      return { ...response, shared: { events: events() } }
    })
    controllers.start()
    await world.clock.settle()
    expect(looks).toEqual([undefined])
    deaf = false
    await world.clock.advance(seconds(29))
    expect([looks, watchesOf().length]).toEqual([[undefined], 1])
    await world.clock.advance(seconds(1))
    expect([looks, watchesOf().length]).toEqual([[undefined, 1], 2])
    await controllers.stop()
  })

  it('stops every key that reads the kind it wrote to, so that no child is made twice', async () => {
    await world.widget('a')
    await world.widget('b')
    const looks: string[] = []
    const controllers = world.controllers({ workers: 1 })
    controllers.add(kube =>
      widgetReconciler({
        watches: [wokenBy(configMaps, 'owner')],
        observe: async object => {
          looks.push(object.metadata.name)
          return { object, children: kube.cached.list(configMaps).length }
        },
        decide: ({ object, children }) =>
          children === 0 ? act('there is no child', [{ do: 'make' }], { status: { phase: object.metadata.name } }) : idle(`there is one`),
        perform: { make: { run: async (_, { object }) => void (await kube.create(configMaps, child(object))) } },
      }),
    )
    let created = false
    world.through(async (request, onward) => {
      if (request.method === 'POST') {
        world.hold()
        created = true
      }
      return onward(request)
    })
    controllers.start()
    await world.clock.settle()
    expect([created, looks]).toEqual([true, ['a']])
    world.release()
    await world.clock.settle()
    expect(world.writes().filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(looks.filter(name => name === 'b').length).toBeGreaterThan(0)
    expect(controllers.settled()).toBe(true)
    await controllers.stop()
  })

  it('does not wake it, but somebody else’s write during the commit does', async () => {
    await world.widget('a', { size: 1 })
    let looks = 0
    const observe = async (object: Widget) => {
      looks++
      return object
    }
    let meddle = true
    world.through(async (request, onward) => {
      const response = await onward(request)
      if (request.method === 'PATCH' && meddle) {
        meddle = false
        // Their event arrives before the answer to ours does.
        await world.kube.patch(widgets, key, { merge: { spec: { size: 5 } } })
        await world.clock.settle()
      }
      return response
    })
    const controllers = world.controllers()
    const decide = ({ spec }: Widget) => idle('', { status: { size: spec.size }, again: seconds(60) })
    controllers.add(() => widgetReconciler({ observe, decide }))
    controllers.start()
    await world.clock.settle()
    await world.clock.settle()
    expect((await world.get('a')).status?.size).toBe(5)
    expect(looks).toBe(2)
    await controllers.stop()
  })
})

describe('watches', () => {
  it('wake the owner, and whom a mapping names: by how the object is and by how it was', async () => {
    for (const name of ['a', 'b', 'c']) await world.widget(name)
    const looks: string[] = []
    const controllers = world.controllers()
    controllers.add(() =>
      widgetReconciler({
        watches: [
          wokenBy(configMaps, 'owner'),
          wokenBy(configMaps, ({ metadata: { labels } }) => (labels?.['for'] ? [{ name: labels['for'], namespace: 'default' }] : [])),
        ],
        observe: async object => void looks.push(object.metadata.name),
        decide: () => idle('seen'),
      }),
    )
    controllers.start()
    await world.clock.settle()
    expect(looks.splice(0)).toEqual(['a', 'b', 'c'])
    const made = await world.kube.create(configMaps, child(await world.get('a')))
    await world.clock.settle()
    expect(looks.splice(0)).toEqual(['a'])
    await world.kube.patch(configMaps, made.metadata, { merge: { metadata: { ownerReferences: null, labels: { for: 'b' } } } })
    await world.clock.settle()
    expect(looks.splice(0).toSorted()).toEqual(['a', 'b'])
    await world.kube.patch(configMaps, made.metadata, { merge: { metadata: { labels: { for: 'c' } } } })
    await world.clock.settle()
    expect(looks.splice(0).toSorted()).toEqual(['b', 'c'])
    await world.kube.delete(configMaps, made.metadata)
    await world.clock.settle()
    expect(looks.splice(0)).toEqual(['c'])
    await controllers.stop()
  })
})
