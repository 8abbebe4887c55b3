import { describe, expect, it } from 'vitest'
import type { ApiError } from '../../src/api/status.ts'
import { kubeClient } from '../../src/kube/index.ts'
import type { HttpRequest, ResourceRef, Transport } from '../../src/ports/index.ts'
import { failure, item, json, plainIds, script, stepClock, text } from './fakes.ts'

const configMaps: ResourceRef = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
const servers: ResourceRef = { group: 'metal.ironcore.dev', version: 'v1alpha1', plural: 'servers', namespaced: false }
const accounts: ResourceRef = { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true }
const key = { name: 'a', namespace: 'default' }

const client = (transport: Transport, clock = stepClock(true)) => kubeClient(transport, { clock, ids: plainIds })
const sent = (request: HttpRequest | undefined) => ({
  what: `${request?.method} ${request?.url}`,
  type: request?.headers['content-type'],
  body: request?.body === undefined ? undefined : (JSON.parse(new TextDecoder().decode(request.body)) as unknown),
})
const thrown = async (work: Promise<unknown>): Promise<ApiError> =>
  work.then(
    () => expect.unreachable(),
    (error: ApiError) => error,
  )

describe('a request', () => {
  it('goes to the path of its resource, object and subresource', async () => {
    const to = script(json(item('a', 1)), json(item('a', 1)), json(item('a', 2)), json(item('a', 3)))
    const kube = client(to)
    await kube.get(configMaps, key)
    await kube.get(servers, { name: 'a/b?' })
    await kube.create(configMaps, { ...item('a', 1) }, { dryRun: true, manager: 'me', fieldValidation: 'Strict' })
    await kube.update(configMaps, item('a', 2), { subresource: 'status' })
    expect(to.asked.map(request => sent(request).what)).toEqual([
      'GET /api/v1/namespaces/default/configmaps/a',
      'GET /apis/metal.ironcore.dev/v1alpha1/servers/a%2Fb%3F',
      'POST /api/v1/namespaces/default/configmaps?dryRun=All&fieldManager=me&fieldValidation=Strict',
      'PUT /api/v1/namespaces/default/configmaps/a/status',
    ])
  })

  it('carries each kind of patch under its own content type', async () => {
    const to = script(...Array.from({ length: 4 }, () => json(item('a', 2))))
    const kube = client(to)
    await kube.patch(configMaps, key, { merge: { data: { a: '1' } } }, { subresource: 'status' })
    await kube.patch(configMaps, key, { strategic: { data: {} } })
    await kube.patch(configMaps, key, { json: [{ op: 'remove', path: '/data' }] })
    await kube.patch(configMaps, key, { apply: item('a', 2), manager: 'me', force: true })
    expect(to.asked.map(request => [sent(request).type, request.url.slice('/api/v1/namespaces/default/configmaps'.length)])).toEqual([
      ['application/merge-patch+json', '/a/status'],
      ['application/strategic-merge-patch+json', '/a'],
      ['application/json-patch+json', '/a'],
      ['application/apply-patch+yaml', '/a?fieldManager=me&force=true'],
    ])
  })

  it('deletes with preconditions and propagation in the body', async () => {
    const to = script(json({ kind: 'Status', status: 'Success' }))
    await client(to).delete(configMaps, key, { uid: 'u1', revision: '7', propagation: 'Foreground' })
    expect(sent(to.asked[0])).toMatchObject({
      what: 'DELETE /api/v1/namespaces/default/configmaps/a',
      body: { kind: 'DeleteOptions', preconditions: { uid: 'u1', resourceVersion: '7' }, propagationPolicy: 'Foreground' },
    })
  })

  it('asks for a token through the subresource of a service account', async () => {
    const to = script(json({ kind: 'TokenRequest', status: { token: 'ey' } }, 201))
    const answer = await client(to).call<{ status: { token: string } }>(accounts, key, 'token', { spec: { expirationSeconds: 600 } })
    expect(answer.status.token).toBe('ey')
    expect(sent(to.asked[0]).what).toBe('POST /api/v1/namespaces/default/serviceaccounts/a/token')
  })

  it('is refused before it is sent when it would name more than one object', async () => {
    const to = script()
    await expect(client(to).get(configMaps, { name: '', namespace: 'default' })).rejects.toThrow('its name is empty')
    await expect(client(to).delete(configMaps, { name: 'a' })).rejects.toThrow('it needs a namespace')
    expect(to.asked).toHaveLength(0)
  })

  it('takes the shared object where the transport offers one', async () => {
    const shared = Object.freeze(item('a', 1))
    const kube = client(async request => {
      expect(request.shares).toBe(true)
      return { status: 200, headers: {}, body: new Uint8Array(), shared: { object: shared } }
    })
    expect(await kube.get(configMaps, key)).toBe(shared)
  })
})

