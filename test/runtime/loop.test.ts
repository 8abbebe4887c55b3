import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import { Fault } from '../../src/core/fault.ts'
import { act, idle, release, wait } from '../../src/core/plan.ts'
import type { ControllerKube, Performer } from '../../src/ports/index.ts'
import { type TestWorld, testWorld, type Widget, widgetReconciler, widgets } from './world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await testWorld()
})
afterEach(() => world.close())

const sized = (seen: Widget) => idle(`it is ${seen.spec.size ?? 0} large`, { status: { size: seen.spec.size ?? 0 } })
const itself = async (object: Widget): Promise<Widget> => object
const key = { name: 'a', namespace: 'default' }
const conditionOf = async (type: string) => (await world.get('a')).status?.conditions?.find(c => c.type === type)
const resize = (size: number) => world.kube.patch(widgets, key, { merge: { spec: { size } } })

describe('commit', () => {
  it('writes what was decided once, and then rests', async () => {
    await world.widget('a', { size: 3 })
    const controllers = world.controllers()
    let looks = 0
    const observe = async (object: Widget) => {
      looks++
      return object
    }
    controllers.add(() => widgetReconciler({ observe, decide: sized }))
    controllers.start()
    await world.clock.settle()
    expect((await world.get('a')).status).toMatchObject({ size: 3, observedGeneration: 1 })
    expect(world.writes()).toHaveLength(1)
    expect(looks).toBe(2)
    expect(controllers.settled()).toBe(true)
    await world.clock.advance(minutes(60))
    expect([world.writes().length, looks]).toEqual([1, 2])
    expect(controllers.history(widgets, key)).toMatchObject([{ controller: 'widgets', because: 'it is 3 large' }])
    await controllers.stop()
    expect(controllers.settled()).toBe(true)
  })

  it('carries the resourceVersion that was decided about, and touches the status only', async () => {
    const { metadata } = await world.widget('a', { size: 1 })
    const controllers = world.controllers()
    controllers.add(() => widgetReconciler({ observe: itself, decide: sized }))
    controllers.start()
    await world.clock.settle()
    const [{ path, body, method } = {}] = world.writes()
    expect([method, path]).toEqual(['PATCH', '/apis/test.rackwright.dev/v1/namespaces/default/widgets/a/status'])
    expect(body).toEqual({
      metadata: { resourceVersion: metadata.resourceVersion, uid: metadata.uid },
      status: { size: 1, observedGeneration: 1 },
    })
    await controllers.stop()
  })

  it('observes again where somebody wrote in between, and overwrites nothing', async () => {
    await world.widget('a', { size: 1 })
    const controllers = world.controllers()
    let first = true
    const observe = async (object: Widget) => {
      if (first) await resize(9)
      first = false
      return object
    }
    controllers.add(() => widgetReconciler({ observe, decide: sized }))
    controllers.start()
    await world.clock.settle()
    expect((await world.get('a')).status).toMatchObject({ size: 9, observedGeneration: 2 })
    expect(world.writes().map(({ body }) => (body as Widget).status?.size)).toEqual([1, 9])
    expect(controllers.settled()).toBe(true)
    await controllers.stop()
  })

  it('stamps conditions: the time moves only when the status does, others’ conditions stay', async () => {
    await world.widget('a', { size: 1 })
    const theirs = { type: 'Theirs', status: 'True', reason: 'So', message: '', lastTransitionTime: '2020-01-01T00:00:00Z' } as const
    await world.kube.patch(widgets, key, { merge: { status: { conditions: [theirs] } } }, { subresource: 'status' })
    const controllers = world.controllers()
    const decide = (seen: Widget) =>
      idle('', { status: { conditions: [{ type: 'Big', status: 'False', reason: 'Small', message: `${seen.spec.size}` }] } })
    controllers.add(() => widgetReconciler({ observe: itself, decide }))
    controllers.start()
    await world.clock.settle()
    const before = await conditionOf('Big')
    await world.clock.advance(seconds(10))
    await resize(2)
    await world.clock.settle()
    expect(await conditionOf('Big')).toEqual({ ...before, message: '2', observedGeneration: 2 })
    expect(await conditionOf('Theirs')).toEqual(theirs)
    await controllers.stop()
  })
})

