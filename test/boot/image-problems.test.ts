import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryBlobs } from '../../src/boot/blobs/memory.ts'
import { openFetcher } from '../../src/boot/fetcher.ts'
import { Fault } from '../../src/core/fault.ts'
import { type Serving, serve } from '../../src/net/server.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { credentialsIn } from '../../src/oci/credentials.ts'
import { parseReference } from '../../src/oci/reference.ts'
import { openRegistries, type RegistrySettings } from '../../src/oci/registries.ts'
import { imageResolver } from '../../src/oci/resolve.ts'
import { verified } from '../../src/oci/verify.ts'
import { imageFit } from '../../src/policy/boot/image-fit.ts'
import type { BootMethod } from '../../src/policy/boot/method.ts'
import { pxe } from '../../src/policy/boot/pxe.ts'
import { uefiHttp } from '../../src/policy/boot/uefi-http.ts'
import type { HttpRequest, HttpResponse } from '../../src/ports/index.ts'
import { silent } from '../../src/ports/index.ts'
import { packImage, type SimImage } from '../../src/sim/images/image.ts'

const file = (text: string): Buffer => Buffer.from(text.repeat(1_000))
const image = (tag: string, content: SimImage['content']): SimImage => ({ repository: 'os', tag, content })
const images = [
  image('good', { amd64: { uki: file('uki'), kernel: file('kernel'), initramfs: file('initramfs') } }),
  image('no-uki', { amd64: { kernel: file('kernel'), initramfs: file('initramfs') } }),
  image('no-initramfs', { amd64: { kernel: file('kernel') } }),
  image('arm', { arm64: { uki: file('uki') } }),
].map(packImage)
const answer = (status: number, body: HttpResponse['body'] | string = '', headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers,
  body: typeof body === 'string' ? Buffer.from(body) : body,
})

/** A registry on a socket, whose answers a test spoils and mends. */
function content({ url }: HttpRequest): HttpResponse {
  const [, kind = '', name = ''] = /^\/v2\/os\/(manifests|blobs)\/(.+)$/.exec(url) ?? []
  const tagged = images.find(({ name: full }) => kind === 'manifests' && full === `os:${name}`)?.top.digest ?? name
  const found = images.flatMap(({ blobs }) => blobs).find(({ digest }) => digest === tagged)
  return found ? answer(200, found.bytes) : answer(404)
}
const isBlob = ({ url }: HttpRequest): boolean => url.includes('/blobs/')

let serving: Serving
let spoiled: ((request: HttpRequest, answer: () => HttpResponse) => HttpResponse) | undefined
beforeEach(async () => {
  spoiled = undefined
  const handler = async (request: HttpRequest) => (spoiled ? spoiled(request, () => content(request)) : content(request))
  serving = await serve({ host: '127.0.0.1', port: 0, clock: wallClock, log: silent, handler })
})
afterEach(() => serving.close())

type Outcome = { readonly is: 'ready' } | { readonly is: 'failed'; readonly code: string; readonly because: string }

