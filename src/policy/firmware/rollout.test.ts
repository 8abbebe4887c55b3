import { describe, expect, it } from 'vitest'
import { type Candidate, nextTurn, placesOf, type RolloutRules } from './rollout.ts'

const rules: RolloutRules = { canary: 1, maxUnavailable: 2, pauseAfterFailures: 1, paused: false }
const one = (name: string, is: Candidate['is'] = 'different', more: Partial<Candidate> = {}): Candidate => ({
  name,
  is,
  group: 'm',
  free: true,
  ...more,
})
const fresh = { canaries: [], accepted: [] }

describe('I21 a rollout', () => {
  it('begins with those that go first, and with nobody else', () => {
    expect(nextTurn(rules, [one('a'), one('b'), one('c')], fresh)).toMatchObject({ phase: 'Canary', canaries: ['a'], tell: ['a'] })
    expect(nextTurn(rules, [one('a', 'told'), one('b'), one('c')], { ...fresh, canaries: ['a'] })).toMatchObject({
      phase: 'Canary',
      tell: [],
    })
  })

  it('goes on with as many at once as it may when they are as wanted', () => {
    const fleet = [one('a', 'as-wanted'), one('b', 'told'), one('c'), one('d')]
    expect(nextTurn(rules, fleet, { ...fresh, canaries: ['a'] })).toMatchObject({ phase: 'Rolling', tell: ['c'] })
  })

  it('stops at the first failures, says whose, and goes on when somebody has taken note of them', () => {
    const fleet = [one('a', 'failed'), one('b'), one('c')]
    const step = nextTurn(rules, fleet, { ...fresh, canaries: ['a'] })
    expect(step).toMatchObject({ phase: 'Paused', tell: [], because: 'a failed among those that go first: nothing more is started' })
    expect(nextTurn(rules, fleet, { canaries: ['a'], accepted: ['a'] })).toMatchObject({ phase: 'Rolling', tell: ['b'] })
  })

  it('lets servers that cannot be changed now keep their turn without taking a place', () => {
    const fleet = [
      one('a', 'as-wanted'),
      one('b', 'told', { free: false }),
      one('c', 'different', { free: false }),
      one('d'),
      one('e'),
      one('f'),
    ]
    expect(nextTurn(rules, fleet, { ...fresh, canaries: ['a'] }).tell).toEqual(['d', 'e'])
  })

  it('takes those that go first from every model before a second of any', () => {
    const fleet = [one('a'), one('b'), one('c', 'different', { group: 'n' }), one('d', 'different', { group: 'o' })]
    expect(nextTurn({ ...rules, canary: 3 }, fleet, fresh).canaries).toEqual(['a', 'c', 'd'])
  })

  it('keeps a place for a model that is still being scanned, and begins with nobody else before it is known', () => {
    const two = { ...rules, canary: 2 }
    const scanning = one('z', 'scanning', { group: 'n' })
    expect(nextTurn(two, [one('a'), one('b'), scanning], fresh)).toMatchObject({ phase: 'Canary', canaries: ['a'], tell: ['a'] })
    const state = { ...fresh, canaries: ['a'] }
    expect(nextTurn(two, [one('a', 'as-wanted'), one('b'), scanning], state)).toMatchObject({
      phase: 'Canary',
      canaries: ['a'],
      tell: [],
      because: '1 of 1 that go first are as wanted; waits for the first scan of a server of n',
    })
    expect(nextTurn(two, [one('a', 'as-wanted'), one('b'), one('z', 'different', { group: 'n' })], state)).toMatchObject({
      phase: 'Canary',
      canaries: ['a', 'z'],
      tell: ['z'],
    })
  })

  it('waits for no model whose scans fail, nor for one that has no place among those that go first', () => {
    const mute = one('z', 'scanning', { group: 'n', mute: true })
    expect(nextTurn({ ...rules, canary: 2 }, [one('a'), one('b'), mute], fresh).canaries).toEqual(['a', 'b'])
    const fleet = [one('a', 'as-wanted'), one('b'), one('z', 'scanning', { group: 'n' })]
    expect(nextTurn(rules, fleet, { ...fresh, canaries: ['a'] })).toMatchObject({ phase: 'Rolling', tell: ['b'] })
  })

  it('is done when nothing is left, whatever is held or overridden', () => {
    expect(nextTurn(rules, [one('a', 'as-wanted'), one('b', 'held'), one('c', 'overridden')], fresh).phase).toBe('Done')
    expect(nextTurn(rules, [], fresh).phase).toBe('Done')
  })

  it('starts nothing while it is paused', () => {
    expect(nextTurn({ ...rules, paused: true }, [one('a')], fresh)).toMatchObject({ phase: 'Paused', tell: [] })
  })

  it('never works on more than its share, and always on one', () => {
    expect([placesOf('5%', 500), placesOf('5%', 10), placesOf(3, 10), placesOf('100%', 4)]).toEqual([25, 1, 3, 4])
  })
})
