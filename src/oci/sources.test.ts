import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { HttpRequest, HttpResponse } from '../ports/index.ts'
import { layoutSource } from './layout.ts'
import { registrySource } from './registry.ts'
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

describe('registrySource()', () => {
  const answer = (status: number, body: string, headers: Record<string, string> = {}): HttpResponse => ({
    status,
    headers,
    body: Buffer.from(body),
  })
  const challenge = { 'www-authenticate': 'Bearer realm="https://auth.example/token",service="r.io"' }
  const seen: HttpRequest[] = []
  const registry = (respond: (request: HttpRequest) => HttpResponse, token?: (realm: URL) => HttpResponse) =>
    registrySource({
      name: 'r.io',
      transport: async request => {
        seen.push(request)
        return respond(request)
      },
      ...(token ? { tokenTransport: (realm: URL) => (realm.host === 'auth.example' ? async () => token(realm) : undefined) } : {}),
    })
  const read = (source: ReturnType<typeof registry>) => imageResolver(() => source).inspect('r.io/os:1', 'x86_64')

  it('reads a manifest, and fetches an anonymous token once where one is asked for', async () => {
    seen.length = 0
    let asked = 0
    const source = registry(
      request => (request.headers['authorization'] === 'Bearer t' ? answer(200, manifest) : answer(401, '', challenge)),
      () => {
        asked += 1
        return answer(200, '{"token":"t"}')
      },
    )
    expect((await read(source)).digest).toBe(digestOf(manifest))
    await read(source)
    expect({ asked, requests: seen.length }).toEqual({ asked: 1, requests: 3 })
  })
  it('S5 asks no token service that is not allowed', async () => {
    const source = registry(
      () => answer(401, '', { 'www-authenticate': 'Bearer realm="http://169.254.169.254/latest"' }),
      () => answer(200, '{"token":"t"}'),
    )
    await expect(read(source)).rejects.toMatchObject({
      code: 'image/unauthorized',
      message: expect.stringContaining('not an allowed host'),
    })
  })
  it('S6 follows no redirect, and prints no signature of one', async () => {
    const source = registry(() => answer(307, '', { location: 'https://elsewhere.example/blob?signature=secret' }))
    const fault = await read(source).catch((error: unknown) => error)
    expect(fault).toMatchObject({ code: 'image/redirected', message: expect.stringContaining('elsewhere.example') })
    expect(String(fault)).not.toContain('secret')
  })
  const failures: readonly (readonly [status: number, code: string, retry: string])[] = [
    [404, 'image/not-found', 'backoff'],
    [403, 'image/unauthorized', 'when-changed'],
    [500, 'image/registry-failed', 'backoff'],
    [429, 'image/registry-failed', 'backoff'],
  ]
  for (const [status, code, retry] of failures)
    it(`tells ${status} as ${code}`, async () =>
      await expect(read(registry(() => answer(status, '')))).rejects.toMatchObject({ code, retry }))
  it('tells a registry that is down', async () => {
    const source = registrySource({ name: 'r.io', transport: () => Promise.reject(new Error('connection refused')) })
    await expect(read(source)).rejects.toMatchObject({ code: 'image/registry-unreachable', retry: 'backoff' })
  })
  it('refuses a manifest without end', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield new Uint8Array(1 << 20)
    }
    await expect(read(registry(() => ({ status: 200, headers: {}, body: endless() })))).rejects.toMatchObject({ code: 'image/malformed' })
  })
})
