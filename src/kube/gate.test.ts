import { expect, it } from 'vitest'
import { gate } from './gate.ts'

it('gate() runs as many at once as it has places, in order, and goes on after a failure', async () => {
  const through = gate(2)
  const order: string[] = []
  let running = 0
  const results = await Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e'].map(name =>
      through(async () => {
        running++
        expect(running).toBeLessThanOrEqual(2)
        order.push(name)
        await Promise.resolve()
        running--
        if (name === 'b') throw new Error('b failed')
      }),
    ),
  )
  expect(order).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
})
