import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { diskBlobs } from '../../src/boot/blobs/disk.ts'
import { memoryBlobs } from '../../src/boot/blobs/memory.ts'
import { openFetcher } from '../../src/boot/fetcher.ts'
import { keepTidy } from '../../src/boot/tidy.ts'
import { hours } from '../../src/core/duration.ts'
import { verified } from '../../src/oci/verify.ts'
import { silent } from '../../src/ports/index.ts'
import { bootWorld, content, digestOf } from './world.ts'

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

it('a cache keeps what configurations boot and what was asked for lately, and throws the rest away', async () => {
  const blobs = memoryBlobs(verified)
  const world = await bootWorld({ blobs, files: { uki: content.uki } })
  const [old, asked] = [Buffer.from('old'), Buffer.from('asked for')]
  const fetcher = openFetcher({ blobs, baseUrl: '', open: (_, digest) => bytesOf(digest === digestOf(asked) ? asked : old) })
  const ensure = (bytes: Buffer) =>
    fetcher.ensure({ reference: 'r.io/x' }, [{ role: 'kernel', digest: digestOf(bytes), bytes: bytes.length }])
  const stop = new AbortController()
  const tidying = keepTidy({ clock: world.clock, log: silent }, world.boot, fetcher, stop.signal)
  ensure(old)
  ensure(asked)
  await world.clock.settle()
  const there = async () => [await blobs.size(digestOf(old)), await blobs.size(digestOf(asked)), await blobs.size(digestOf(content.uki))]
  expect(await there()).toEqual([3, 9, content.uki.length])
  await world.clock.advance(hours(1))
  expect(await there()).toEqual([3, 9, content.uki.length])
  expect(ensure(asked)).toEqual({ is: 'ready' })
  await world.clock.advance(hours(1))
  expect(await there()).toEqual([undefined, 9, content.uki.length])
  expect(ensure(old)).toMatchObject({ is: 'fetching' })
  stop.abort(new Error('over'))
  await tidying
  await world.end()
})

it('a cache throws nothing away while it is not known what is booted', async () => {
  const blobs = memoryBlobs(verified)
  const world = await bootWorld({ blobs, files: { uki: content.uki } })
  world.through(() => Promise.reject(new Error('connection refused')))
  await world.boot.stop()
  world.boot = await world.another()
  expect(world.boot.boots()).toBeUndefined()
  await world.end()
})

it('a folder throws away what was left half behind, and not what is arriving', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-tidy-'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'incoming-left-behind'), 'half')
  const blobs = diskBlobs(folder, verified)
  let go = (): void => {}
  const gate = new Promise<void>(resolve => (go = resolve))
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield content.kernel
    await gate
  }
  const arriving = blobs.put(digestOf(content.kernel), content.kernel.length, slow())
  await expect.poll(() => readdirSync(folder).length, { timeout: 60_000 }).toBe(2)
  await blobs.prune(() => false)
  go()
  await arriving
  expect(await blobs.size(digestOf(content.kernel))).toBe(content.kernel.length)
  rmSync(folder, { recursive: true, force: true })
})