/** What the controllers do with an image: look, judge, fetch. */
function boots(tag: string, method: BootMethod, settings?: RegistrySettings, dockerConfig?: string) {
  const registry = `127.0.0.1:${serving.port}`
  const credentials = dockerConfig === undefined ? {} : { credentials: async (name: string) => credentialsIn(dockerConfig, name) }
  const registries = openRegistries(settings ?? { allowed: [registry] }, { clock: wallClock, ...credentials })
  const blobs = memoryBlobs(verified)
  const fetcher = openFetcher({
    blobs,
    baseUrl: 'https://boot.example',
    open: (reference, digest) => registries.sourceFor(registry)!.blob(parseReference(reference).repository, digest),
  })
  const once = async (): Promise<Outcome> => {
    try {
      const facts = await imageResolver(registries.sourceFor).inspect(`${registry}/os:${tag}`, 'x86_64')
      const fit = imageFit(method, { ...facts, reference: tag, roles: facts.artifacts.map(a => a.role) }, 'x86_64')
      if (!fit.fits) return { is: 'failed', code: fit.reason, because: fit.because }
      const wanted = facts.artifacts.filter(a => fit.uses.includes(a.role))
      for (;;) {
        const state = fetcher.ensure(facts, wanted)
        if (state.is !== 'fetching') return state
        await new Promise(resolve => setImmediate(resolve))
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return { is: 'failed', code: error.code, because: error.message }
    }
  }
  const cached = async (): Promise<number> => {
    const digests = new Set(images.flatMap(({ blobs: all }) => all.map(({ digest }) => digest)))
    const sizes = await Promise.all([...digests].map(digest => blobs.size(digest)))
    return sizes.filter(size => size !== undefined).length
  }
  return { once, cached, close: () => registries.close() }
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield new Uint8Array(64 << 10)
}
const flipped = (body: HttpResponse['body']): Uint8Array => {
  const copy = Buffer.from(body as Uint8Array)
  copy[7]! ^= 1
  return copy
}

const huge = JSON.stringify({
  schemaVersion: 2,
  layers: [{ mediaType: 'application/vnd.ironcore.image.uki', digest: `sha256:${'0'.repeat(64)}`, size: 16 * 1024 ** 3 + 1 }],
})

interface Problem {
  readonly what: string
  readonly tag?: string
  readonly method?: BootMethod
  readonly settings?: () => RegistrySettings
  readonly dockerConfig?: () => string
  readonly spoil?: NonNullable<typeof spoiled>
  readonly code: string
  readonly says: string | RegExp
}

const unauthorized: NonNullable<typeof spoiled> = ({ headers }, good) =>
  headers['authorization'] === `Basic ${Buffer.from('u:right').toString('base64')}`
    ? good()
    : answer(401, '', { 'www-authenticate': 'Basic' })

const problems: readonly Problem[] = [
  { what: 'a missing UKI', tag: 'no-uki', code: 'MissingArtifact', says: 'it needs uki; found kernel, initramfs' },
  {
    what: 'a missing initramfs',
    tag: 'no-initramfs',
    method: pxe,
    code: 'MissingArtifact',
    says: 'it needs kernel and initramfs; found kernel',
  },
  { what: 'another architecture', tag: 'arm', code: 'image/no-architecture', says: 'it is made for arm64' },
  { what: 'an unknown tag', tag: 'tomorrow', code: 'image/not-found', says: 'os:tomorrow' },
  { what: 'a registry that fails', spoil: () => answer(500), code: 'image/registry-failed', says: 'it answered 500' },
  { what: 'missing credentials', spoil: unauthorized, code: 'image/unauthorized', says: 'there are none for it' },
  {
    what: 'bad credentials',
    spoil: unauthorized,
    dockerConfig: () => JSON.stringify({ auths: { [`127.0.0.1:${serving.port}`]: { username: 'u', password: 'canary-wrong' } } }),
    code: 'image/unauthorized',
    says: 'it refuses the credentials',
  },
  {
    what: 'a flipped byte',
    spoil: (request, good) => (isBlob(request) ? answer(200, flipped(good().body)) : good()),
    code: 'image/digest-differs',
    says: 'other content',
  },
  {
    what: 'a flipped byte in a manifest',
    spoil: (request, good) => (request.url.includes('manifests/sha256:') ? answer(200, flipped(good().body)) : good()),
    code: 'image/digest-differs',
    says: 'other content',
  },
  {
    what: 'a truncated layer',
    spoil: (request, good) => (isBlob(request) ? answer(200, (good().body as Uint8Array).subarray(0, 100)) : good()),
    code: 'image/digest-differs',
    says: '100 bytes instead of 3000',
  },
  {
    what: 'a layer that is longer than it says',
    spoil: (request, good) => (isBlob(request) ? answer(200, Buffer.concat([good().body as Uint8Array, Buffer.from('more')])) : good()),
    code: 'image/digest-differs',
    says: 'more than the 3000 bytes',
  },
  {
    what: 'a layer that is larger than anything that is booted',
    spoil: ({ url }, good) => (url.endsWith('/manifests/good') ? answer(200, huge) : good()),
    code: 'image/too-large',
    says: 'its uki has 17179869185 bytes',
  },
  {
    what: 'a registry that is not allowed',
    settings: () => ({ allowed: ['ghcr.io'] }),
    code: 'image/registry-refused',
    says: 'is not an allowed registry',
  },
  {
    what: 'CVE-2026-34881 a redirect to a private address',
    spoil: (request, good) => (isBlob(request) ? answer(307, '', { location: 'https://169.254.169.254/latest/meta-data' }) : good()),
    code: 'image/address-refused',
    says: '169.254.169.254',
  },
  {
    what: 'a redirect to a name that has a private address',
    spoil: (request, good) => (isBlob(request) ? answer(307, '', { location: 'https://localhost/x' }) : good()),
    code: 'image/address-refused',
    says: 'localhost',
  },
  {
    what: 'CVE-2026-44919 a body without end',
    spoil: (request, good) => (isBlob(request) ? answer(200, endless()) : good()),
    code: 'image/digest-differs',
    says: 'more than the 3000 bytes',
  },
]

describe('an image with', () => {
  for (const { what, tag = 'good', method = uefiHttp, settings, dockerConfig, spoil, code, says } of problems)
    it(`BP-028 X-003 S16 ${what} is told as ${code}, and nothing of it is kept`, async () => {
      spoiled = spoil
      const { once, cached, close } = boots(tag, method, settings?.(), dockerConfig?.())
      const outcome = await once()
      expect(outcome).toMatchObject({ is: 'failed', code, because: expect.stringContaining(String(says)) })
      expect(JSON.stringify(outcome)).not.toContain('canary')
      expect(await cached()).toBe(0)
      await close()
    })
  for (const { what, spoil, dockerConfig } of problems.filter(({ spoil: s, dockerConfig: d }) => s && !d))
    it(`BP-028 ${what} recovers by itself when that is mended`, async () => {
      spoiled = spoil
      const { once, cached, close } = boots('good', uefiHttp, undefined, dockerConfig?.())
      expect((await once()).is).toBe('failed')
      spoiled = undefined
      expect(await once()).toEqual({ is: 'ready' })
      expect(await cached()).toBe(1)
      await close()
    })
  it('BP-028 a registry that is down is told so, and recovers', async () => {
    const { once, close } = boots('good', uefiHttp)
    const { port } = serving
    await serving.close()
    expect(await once()).toMatchObject({ is: 'failed', code: 'image/registry-unreachable' })
    serving = await serve({ host: '127.0.0.1', port, clock: wallClock, log: silent, handler: async request => content(request) })
    expect(await once()).toEqual({ is: 'ready' })
    await close()
  })
})
