import { expect, it } from 'vitest'
import { seeded, seededIds } from './seed.ts'

const some = (seed: string) => {
  const ids = seededIds(seeded(seed))
  return [ids.uid(), ids.suffix(5), ids.nonce(12)]
}

it('the same seed makes the same ids, another seed others', () => {
  expect(some('a')).toEqual(some('a'))
  expect(some('a')).not.toEqual(some('b'))
})
it('ids look like those that chance makes', () => {
  const [uid, suffix, nonce] = some('a')
  expect(uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(suffix).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/)
  expect(Buffer.from(nonce!, 'base64url')).toHaveLength(12)
})
it('numbers are spread evenly, and a fork does not depend on how much its source was used', () => {
  const random = seeded('x')
  const counts = [0, 0, 0, 0]
  for (let i = 0; i < 40_000; i++) counts[random.int(4)]!++
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500)
  expect(random.fork('part').next()).toBe(seeded('x').fork('part').next())
})
