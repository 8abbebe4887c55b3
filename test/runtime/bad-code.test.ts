import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import { act, idle } from '../../src/core/plan.ts'
import type { Reconciler } from '../../src/ports/index.ts'
import { type TestWorld, testWorld, type Widget, widgetReconciler } from './world.ts'

let world: TestWorld
beforeEach(async () => {
  world = await testWorld()
})
afterEach(() => world.close())

type Mistake = Partial<Reconciler<Widget, Widget, { readonly do: string }>>
const never = new Promise<never>(() => {})
const isBad = (object: Widget): boolean => object.metadata.name === 'bad'
const acts = (seen: Widget) =>
  isBad(seen) || seen.status?.size === undefined ? act('acts', [{ do: 'it' }], { status: { size: 1 } }) : idle('done')

/** Each makes the object called "bad" fail, and only it. */
const mistakes: readonly { reason: string; code: string; waits?: number; given: Mistake }[] = [
  {
    reason: 'decide throws',
    code: 'runtime/decide-threw',
    given: {
      decide(seen) {
        if (isBad(seen)) throw new TypeError('cannot read properties of undefined')
        return acts(seen)
      },
    },
  },
  {
    reason: 'decide returns nothing',
    code: 'runtime/decide-threw',
    given: { decide: seen => (isBad(seen) ? (undefined as never) : acts(seen)) },
  },
  {
    reason: 'observe throws before its first await',
    code: 'runtime/observe-threw',
    given: {
      observe(object) {
        if (isBad(object)) throw new Error('too early')
        return Promise.resolve(object)
      },
    },
  },
  {
    reason: 'observe rejects with something that is no Error',
    code: 'runtime/observe-threw',
    given: { observe: object => (isBad(object) ? Promise.reject('a text' as never) : Promise.resolve(object)) },
  },
  {
    reason: 'observe never ends and ignores its signal',
    code: 'runtime/too-slow',
    waits: minutes(2),
    given: { observe: object => (isBad(object) ? never : Promise.resolve(object)) },
  },
  {
    reason: 'an action throws',
    code: 'runtime/perform-threw',
    given: {
      perform: {
        it: {
          run(_, { object }) {
            if (isBad(object)) throw new RangeError('out of it')
            return Promise.resolve()
          },
        },
      },
    },
  },
  {
    reason: 'an action rejects',
    code: 'runtime/perform-threw',
    given: { perform: { it: { run: async (_, { object }) => (isBad(object) ? Promise.reject(new Error('rejected')) : undefined) } } },
  },
  {
    reason: 'an action never ends and ignores its signal',
    code: 'runtime/too-slow',
    waits: minutes(2),
    given: { perform: { it: { run: (_, { object }) => (isBad(object) ? never : Promise.resolve()) } } },
  },
  {
    reason: 'an action has no performer',
    code: 'runtime/no-performer',
    given: { decide: s => (isBad(s) ? act('', [{ do: 'toString' }]) : acts(s)) },
  },
  {
    reason: 'the status does not fit the schema',
    code: 'kube/invalid',
    given: { decide: seen => (isBad(seen) ? idle('', { status: { size: 'large' } }) : acts(seen)) },
  },
]

describe('a controller with a mistake', () => {
  it.each(mistakes)('stops no other object when $reason; it shows as condition, metric and log line', async ({ code, waits, given }) => {
    for (const name of ['bad', ...Array.from({ length: 20 }, (_, n) => `good-${n}`)]) await world.widget(name)
    const controllers = world.controllers({ workers: 4 })
    controllers.add(() =>
      widgetReconciler({
        observe: async (object: Widget) => object,
        decide: acts,
        perform: { it: { run: async () => {} } },
        ...given,
      } as Reconciler<Widget, Widget>),
    )
    controllers.start()
    await world.clock.settle()
    for (let n = 0; n < 20; n++) expect((await world.get(`good-${n}`)).status).toMatchObject({ size: 1 })
    await world.clock.advance(waits ?? 0)
    const condition = (await world.get('bad')).status?.conditions?.find(c => c.type === 'Reconciled')
    expect(condition).toMatchObject({ status: 'False', reason: code })
    expect(await controllers.metrics()).toContain(`outcome="${code}"`)
    expect(world.logged.find(({ about }) => about?.['object'] === 'default/bad' && about?.['code'] === code)?.level).toBe('warn')
    expect(controllers.health().ok).toBe(true)
    expect((await world.get('good-3')).status?.conditions).toBeUndefined()
    await stopped(controllers.stop())
  })

  it('is looked at again later when its plan cannot even be told', async () => {
    await world.widget('bad')
    let looks = 0
    const controllers = world.controllers()
    const decide = () => {
      looks++
      return { because: 'x', status: {}, actions: [] } as never
    }
    controllers.add(() => widgetReconciler({ observe: async object => object, decide }))
    controllers.start()
    await world.clock.advance(minutes(3))
    expect(looks).toBe(4)
    expect(world.logged.filter(({ level, about }) => level === 'error' && about?.['object'] === 'default/bad')).toHaveLength(4)
    await stopped(controllers.stop())
  })

  it('is not run a second time beside an action that does not end', async () => {
    await world.widget('bad')
    let runs = 0
    const controllers = world.controllers()
    const run = (): Promise<void> => {
      runs++
      return never
    }
    controllers.add(() =>
      widgetReconciler({ observe: async object => object, decide: () => act('acts', [{ do: 'it' }]), perform: { it: { run } } }),
    )
    controllers.start()
    await world.clock.advance(minutes(30))
    expect(runs).toBe(1)
    await stopped(controllers.stop())
  })
})

async function stopped(stop: Promise<void>): Promise<void> {
  await world.clock.advance(seconds(60))
  await stop
}