describe('a refusal', () => {
  it('is rebuilt from its Status, causes and all', async () => {
    const causes = [{ reason: 'FieldValueRequired', message: 'is required', field: 'spec.image' }]
    const error = await thrown(
      client(script(json(failure(422, 'Invalid', { details: { name: 'a', kind: 'servers', causes } }), 422))).get(configMaps, key),
    )
    expect(error).toMatchObject({
      reason: 'Invalid',
      code: 422,
      message: 'refused: Invalid',
      details: { name: 'a', kind: 'servers', causes },
    })
  })

  it('that is no Status is told with what was asked, its code and its beginning', async () => {
    const error = await thrown(client(script(text('<html>\n bad  gateway</html>', 502))).get(configMaps, key))
    expect(error).toMatchObject({ code: 502 })
    expect(error.message).toBe('Cannot GET /api/v1/namespaces/default/configmaps/a: the server answered 502 (<html> bad gateway</html>)')
  })

  it('of a missing object is undefined for find(), of a missing resource it is not', async () => {
    const missing = client(script(json(failure(404, 'NotFound', { details: { name: 'a', kind: 'configmaps' } }), 404)))
    expect(await missing.find(configMaps, key)).toBeUndefined()
    const unserved = client(script(text('404 page not found\n', 404)))
    await expect(unserved.find(configMaps, key)).rejects.toMatchObject({ reason: 'NotFound' })
  })

  it.each(['GET', 'POST'])('with 429 is obeyed and asked again (%s)', async method => {
    const clock = stepClock(true)
    const to = script(
      text('slow down', 429, { 'retry-after': '3' }),
      json(failure(429, 'TooManyRequests', { details: { retryAfterSeconds: 7 } }), 429),
      json(item('a', 1)),
    )
    const kube = client(to, clock)
    await (method === 'GET' ? kube.get(configMaps, key) : kube.create(configMaps, item('a', 1)))
    expect(clock.waits).toEqual([3_000, 7_000])
    expect(to.asked).toHaveLength(3)
  })

  it('with 429 for ever is passed on after a few times', async () => {
    const to = script(...Array.from({ length: 9 }, () => text('slow down', 429)))
    expect(await thrown(client(to).get(configMaps, key))).toMatchObject({ reason: 'TooManyRequests', code: 429 })
    expect(to.asked).toHaveLength(5)
  })

  it('with 503 and a time is repeated for reads, never for writes', async () => {
    const busy = text('starting', 503, { 'retry-after': '1' })
    expect(await client(script(busy, json(item('a', 1)))).get(configMaps, key)).toMatchObject({ metadata: { name: 'a' } })
    expect(await thrown(client(script(busy)).create(configMaps, item('a', 1)))).toMatchObject({ code: 503 })
  })
})

describe('a server that cannot be reached', () => {
  it('is a fault that says what was tried and what was found', async () => {
    const kube = client(() => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:6443')))
    await expect(kube.get(configMaps, key)).rejects.toMatchObject({
      code: 'kube/unreachable',
      message: 'Cannot GET /api/v1/namespaces/default/configmaps/a: connect ECONNREFUSED 127.0.0.1:6443',
    })
  })

  it('and does not answer at all is given up after a minute', async () => {
    const clock = stepClock()
    const hanging: Transport = ({ signal }) => new Promise((_, failed) => signal?.addEventListener('abort', () => failed(signal.reason)))
    const asked = thrown(client(hanging, clock).get(configMaps, key))
    await clock.advance(60_000)
    expect(await asked).toMatchObject({ code: 'kube/no-answer' })
  })

  it('is left at once when the caller gives up', async () => {
    const stop = new AbortController()
    const hanging: Transport = ({ signal }) =>
      new Promise((_, failed) => signal?.addEventListener('abort', () => failed(new Error('aborted'))))
    const asked = thrown(client(hanging).get(configMaps, key, { signal: stop.signal }))
    stop.abort(new Error('shutting down'))
    expect((await asked).message).toBe('shutting down')
  })

  it('or answers something else than JSON is a fault, not a crash', async () => {
    await expect(client(script(text('hello', 200))).get(configMaps, key)).rejects.toMatchObject({ code: 'kube/odd-answer' })
  })
})

describe('a list', () => {
  const page = (items: unknown[], revision: string, next?: string) =>
    json({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: revision, ...(next ? { continue: next } : {}) }, items })

  it('is read page by page with its selectors, and is true for one revision', async () => {
    const to = script(page([item('a', 1)], '9', 'token-1'), page([item('b', 2)], '9'))
    const listing = await client(to).list(configMaps, { namespace: 'default', labels: 'app=x', fields: 'metadata.name!=c' })
    expect(listing).toMatchObject({ revision: '9', items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] })
    const queries = to.asked.map(({ url }) => Object.fromEntries(new URLSearchParams(url.split('?')[1])))
    expect(queries).toEqual([
      { labelSelector: 'app=x', fieldSelector: 'metadata.name!=c', limit: '500' },
      { labelSelector: 'app=x', fieldSelector: 'metadata.name!=c', limit: '500', continue: 'token-1' },
    ])
  })

  it('whose continue token expired is read again as a whole', async () => {
    const to = script(page([item('a', 1)], '9', 'token-1'), json(failure(410, 'Expired'), 410), page([item('a', 1), item('b', 2)], '12'))
    expect((await client(to).list(configMaps)).items).toHaveLength(2)
    expect(to.asked[2]?.url).toBe('/api/v1/configmaps')
  })

  it('of a built-in kind gives its items the kind that Kubernetes leaves out', async () => {
    const { kind: _, apiVersion: __, ...bare } = item('a', 1)
    expect((await client(script(page([bare], '9'))).list(configMaps)).items[0]).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' })
  })

  it('that is no list is a fault', async () => {
    await expect(client(script(json({ kind: 'Pod' }))).list(configMaps)).rejects.toMatchObject({ code: 'kube/odd-answer' })
  })
})
