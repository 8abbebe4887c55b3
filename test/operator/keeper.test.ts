import { expect, it } from 'vitest'
import type { Stance } from '../../src/cli/operator/courtesy.ts'
import { openKeeper } from '../../src/cli/operator/keeper.ts'
import { keeperMetrics, keeperUnready } from '../../src/cli/operator/metrics.ts'
import { roles } from '../../src/cli/operator/roles.ts'
import { seconds } from '../../src/core/duration.ts'
import { Fault } from '../../src/core/fault.ts'
import { silent } from '../../src/ports/index.ts'
import { testClock } from '../runtime/clock.ts'

function world() {
  const clock = testClock()
  const did: string[] = []
  let next: () => Promise<Stance> = async () => ({ is: 'act', because: 'nobody else does' })
  const keeper = openKeeper(
    {
      clock,
      log: silent,
      stance: () => next(),
      open() {
        did.push('opens')
        return {
          close: async () => void did.push('closes'),
          health: () => ({ ok: false, leader: false, because: ['a cache is not whole yet'] }),
          metrics: async () => 'rackwright_leader 1',
        }
      },
      tell: async (_, { is, because }) => void did.push(`${is}: ${because}`),
    },
    roles.filter(({ name }) => name === 'metal'),
  )
  return { clock, did, keeper, find: (stance: () => Promise<Stance>) => (next = stance) }
}

it('the operator starts its controllers where nobody else looks after their objects, and tells it once', async () => {
  const { clock, did, keeper } = world()
  await keeper.start()
  await clock.advance(seconds(300))
  expect(did).toEqual(['opens', 'act: nobody else does'])
  await keeper.stop()
  expect(did.at(-1)).toBe('closes')
})
it('X-037 the operator lets go when somebody else appears, and takes up again when they are gone', async () => {
  const { clock, did, keeper, find } = world()
  await keeper.start()
  find(async () => ({ is: 'observe', because: 'metal-operator runs here' }))
  await clock.advance(seconds(31))
  expect(did.slice(2)).toEqual(['closes', 'observe: metal-operator runs here'])
  expect(await keeperMetrics(keeper)).toContain('rackwright_observe_only{role="metal"} 1')
  expect(keeperUnready(keeper)).toEqual([])
  find(async () => ({ is: 'act', because: 'nobody else does' }))
  await clock.advance(seconds(31))
  expect(did.slice(4)).toEqual(['opens', 'act: nobody else does'])
  expect(await keeperMetrics(keeper)).toContain('rackwright_observe_only{role="metal"} 0')
  expect(keeperUnready(keeper)).toEqual(['metal: a cache is not whole yet'])
  await keeper.stop()
})
it('the operator changes nothing while it cannot look', async () => {
  const { clock, did, keeper, find } = world()
  await keeper.start()
  find(() => Promise.reject(new Fault('kube/away', 'Cannot reach the API')))
  await clock.advance(seconds(120))
  expect(did).toEqual(['opens', 'act: nobody else does'])
  await keeper.stop()
})
it('a first look that fails is told to whoever started the operator', async () => {
  const { keeper, find } = world()
  find(() => Promise.reject(new Fault('operator/take-over', 'Cannot take over metal: metal-operator runs here')))
  await expect(keeper.start()).rejects.toThrow('Cannot take over metal')
  await keeper.stop()
})
