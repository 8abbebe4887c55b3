import { expect, it } from 'vitest'
import { Mailbox } from './mailbox.ts'

const drained = async <T>(box: Mailbox<T>): Promise<T[]> => {
  const seen: T[] = []
  for await (const batch of box) seen.push(...batch)
  return seen
}

it('a mailbox hands over everything pending at once, in order, then what comes later', async () => {
  const box = new Mailbox<string>(
    100,
    () => 'overflow',
    () => {},
  )
  box.put('a', 1)
  box.put('b', 1)
  const reading = box[Symbol.asyncIterator]()
  expect((await reading.next()).value).toEqual(['a', 'b'])
  const later = reading.next()
  box.put('c', 1)
  expect((await later).value).toEqual(['c'])
})
it('a mailbox that overflows forgets its backlog, leaves its last word and ends', async () => {
  let ended = 0
  const box = new Mailbox<string>(
    10,
    () => 'gone',
    () => {
      ended += 1
    },
  )
  for (let i = 0; i < 20; i += 1) box.put(`m${i}`, 1)
  expect(await drained(box)).toEqual(['gone'])
  expect(ended).toBe(1)
})
it('a reader that leaves ends the mailbox once', async () => {
  let ended = 0
  const box = new Mailbox<number>(
    10,
    () => -1,
    () => {
      ended += 1
    },
  )
  box.put(1, 1)
  for await (const _ of box) break
  box.put(2, 1)
  expect(ended).toBe(1)
})
