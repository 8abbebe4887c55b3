import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testClock } from '../../test/runtime/clock.ts'
import { openQueue, type Urgency } from './queue.ts'

const open = () => {
  const clock = testClock()
  return { clock, queue: openQueue(clock, () => {}) }
}

describe('the queue', () => {
  it('collapses equal keys, and hands out a change before a look', () => {
    const { queue } = open()
    for (const key of ['a', 'b', 'a', 'b']) queue.add(key, 'look')
    queue.add('c', 'change')
    queue.add('b', 'change')
    expect([queue.next(), queue.next(), queue.next(), queue.next()]).toEqual(['c', 'b', 'a', undefined])
  })

  it('never hands out a key twice at once; what is asked meanwhile comes afterwards', () => {
    const { queue } = open()
    queue.add('a', 'change')
    expect(queue.next()).toBe('a')
    queue.add('a', 'change')
    expect(queue.next()).toBeUndefined()
    expect(queue.done('a')).toBe(true)
    expect(queue.next()).toBe('a')
    expect(queue.done('a')).toBe(false)
    expect(queue.next()).toBeUndefined()
  })

  it('is fair: who comes again stands behind the others, and a storm of changes starves no look', () => {
    const { queue } = open()
    queue.add('patient', 'look')
    for (const key of ['a', 'b']) queue.add(key, 'change')
    const order: string[] = []
    for (let n = 0; n < 20; n++) {
      const key = queue.next()!
      order.push(key)
      queue.done(key)
      if (key !== 'patient') queue.add(key, 'change')
    }
    expect(order.slice(0, 4)).toEqual(['a', 'b', 'a', 'b'])
    expect(order.indexOf('patient')).toBe(8)
  })

  it('keeps one timer per key, which a new one replaces and a reconcile takes away', async () => {
    const { clock, queue } = open()
    queue.later('a', 10)
    queue.later('a', 20)
    expect([queue.timers, clock.pending]).toEqual([1, 1])
    await clock.advance(15)
    expect(queue.next()).toBeUndefined()
    queue.add('a', 'change')
    expect(queue.next()).toBe('a')
    expect([queue.timers, clock.pending]).toEqual([0, 0])
    queue.later('a', 5)
    queue.add('a', 'change')
    queue.done('a')
    expect([queue.timers, queue.next()]).toEqual([0, 'a'])
  })

  it('sets parked keys aside until they are called, or for a time', async () => {
    const { clock, queue } = open()
    for (const key of ['a', 'b']) queue.add(key, 'look')
    queue.park(queue.next()!)
    queue.park(queue.next()!, 30)
    queue.add('a', 'change')
    expect([queue.next(), queue.parked, queue.running]).toEqual([undefined, 2, 0])
    await clock.advance(30)
    queue.unpark('a')
    expect([queue.next(), queue.next(), queue.parked]).toEqual(['a', 'b', 0])
  })

  it('loses nothing and repeats nothing, whatever happens in whatever order', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ is: fc.constant('add' as const), key: fc.constantFrom('a', 'b', 'c'), as: fc.constantFrom<Urgency>('change', 'look') }),
        fc.record({
          is: fc.constantFrom('next' as const, 'done' as const, 'park' as const, 'unpark' as const),
          key: fc.constantFrom('a', 'b', 'c'),
        }),
      ),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(steps, given => {
        const { queue } = open()
        const running = new Set<string>()
        const owed = new Set<string>()
        for (const step of given) {
          if (step.is === 'add') {
            queue.add(step.key, step.as)
            owed.add(step.key)
          } else if (step.is === 'next') {
            const key = queue.next()
            if (key === undefined) continue
            expect(running.has(key)).toBe(false)
            expect(owed.has(key)).toBe(true)
            running.add(key)
            owed.delete(key)
          } else if (step.is === 'unpark') queue.unpark(step.key)
          else if (running.delete(step.key)) {
            if (step.is === 'done') queue.done(step.key)
            else {
              queue.park(step.key)
              owed.add(step.key)
            }
          }
          expect(queue.running).toBe(running.size)
        }
        for (const key of running) queue.done(key)
        for (const key of ['a', 'b', 'c']) queue.unpark(key)
        const rest = new Set<string>()
        for (let key = queue.next(); key !== undefined; key = queue.next()) rest.add(key)
        expect(rest).toEqual(owed)
        expect(queue.depth).toEqual({ change: 0, look: 0 })
      }),
      { numRuns: 500 },
    )
  })
})
