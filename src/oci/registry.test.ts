import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testClock } from '../../test/runtime/clock.ts'
import { minutes } from '../core/duration.ts'
import type { HttpRequest, HttpResponse } from '../ports/index.ts'
import { mayHaveCredentials, readChallenge } from './challenge.ts'
import { type Credentials, credentialsIn } from './credentials.ts'
import { openRegistries, type RegistrySettings } from './registries.ts'
import { imageResolver } from './resolve.ts'
import { openWays } from './ways.ts'

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`
const uki = 'the unified kernel image'
const manifest = JSON.stringify({ layers: [{ mediaType: 'application/vnd.ironcore.image.uki', digest: digestOf(uki), size: uki.length }] })
const password = 'canary-registry-password'

type Host = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>
const answer = (status: number, body: HttpResponse['body'] | string = '', headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers,
  body: typeof body === 'string' ? Buffer.from(body) : body,
})

/** The Internet as far as it matters: hosts by their origin, and everything that was asked of each. */
function internet(hosts: Readonly<Record<string, Host>>, settings: RegistrySettings = {}, credentials?: Record<string, Credentials>) {
  const clock = testClock()
  const asked: (HttpRequest & { readonly origin: string })[] = []
  const listed = [...(settings.listed ?? []), ...(settings.allowed ?? []), ...Object.values(settings.mirrors ?? {}).flat()]
  const ways = openWays({ listed, insecure: settings.insecure ?? [] }, origin => async request => {
    asked.push({ ...request, origin })
    const host = hosts[origin]
    if (!host) throw new Error(`nobody answers at ${origin}`)
    return host(request)
  })
  const registries = openRegistries(settings, { clock, ways, ...(credentials ? { credentials: async name => credentials[name] } : {}) })
  return { clock, asked, registries, inspect: (image = 'r.io/os:1') => imageResolver(registries.sourceFor).inspect(image, 'x86_64') }
}
const bearer = (realm: string) => ({ 'www-authenticate': `Bearer realm="${realm}",service="r.io"` })
const wantsToken =
  (realm: string): Host =>
  ({ headers }) =>
    headers['authorization'] === 'Bearer t' ? answer(200, manifest) : answer(401, '', bearer(realm))
const shown = (asked: readonly { readonly origin: string; readonly headers: HttpRequest['headers'] }[]) =>
  asked.map(({ origin, headers }) => `${origin} ${headers['authorization'] ?? 'nothing'}`)

describe('a registry', () => {
  it('is read without credentials, with an anonymous token where one is asked for, once', async () => {
    const { inspect, asked } = internet({
      'https://r.io': wantsToken('https://auth.example/token'),
      'https://auth.example': () => answer(200, '{"token":"t"}'),
    })
    expect((await inspect()).digest).toBe(digestOf(manifest))
    await inspect()
    expect(asked.map(({ origin, url }) => origin + url)).toEqual([
      'https://r.io/v2/os/manifests/1',
      'https://auth.example/token?scope=repository%3Aos%3Apull&service=r.io',
      'https://r.io/v2/os/manifests/1',
      'https://r.io/v2/os/manifests/1',
    ])
  })
  it('X-004 is told its own credentials, by password or for a token', async () => {
    const mine = { 'r.io': { username: 'u', password } }
    const basic = `Basic ${Buffer.from(`u:${password}`).toString('base64')}`
    const byPassword: Host = ({ headers }) =>
      headers['authorization'] === basic ? answer(200, manifest) : answer(401, '', { 'www-authenticate': 'Basic realm="r"' })
    expect((await internet({ 'https://r.io': byPassword }, {}, mine).inspect()).digest).toBe(digestOf(manifest))
    const forToken: Host = ({ headers }) => (headers['authorization'] === basic ? answer(200, '{"access_token":"t"}') : answer(401))
    const world = internet(
      { 'https://r.io': request => (request.url.startsWith('/token') ? forToken(request) : wantsToken('https://r.io/token')(request)) },
      {},
      mine,
    )
    expect((await world.inspect()).digest).toBe(digestOf(manifest))
  })
  it('S6 CVE-2026-90461 whose token service is somewhere else gets no credentials there', async () => {
    const { inspect, asked } = internet(
      { 'https://r.io': wantsToken('https://evil.example/token'), 'https://evil.example': () => answer(200, '{"token":"t"}') },
      {},
      { 'r.io': { username: 'u', password } },
    )
    const fault = await inspect().catch((error: unknown) => error)
    expect(fault).toMatchObject({ code: 'image/unauthorized', message: expect.stringContaining('evil.example') })
    expect(shown(asked)).toEqual(['https://r.io nothing'])
  })
  it('S6 CVE-2026-42997 that sends us elsewhere is followed without credentials', async () => {
    const { registries, asked } = internet(
      {
        'https://r.io': ({ headers }) =>
          headers['authorization']
            ? answer(307, '', { location: 'https://cdn.example/blob?signature=secret' })
            : answer(401, '', { 'www-authenticate': 'Basic' }),
        'https://cdn.example': () => answer(200, uki),
      },
      {},
      { 'r.io': { username: 'u', password } },
    )
    const chunks: Uint8Array[] = []
    for await (const chunk of registries.sourceFor('r.io')!.blob('os', digestOf(uki))) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toBe(uki)
    expect(shown(asked).at(-1)).toBe('https://cdn.example nothing')
  })
  const elsewhere = [
    'http://cdn.example/plain',
    'https://cdn.example:8443/port',
    'https://user:pass@cdn.example/login',
    'file:///etc/passwd',
    'ftp://cdn.example/x',
    'https://',
  ]
  for (const location of elsewhere)
    it(`S5 CVE-2026-34881 that sends us to ${location} is not followed`, async () => {
      const { inspect, asked } = internet({ 'https://r.io': () => answer(307, '', { location }) })
      await expect(inspect()).rejects.toMatchObject({ code: expect.stringMatching(/^image\/(address-refused|redirected)$/) })
      expect(asked).toHaveLength(1)
    })
  it('that sends us round and round is given up', async () => {
    const { inspect, asked } = internet({ 'https://r.io': () => answer(302, '', { location: '/again' }) })
    await expect(inspect()).rejects.toMatchObject({ code: 'image/redirected' })
    expect(asked).toHaveLength(6)
  })
  it('S10 prints no signature of an address that it sent us to', async () => {
    const { inspect } = internet({ 'https://r.io': () => answer(307, '', { location: 'https://cdn.example/blob?signature=secret' }) })
    expect(String(await inspect().catch((error: unknown) => error))).not.toContain('signature')
  })
  const failures: readonly (readonly [status: number, code: string, retry: string])[] = [
    [404, 'image/not-found', 'backoff'],
    [403, 'image/unauthorized', 'when-changed'],
    [500, 'image/registry-failed', 'backoff'],
    [429, 'image/registry-failed', 'backoff'],
  ]
  for (const [status, code, retry] of failures)
    it(`that answers ${status} is told as ${code}`, async () =>
      await expect(internet({ 'https://r.io': () => answer(status) }).inspect()).rejects.toMatchObject({ code, retry }))
  it('that says nothing is given up after half a minute', async () => {
    const { inspect, clock } = internet({
      'https://r.io': ({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    })
    const reading = expect(inspect()).rejects.toMatchObject({ code: 'image/too-slow', retry: 'backoff' })
    await clock.advance(30_000)
    await reading
    expect(clock.pending).toBe(0)
  })
  it('that stops in the middle of a file is given up after a minute', async () => {
    async function* stuck(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      await new Promise(() => {})
    }
    const { registries, clock } = internet({ 'https://r.io': () => answer(200, stuck()) })
    const read = async (): Promise<void> => {
      for await (const _ of registries.sourceFor('r.io')!.blob('os', digestOf(uki)));
    }
    const reading = expect(read()).rejects.toMatchObject({ code: 'image/too-slow' })
    await clock.advance(minutes(1))
    await reading
  })
  it('CVE-2026-44919 refuses a manifest without end', async () => {
    let given = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given += 1
        yield new Uint8Array(1 << 20)
      }
    }
    await expect(internet({ 'https://r.io': () => answer(200, endless()) }).inspect()).rejects.toMatchObject({ code: 'image/malformed' })
    expect(given).toBeLessThan(8)
  })
  it('with a token that is no token is refused', async () => {
    for (const token of ['{"token":"a\\r\\nx: y"}', '{"token":7}', 'nonsense', '{}']) {
      const world = internet({ 'https://r.io': wantsToken('https://r.io/token'), 'https://auth.example': () => answer(200, token) })
      await expect(world.inspect(), token).rejects.toMatchObject({ code: 'image/unauthorized' })
    }
  })
})

describe('registries', () => {
  it('X-004 that are not allowed are refused by name; a star stands for hosts below a domain', async () => {
    const { inspect, asked } = internet({ 'https://a.example.com': () => answer(200, manifest) }, { allowed: ['*.example.com', 'ghcr.io'] })
    expect((await inspect('a.example.com/os:1')).digest).toBe(digestOf(manifest))
    for (const image of ['quay.io/os:1', 'example.com/os:1', 'evilexample.com/os:1', 'os:1', 'ghcr.io.evil.com/os:1'])
      await expect(inspect(image), image).rejects.toMatchObject({ code: 'image/registry-refused' })
    expect(asked).toHaveLength(1)
  })
  it('are asked at their mirrors first, and themselves where a mirror fails', async () => {
    const settings: RegistrySettings = { mirrors: { 'r.io': ['mirror.lan:5000', 'second.lan'] } }
    const first = internet({ 'https://mirror.lan:5000': () => answer(200, manifest) }, settings)
    expect((await first.inspect()).digest).toBe(digestOf(manifest))
    expect(first.asked.map(({ origin }) => origin)).toEqual(['https://mirror.lan:5000'])
    const down = internet({ 'https://second.lan': () => answer(404), 'https://r.io': () => answer(200, manifest) }, settings)
    expect((await down.inspect()).digest).toBe(digestOf(manifest))
    expect(down.asked.map(({ origin }) => origin)).toEqual(['https://mirror.lan:5000', 'https://second.lan', 'https://r.io'])
  })
  it('S6 tell the credentials of a registry to no mirror', async () => {
    const { inspect, asked } = internet(
      { 'https://mirror.lan': () => answer(401, '', { 'www-authenticate': 'Basic' }), 'https://r.io': () => answer(200, manifest) },
      { mirrors: { 'r.io': ['mirror.lan'] } },
      { 'r.io': { username: 'u', password } },
    )
    await inspect()
    expect(shown(asked)).toEqual(['https://mirror.lan nothing', 'https://r.io nothing'])
  })
  it('S5 at private addresses are reached only where they are listed', async () => {
    const real = openRegistries({}, { clock: testClock() })
    for (const host of ['127.0.0.1', '10.0.0.1', 'localhost', '169.254.169.254'])
      await expect(
        imageResolver(real.sourceFor).inspect(`${host === 'localhost' ? 'localhost' : host}/os:1`, 'x86_64'),
        host,
      ).rejects.toMatchObject({
        code: 'image/address-refused',
      })
    await real.close()
  })
})

describe('credentialsIn()', () => {
  const auth = Buffer.from(`u:${password}`).toString('base64')
  const file = (auths: object): string => JSON.stringify({ auths })
  it('finds a registry by its host, however it is written', () => {
    for (const name of ['r.io', 'https://r.io', 'https://r.io/v1/', 'R.io'])
      expect(credentialsIn(file({ [name]: { auth } }), 'r.io')).toEqual({ username: 'u', password })
    expect(credentialsIn(file({ 'https://index.docker.io/v1/': { auth } }), 'docker.io')).toEqual({ username: 'u', password })
    expect(credentialsIn(file({ 'r.io': { username: 'u', password } }), 'r.io')).toEqual({ username: 'u', password })
  })
  it('S6 finds none for any other registry', () => {
    for (const name of ['r.io.evil.com', 'evil-r.io', 'r.io:5000', 'io'])
      expect(credentialsIn(file({ 'r.io': { auth } }), name)).toBeUndefined()
  })
  it('I30 CVE-2026-10101 says what is wrong, and nothing of what it read', () => {
    for (const text of [password, '{}', file({ 'r.io': password }), file({ 'r.io': { auth: password } }), file({ 'r.io': { password } })]) {
      const fault = (() => {
        try {
          return credentialsIn(text, 'r.io')
        } catch (error) {
          return error
        }
      })()
      expect(fault).toMatchObject({ code: 'image/bad-credentials' })
      expect(String(fault)).not.toContain(password)
    }
  })
})

describe('mayHaveCredentials()', () => {
  const rows: readonly (readonly [registry: string, realm: string, may: boolean])[] = [
    ['https://ghcr.io', 'https://ghcr.io/token', true],
    ['https://registry-1.docker.io', 'https://auth.docker.io/token', true],
    ['https://registry.gitlab.com', 'https://gitlab.com/jwt/auth', true],
    ['https://registry.example.com', 'https://listed.example/token', true],
    ['https://r.io', 'http://r.io/token', false],
    ['https://r.io', 'https://r.io:8443/token', false],
    ['https://r.io', 'https://evil.r.io/token', false],
    ['https://r.io', 'https://io/token', false],
    ['https://gitlab.com', 'https://registry.gitlab.com.evil.com/', false],
  ]
  for (const [registry, realm, may] of rows)
    it(`S6 says ${may ? 'yes' : 'no'} to ${realm} for ${registry}`, () =>
      expect(mayHaveCredentials(new URL(realm), new URL(registry), ['listed.example'])).toBe(may))
  it('is asked about what a challenge really says', () => {
    expect(readChallenge('Bearer realm="https://a.io/t",service="s",scope="x"')).toMatchObject({ is: 'bearer', service: 's' })
    for (const odd of [undefined, '', 'Negotiate', 'Bearer', 'Bearer realm="::"']) expect(readChallenge(odd)).toEqual({ is: 'unknown' })
  })
})
