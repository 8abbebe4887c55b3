import { afterEach, describe, expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { type BootWorld, bootWorld, type Circumstances, content, home, stranger } from './world.ts'

const worlds: BootWorld[] = []
const given = async (circumstances: Circumstances): Promise<BootWorld> => {
  const world = await bootWorld({ method: 'VirtualMedia', files: { uki: content.uki }, ...circumstances })
  worlds.push(world)
  return world
}
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.end()
})

describe('a virtual medium', () => {
  it('BP-074 is made of the UKI where the image has no ISO', async () => {
    const world = await given({})
    const head = await world.ask(`${world.ticket()}/os.iso`, { method: 'HEAD' })
    const disc = await world.ask(`${world.ticket()}/os.iso`)
    expect([head.status, head.headers['content-length'], head.headers['accept-ranges']]).toEqual([200, String(disc.bytes.length), 'bytes'])
    expect(disc.bytes.includes(content.uki)).toBe(true)
    expect(await world.served()).toMatchObject({ fetches: [{ what: 'uki', from: home, done: expect.any(String) }] })
  })
  it('counts as fetched once every byte of its UKI was read, in whatever pieces', async () => {
    const world = await given({})
    const path = `${world.ticket()}/os.iso`
    const size = (await world.ask(path, { method: 'HEAD' })).headers['content-length']
    const pieces = Array.from({ length: Math.ceil(Number(size) / 500_000) }, (_, n) => n * 500_000).toReversed()
    for (const [n, start] of pieces.entries()) {
      expect((await world.served())?.fetches?.[0]?.done, `before piece ${n}`).toBeUndefined()
      await world.ask(path, { headers: { range: `bytes=${start}-${start + 499_999}` } })
    }
    expect((await world.served())?.fetches?.[0]?.done).toBeDefined()
  })
  it('is read again and again while its attempt is open, and not once its system was seen', async () => {
    const world = await given({})
    await world.ask(`${world.ticket()}/os.iso`)
    await world.clock.advance(minutes(10))
    expect((await world.ask(`${world.ticket()}/os.iso`, { headers: { range: 'bytes=0-99' } })).status).toBe(206)
    await world.note({ serves: false })
    expect((await world.ask(`${world.ticket()}/os.iso`)).status).toBe(403)
  })
  it('S9 is read by one BMC only', async () => {
    const world = await given({})
    await world.ask(`${world.ticket()}/os.iso`)
    expect((await world.ask(`${world.ticket()}/os.iso`, { from: stranger })).status).toBe(403)
  })
  it('is not made for another way to boot', async () => {
    const world = await given({ method: 'UefiHttp' })
    expect((await world.ask(`${world.ticket()}/os.iso`)).status).toBe(404)
  })
})
