import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { layoutSource } from './layout.ts'
import { imageResolver } from './resolve.ts'
import { verified } from './verify.ts'

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`
const uki = 'the unified kernel image'
const manifest = JSON.stringify({ layers: [{ mediaType: 'application/vnd.ironcore.image.uki', digest: digestOf(uki), size: uki.length }] })

describe('layoutSource()', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-layout-'))
  mkdirSync(join(folder, 'blobs', 'sha256'), { recursive: true })
  for (const blob of [uki, manifest]) writeFileSync(join(folder, 'blobs', 'sha256', digestOf(blob).slice(7)), blob)
  const entry = {
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    digest: digestOf(manifest),
    size: manifest.length,
    annotations: { 'org.opencontainers.image.ref.name': 'os:1' },
  }
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [entry] }))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const source = layoutSource(folder)

  it('finds an image by tag, and its bytes by digest', async () => {
    const { digest, artifacts } = await imageResolver(() => source).inspect('folder.local/os:1', 'x86_64')
    expect(digest).toBe(digestOf(manifest))
    const [artifact] = artifacts
    const chunks: Uint8Array[] = []
    for await (const chunk of verified(source.blob('os', artifact?.digest ?? ''), artifact?.digest ?? '', artifact?.bytes ?? 0))
      chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toBe(uki)
  })
  it('says which image is not there', async () => {
    await expect(imageResolver(() => source).inspect('folder.local/os:2', 'x86_64')).rejects.toMatchObject({
      code: 'image/not-found',
      message: expect.stringContaining('os:2'),
    })
  })
  it('S7 makes no path of anything but a digest', async () => {
    const read = async (digest: string): Promise<void> => {
      for await (const _ of source.blob('os', digest));
    }
    for (const digest of ['../../etc/passwd', 'sha256:../../x', `sha256:${'a'.repeat(63)}/`, ''])
      await expect(read(digest)).rejects.toMatchObject({ code: 'image/bad-reference' })
  })
})
