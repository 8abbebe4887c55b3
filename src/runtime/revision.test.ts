import { expect, it } from 'vitest'
import { compareRevisions, isAtLeast, isOlder } from './revision.ts'

it.each([
  { reason: 'equal ones are equal, whatever they are', a: 'x', b: 'x', order: 0 },
  { reason: 'the longer number is larger', a: '9', b: '10', order: -1 },
  { reason: 'numbers larger than a double holds keep their order', a: '18446744073709551615', b: '18446744073709551614', order: 1 },
  { reason: 'what is no number cannot be compared', a: '10', b: '1x', order: undefined },
])('compareRevisions(): $reason', ({ a, b, order }) => {
  const found = compareRevisions(a, b)
  expect(found === undefined ? found : Math.sign(found)).toBe(order)
})

it('isAtLeast() and isOlder() say no where nothing can be told', () => {
  expect([isAtLeast('a', 'b'), isOlder('a', 'b'), isAtLeast(undefined, '1'), isOlder('1', undefined)]).toEqual([false, false, false, false])
  expect([isAtLeast('10', '9'), isOlder('9', '10'), isAtLeast('a', 'a')]).toEqual([true, true, true])
})