describe('perform', () => {
  const verbs = (done: string[], given: Record<string, Performer<Widget, { do: string }>> = {}) => ({
    one: { run: async () => void done.push('one') },
    two: { run: async () => void done.push('two') },
    ...given,
  })

  it('does actions in order, after the commit, and looks again', async () => {
    await world.widget('a', { size: 1 })
    const done: string[] = []
    const controllers = world.controllers()
    const decide = (seen: Widget) =>
      done.length === 0 ? act('begins', [{ do: 'one' }, { do: 'two' }], { status: { size: 1 } }) : idle(`done with ${seen.status?.size}`)
    const perform = verbs(done, { one: { run: async (_, { object }) => void done.push(`one at ${object.status?.size}`) } })
    controllers.add(() => widgetReconciler({ observe: itself, decide, perform }))
    controllers.start()
    await world.clock.settle()
    expect(done).toEqual(['one at 1', 'two'])
    expect(controllers.history(widgets, key).map(({ because }) => because)).toEqual(['begins', 'done with 1'])
    await controllers.stop()
  })

  it('stops at the first fault, tells it in the status, retries later and later, and takes it back when it works', async () => {
    await world.widget('a')
    const done: string[] = []
    let broken = true
    const one = {
      run: async () => {
        done.push('one')
        if (broken) throw new Fault('device/no-answer', 'Cannot reach the device: no answer', 'backoff', { hint: 'Plug it in.' })
      },
    }
    const controllers = world.controllers()
    const decide = () => (done.includes('two') ? idle('done') : act('does it', [{ do: 'one' }, { do: 'two' }]))
    controllers.add(() => widgetReconciler({ observe: itself, decide, perform: verbs(done, { one }) }))
    controllers.start()
    await world.clock.settle()
    expect(done).toEqual(['one'])
    expect(await conditionOf('Reconciled')).toMatchObject({
      status: 'False',
      reason: 'device/no-answer',
      message: 'Cannot reach the device: no answer. Plug it in.',
    })
    await world.clock.advance(seconds(15))
    expect(done.length).toBeGreaterThanOrEqual(4)
    expect(done.length).toBeLessThanOrEqual(6)
    expect(world.writes()).toHaveLength(1)
    broken = false
    await world.clock.advance(minutes(1))
    expect(done.slice(-2)).toEqual(['one', 'two'])
    expect(await conditionOf('Reconciled')).toMatchObject({ status: 'True' })
    expect(world.writes()).toHaveLength(2)
    expect(await controllers.metrics()).toContain('rackwright_reconcile_total{controller="widgets",outcome="device/no-answer"}')
    await controllers.stop()
  })

  it('waits for a change where a fault says so, and does not try again at all what will never work', async () => {
    await world.widget('a')
    const tries: string[] = []
    let retry: 'when-changed' | 'never' = 'when-changed'
    const one = {
      run: async () => {
        tries.push(retry)
        throw new Fault('x/y', 'Cannot: no', retry)
      },
    }
    const controllers = world.controllers()
    controllers.add(() => widgetReconciler({ observe: itself, decide: () => act('tries', [{ do: 'one' }]), perform: verbs([], { one }) }))
    controllers.start()
    await world.clock.advance(minutes(60))
    expect(tries).toEqual(['when-changed'])
    retry = 'never'
    await world.kube.patch(widgets, key, { merge: { metadata: { labels: { x: '1' } } } })
    await world.clock.advance(minutes(60))
    await world.kube.patch(widgets, key, { merge: { metadata: { labels: { x: '2' } } } })
    await world.clock.advance(minutes(60))
    expect(tries).toEqual(['when-changed', 'never'])
    await resize(2)
    await world.clock.advance(minutes(60))
    expect(tries).toEqual(['when-changed', 'never', 'never'])
    await controllers.stop()
  })

  it('reads past the cache before the first destructive action, and does nothing where the object changed', async () => {
    await world.widget('a')
    const done: number[] = []
    let first = true
    const blast: Performer<Widget, { do: string }> = {
      destructive: true,
      run: async (_, { object }) => void done.push(object.spec.size ?? 0),
    }
    const controllers = world.controllers()
    const decide = () => (done.length > 0 ? idle('done') : act('blasts', [{ do: 'quiet' }, { do: 'blast' }]))
    const quiet = {
      run: async () => {
        if (first) await resize(7)
        first = false
      },
    }
    controllers.add(() => widgetReconciler({ observe: itself, decide, perform: { blast, quiet } }))
    controllers.start()
    await world.clock.advance(minutes(1))
    expect(done).toEqual([7])
    expect(world.asked.filter(({ path, method }) => method === 'GET' && path.endsWith('/widgets/a'))).toHaveLength(2)
    await controllers.stop()
  })

  it('tries again where the read before a destructive action fails', async () => {
    await world.widget('a')
    const done: string[] = []
    let fails = true
    world.through(async (request, onward) => {
      if (fails && request.method === 'GET' && request.url.endsWith('/widgets/a')) throw new Error('no route')
      return onward(request)
    })
    const controllers = world.controllers()
    const blast: Performer<Widget, { do: string }> = { destructive: true, run: async () => void done.push('blast') }
    const decide = () => (done.length > 0 ? idle('done') : act('blasts', [{ do: 'blast' }]))
    controllers.add(() => widgetReconciler({ observe: itself, decide, perform: { blast } }))
    controllers.start()
    await world.clock.settle()
    expect(await conditionOf('Reconciled')).toMatchObject({ reason: 'kube/unreachable' })
    fails = false
    await world.clock.advance(seconds(5))
    expect(done).toEqual(['blast'])
    await controllers.stop()
  })

  it('does nothing destructive where what entitled it to has changed, also where it has come to be', async () => {
    await world.widget('a')
    const entitling = await world.widget('b')
    const done: string[] = []
    const b = { name: 'b', namespace: 'default' }
    let revision: string | undefined = '0'
    const controllers = world.controllers()
    const blast: Performer<Widget, { do: string }> = { destructive: true, run: async () => void done.push(revision ?? 'none') }
    const decide = ({ metadata }: Widget) => (metadata.name === 'a' ? act('blasts', [{ do: 'blast' }]) : idle('looks on'))
    const entitledBy = () => [{ of: widgets, key: b, revision }]
    controllers.add(() => widgetReconciler({ observe: itself, decide, entitledBy, perform: { blast } }))
    controllers.start()
    await world.clock.advance(seconds(10))
    revision = undefined
    await world.clock.advance(seconds(10))
    expect(done).toEqual([])
    expect(controllers.history(widgets, key).at(-1)?.because).toContain('test.rackwright.dev/v1/widgets default/b changed')
    revision = entitling.metadata.resourceVersion
    await world.clock.advance(seconds(1))
    expect(done[0]).toBe(revision)
    await controllers.stop()
  })

  it('is entitled by a wish: what others write to a status takes nothing away, another generation or annotation does', async () => {
    await world.widget('a')
    const { metadata } = await world.widget('b')
    const b = { name: 'b', namespace: 'default' }
    const wish = { uid: metadata.uid, generation: metadata.generation, deleting: false, annotations: { hold: undefined } }
    const done: string[] = []
    const controllers = world.controllers()
    const blast: Performer<Widget, { do: string }> = { destructive: true, run: async () => void done.push('blast') }
    const decide = ({ metadata: { name } }: Widget) =>
      name === 'a' ? act('blasts', [{ do: 'blast' }], { again: seconds(60) }) : idle('looks on')
    controllers.add(() =>
      widgetReconciler({ observe: itself, decide, entitledBy: () => [{ of: widgets, key: b, wish }], perform: { blast } }),
    )
    await world.kube.patch(widgets, b, { merge: { status: { size: 3 } } }, { subresource: 'status' })
    controllers.start()
    await world.clock.settle()
    expect(done).toEqual(['blast'])
    await world.kube.patch(widgets, b, { merge: { metadata: { annotations: { hold: 'yes' } } } })
    await world.clock.advance(seconds(100))
    expect(done).toEqual(['blast'])
    await world.kube.patch(widgets, b, { merge: { metadata: { annotations: { hold: null } } } })
    await world.clock.advance(seconds(100))
    expect(done.length).toBeGreaterThan(1)
    const before = done.length
    await world.kube.patch(widgets, b, { merge: { spec: { size: 9 } } })
    await world.clock.advance(seconds(100))
    expect(done).toHaveLength(before)
    await controllers.stop()
  })

  it('makes a loop that changes nothing slower and slower, and one that changes things take a rest', async () => {
    await world.widget('a')
    await world.widget('b')
    const looks = { a: 0, b: 0 }
    const controllers = world.controllers()
    const observe = async (object: Widget) => {
      looks[object.metadata.name as 'a']++
      return object
    }
    const decide = ({ metadata, status }: Widget) =>
      metadata.name === 'a' ? wait('at once', 0) : idle('flips', { status: { size: ((status?.size ?? 0) + 1) % 2 } })
    controllers.add(() => widgetReconciler({ observe, decide }))
    controllers.start()
    await world.clock.settle()
    expect(looks.a).toBe(2)
    expect(looks.b).toBe(51)
    await world.clock.advance(seconds(9))
    expect(looks.b).toBe(51)
    await controllers.stop()
  })
})

