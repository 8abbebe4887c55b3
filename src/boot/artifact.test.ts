import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { testClock } from '../../test/runtime/clock.ts'
import { verified } from '../oci/verify.ts'
import type { Blobs } from '../ports/blobs.ts'
import { servableBlob, serveArtifact } from './artifact.ts'
import { diskBlobs } from './blobs/disk.ts'
import { hotBlobs } from './blobs/hot.ts'
import { memoryBlobs } from './blobs/memory.ts'
import { wantedRange } from './range.ts'

const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => i % 251))
const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const digest = digestOf(content)
async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts
}
const whole = async (body: Uint8Array | AsyncIterable<Uint8Array>): Promise<Buffer> => {
  if (body instanceof Uint8Array) return Buffer.from(body)
  const seen: Uint8Array[] = []
  for await (const chunk of body) {
    expect(chunk.length).toBeLessThanOrEqual(1 << 20)
    seen.push(Buffer.from(chunk))
  }
  return Buffer.concat(seen)
}

const folder = mkdtempSync(join(tmpdir(), 'rackwright-blobs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

for (const [name, open] of [
  ['memory', () => memoryBlobs(verified)],
  ['a folder, kept hot', () => hotBlobs(diskBlobs(join(folder, String(Math.floor(performance.now() * 1000))), verified), testClock())],
  ['a folder', () => diskBlobs(join(folder, String(Math.floor(performance.now() * 1000))), verified)],
] as const) {
  describe(`blobs in ${name}`, () => {
    const filled = async (): Promise<Blobs> => {
      const blobs = open()
      await blobs.put(digest, content.length, chunks(content.subarray(0, 1_000), content.subarray(1_000)))
      return blobs
    }
    it('give back what was put in, and any part of it', async () => {
      const blobs = await filled()
      expect(await blobs.size(digest)).toBe(content.length)
      expect((await whole(blobs.read(digest, 0, content.length))).equals(content)).toBe(true)
      expect((await whole(blobs.read(digest, 1_048_570, 1_048_580))).equals(content.subarray(1_048_570, 1_048_580))).toBe(true)
    })
    it('I13 take in nothing whose digest or size is wrong, and leave nothing of it', async () => {
      const blobs = open()
      await expect(blobs.put(digest, content.length, chunks(content.subarray(1)))).rejects.toThrow('bytes instead of')
      await expect(blobs.put(digest, content.length, chunks(Buffer.alloc(content.length)))).rejects.toThrow('other content')
      expect(await blobs.size(digest)).toBeUndefined()
    })
    it('forget what is not kept', async () => {
      const blobs = await filled()
      expect(await blobs.prune(d => d === digest)).toBe(0)
      expect(await blobs.prune(() => false)).toBe(content.length)
      expect(await blobs.size(digest)).toBeUndefined()
    })
  })
}

describe('hotBlobs()', () => {
  const counting = () => {
    const cold = memoryBlobs(verified)
    let reads = 0
    const read: Blobs['read'] = (...part) => {
      reads += 1
      return cold.read(...part)
    }
    return { cold: { ...cold, read }, reads: () => reads }
  }
  it('read each slice once, however many ask, and again when it was let go', async () => {
    const { cold, reads } = counting()
    const clock = testClock()
    const blobs = hotBlobs(cold, clock)
    await blobs.put(digest, content.length, chunks(content))
    await Promise.all([1, 2, 3].map(() => whole(blobs.read(digest, 0, content.length))))
    expect(reads()).toBe(3)
    await clock.advance(180_000)
    expect(clock.pending).toBe(0)
    await whole(blobs.read(digest, 0, 10))
    expect(reads()).toBe(4)
    blobs.close()
  })
  it('keep no more than they may', async () => {
    const { cold, reads } = counting()
    const blobs = hotBlobs(cold, testClock(), { bytes: 1 << 20 })
    await blobs.put(digest, content.length, chunks(content))
    for (let i = 0; i < 2; i++) expect((await whole(blobs.read(digest, 0, content.length))).equals(content)).toBe(true)
    expect(reads()).toBe(6)
    blobs.close()
  })
})

it('S7 a folder of blobs looks up digests and nothing else', async () => {
  const place = join(folder, 'safe')
  const blobs = diskBlobs(place, verified)
  for (const bad of ['../x', 'sha256:../../etc/passwd', '', 'sha256:ABC'])
    await expect(blobs.size(bad)).rejects.toMatchObject({ code: 'boot/bad-digest' })
  await expect(blobs.put(digest, 3, chunks(Buffer.from('abc')))).rejects.toThrow()
  expect(readdirSync(place)).toEqual([])
  writeFileSync(join(place, 'incoming-left-behind'), 'half')
  expect(await blobs.prune(() => true)).toBe(4)
})

describe('serveArtifact()', () => {
  const ready = async (): Promise<Blobs> => {
    const blobs = memoryBlobs(verified)
    await blobs.put(digest, content.length, chunks(content))
    return blobs
  }
  const ask = async (headers: Record<string, string> = {}, method = 'GET') => {
    const response = serveArtifact(await servableBlob(await ready(), digest), 'uki', { method, headers })
    return { ...response, body: await whole(response.body) }
  }
  it('serves a UKI whole, with its type, length and ETag', async () => {
    const { status, headers, body } = await ask()
    expect({ status, ...headers }).toMatchObject({
      status: 200,
      'content-type': 'application/efi',
      'content-length': '3000000',
      etag: `"${digest}"`,
      'accept-ranges': 'bytes',
    })
    expect(body.equals(content)).toBe(true)
  })
  it('answers HEAD with the same head and no body', async () => {
    const { headers, body } = await ask({}, 'HEAD')
    expect(headers['content-length']).toBe('3000000')
    expect(body).toHaveLength(0)
  })
  it('serves ranges', async () => {
    const { status, headers, body } = await ask({ range: 'bytes=10-19' })
    expect({ status, range: headers['content-range'], length: headers['content-length'] }).toEqual({
      status: 206,
      range: 'bytes 10-19/3000000',
      length: '10',
    })
    expect(body.equals(content.subarray(10, 20))).toBe(true)
    expect((await ask({ range: 'bytes=-5' })).body.equals(content.subarray(-5))).toBe(true)
    expect((await ask({ range: 'bytes=3000000-' })).status).toBe(416)
  })
  it('serves no range of another version', async () => expect((await ask({ range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200))
  it('says that nothing changed', async () => expect((await ask({ 'if-none-match': `"${digest}"` })).status).toBe(304))
  it('asks to come again while the image is not there', async () => {
    const { status, headers } = serveArtifact(await servableBlob(memoryBlobs(verified), digest), 'uki', { method: 'GET', headers: {} })
    expect({ status, again: headers['retry-after'] }).toEqual({ status: 503, again: '5' })
  })
})

it('wantedRange() never reaches beyond the file, whatever is asked', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^bytes=\d{0,5}-\d{0,5}$/)), fc.nat(10_000), (header, size) => {
      const wanted = wantedRange(header, size)
      if (wanted.is === 'part') expect(wanted.start >= 0 && wanted.start < wanted.end && wanted.end <= size).toBe(true)
    }),
  )
})
