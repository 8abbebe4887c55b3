import { expect, it } from 'vitest'
import { turn } from './clock/virtual.ts'
import { newLife } from './life.ts'

it('what a process waits for never settles once it is dead', async () => {
  const life = newLife()
  const heard: string[] = []
  void life.hear(turn()).then(() => heard.push('an answer'))
  void life.hear(turn().then(() => Promise.reject(new Error('no')))).catch(() => heard.push('a failure'))
  life.die()
  await turn()
  await turn()
  expect(heard).toEqual([])
})
it('what reached a process while it stood still reaches it when it goes on, in order', async () => {
  const life = newLife()
  const heard: number[] = []
  life.stop()
  for (const n of [1, 2, 3]) void life.hear(Promise.resolve(n)).then(value => heard.push(value))
  await turn()
  expect(heard).toEqual([])
  life.resume()
  await turn()
  expect(heard).toEqual([1, 2, 3])
})
it('connections break when a process dies, unless they ended before', () => {
  const life = newLife()
  const broken: string[] = []
  life.onDeath(() => broken.push('open'))
  life.onDeath(() => broken.push('closed'))()
  life.die()
  life.onDeath(() => broken.push('too late'))
  expect(broken).toEqual(['open', 'too late'])
})