describe('finalizers', () => {
  it('are put on before anything is observed, and taken off by the action release', async () => {
    const told: string[] = []
    const controllers = world.controllers()
    const observe = async (object: Widget) => {
      told.push(`${object.metadata.finalizers}`)
      return object
    }
    const decide = ({ metadata }: Widget) => (metadata.deletionTimestamp ? act('nothing is left to undo', [release]) : idle('stands'))
    controllers.add(() => widgetReconciler({ finalizer: 'test.rackwright.dev/x', observe, decide }))
    controllers.start()
    await world.widget('a')
    await world.clock.settle()
    expect(told).toEqual(['test.rackwright.dev/x'])
    await world.kube.delete(widgets, key)
    await world.clock.settle()
    expect(await world.kube.find(widgets, key)).toBeUndefined()
    expect(controllers.settled()).toBe(true)
    expect(controllers.history(widgets, key)).toEqual([])
    await controllers.stop()
  })

  it('of others keep a released object, for which nothing more is done', async () => {
    const controllers = world.controllers()
    const decide = ({ metadata }: Widget) => (metadata.deletionTimestamp ? act('over', [release]) : idle('stands'))
    controllers.add(() => widgetReconciler({ finalizer: 'test.rackwright.dev/x', observe: itself, decide }))
    controllers.start()
    await world.widget('a')
    await world.kube.patch(widgets, key, { merge: { metadata: { finalizers: ['test.rackwright.dev/theirs'] } } })
    await world.clock.settle()
    await world.kube.delete(widgets, key)
    await world.clock.settle()
    expect((await world.get('a')).metadata.finalizers).toEqual(['test.rackwright.dev/theirs'])
    expect(controllers.history(widgets, key).at(-1)?.because).toContain('others still hold it')
    await controllers.stop()
  })
})

describe('caches', () => {
  it('may be read only of what is watched', async () => {
    await world.widget('a')
    const controllers = world.controllers()
    controllers.add((kube: ControllerKube) =>
      widgetReconciler({ observe: async () => kube.cached.list(widgets).length, decide: n => idle(`${n}`) }),
    )
    controllers.start()
    await world.clock.settle()
    expect(await conditionOf('Reconciled')).toMatchObject({ reason: 'runtime/not-watched' })
    await controllers.stop()
  })
})
