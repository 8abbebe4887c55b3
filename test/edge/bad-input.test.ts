import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../src/ports/index.ts'
import { type Edge, startEdge } from './start.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge()
})
afterAll(() => edge.close())

const read = async (body: Uint8Array | AsyncIterable<Uint8Array>): Promise<string> => {
  if (body instanceof Uint8Array) return Buffer.from(body).toString()
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const maps = '/api/v1/namespaces/default/configmaps'
const type = (contentType: string) => ({ 'content-type': contentType })
const json = type('application/json')
const object = (more: object) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'bad' }, ...more })
const post = (body: string | Uint8Array, headers: Record<string, string> = json, url = maps): HttpRequest => ({
  method: 'POST',
  url,
  headers,
  body: Buffer.from(body),
})

/** What is sent, and the code that it must be answered with. */
const cases: readonly (readonly [what: string, request: HttpRequest, code: number])[] = [
  ['no body', post(''), 400],
  ['JSON that breaks off', post('{"kind":'), 400],
  ['JSON that is no object', post('[]'), 400],
  ['JSON 257 levels deep', post('['.repeat(257) + ']'.repeat(257)), 400],
  ['JSON with 50,001 keys', post(`{${Array.from({ length: 50_001 }, (_, i) => `"k${i}":0`).join(',')}}`), 400],
  ['more than 3 MiB', post(object({ data: { a: 'x'.repeat(3 * 1024 * 1024) } })), 413],
  ['a __proto__ key', post('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"bad","__proto__":{"x":1}}}'), 400],
  ['YAML that breaks off', post('a: [', type('application/yaml')), 400],
  ['YAML beyond 256 KB', post(`a: ${'x'.repeat(256 * 1024)}`, type('application/yaml')), 413],
  [
    'a YAML alias bomb',
    post(
      `a: &a [1,1]\n${'bcdefghijklmnopqrst'
        .split('')
        .map((c, i) => `${c}: &${c} [*${'abcdefghijklmnopqrs'[i]},*${'abcdefghijklmnopqrs'[i]}]`)
        .join('\n')}`,
      type('application/yaml'),
    ),
    400,
  ],
  ['protobuf without its magic bytes', post('nonsense', type('application/vnd.kubernetes.protobuf')), 400],
  ['protobuf that breaks off', post(Buffer.from('k8s\0\x0a\x7f'), type('application/vnd.kubernetes.protobuf')), 400],
  ['a body in an unknown language', post('<a/>', type('text/xml')), 415],
  ['a content type that is none', post('{}', type(';')), 415],
  ['another kind than the URL’s', post(object({ kind: 'Secret' })), 400],
  ['a wrong type', post(object({ data: { a: 1 } })), 422],
  ['a bad name', post(object({ metadata: { name: 'Not_A_Name' } })), 422],
  ['an unknown field, strictly', post(object({ nonsense: 1 }), json, `${maps}?fieldValidation=Strict`), 400],
  [
    'a field named twice, strictly',
    post('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"b"}}', json, `${maps}?fieldValidation=Strict`),
    400,
  ],
  ['a bad label selector', { method: 'GET', url: `${maps}?labelSelector=a%20in%20(`, headers: {} }, 400],
  ['a bad field selector', { method: 'GET', url: `${maps}?fieldSelector=spec.nonsense%3Dx`, headers: {} }, 400],
  ['a continue token that is none', { method: 'GET', url: `${maps}?limit=1&continue=nonsense`, headers: {} }, 400],
  ['a bad path', { method: 'GET', url: '/api/v1/%zz', headers: {} }, 400],
  ['a path that is not served', { method: 'GET', url: '/apis/nowhere/v1/things', headers: {} }, 404],
  [
    'a patch that is none',
    { method: 'PATCH', url: `${maps}/kube-root-ca.crt`, headers: type('application/json-patch+json'), body: Buffer.from('{"op":"add"}') },
    400,
  ],
  [
    'a patch to nowhere',
    {
      method: 'PATCH',
      url: `${maps}/kube-root-ca.crt`,
      headers: type('application/json-patch+json'),
      body: Buffer.from('[{"op":"remove","path":"/data/nope"}]'),
    },
    422,
  ],
  [
    'a patch in no known language',
    { method: 'PATCH', url: `${maps}/kube-root-ca.crt`, headers: type('application/patch'), body: Buffer.from('{}') },
    415,
  ],
]

describe('bad input over the wire', () => {
  it.each(cases)('%s is refused with a Status, and nothing is written', async (_what, request, code) => {
    const before = edge.world.revision
    const answer = await edge.client('admin')(request)
    const status = JSON.parse(await read(answer.body))
    expect([answer.status, status.message]).toEqual([code, expect.stringMatching(/./)])
    expect(status).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason: expect.stringMatching(/^[A-Z]/) })
    expect(edge.world.revision).toBe(before)
  })
})

describe('who asks', () => {
  const code = async (as: 'admin' | 'nobody', url: string, headers = {}) =>
    (await edge.client(as, headers)({ method: 'GET', url, headers: {} })).status

  it('S3 CVE-2023-40585 CVE-2024-31463 is nobody without credentials: only health answers', async () => {
    const urls = ['/healthz', '/livez', '/readyz', '/version', '/api', '/openapi/v3', '/metrics', '/nowhere', maps]
    expect(await Promise.all(urls.map(url => code('nobody', url)))).toEqual([200, 200, 200, 401, 401, 401, 401, 401, 401])
  })

  it('is refused with credentials that are not good', async () =>
    expect(await code('nobody', '/api', { authorization: 'Bearer nonsense' })).toBe(401))

  it('is the administrator with the certificate of the kubeconfig', async () => expect(await code('admin', maps)).toBe(200))

  it('is a ServiceAccount with its token, until the account is deleted', async () => {
    const admin = edge.client('admin')
    const accounts = '/api/v1/namespaces/default/serviceaccounts'
    const made = await admin(post('{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"robot"}}', json, accounts))
    expect(made.status).toBe(201)
    const answer = await admin(post('{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest"}', json, `${accounts}/robot/token`))
    expect(answer.status).toBe(201)
    const authorization = `Bearer ${JSON.parse(await read(answer.body)).status.token}`
    expect(await code('nobody', '/api', { authorization })).toBe(200)
    expect(await code('nobody', maps, { authorization })).toBe(403)
    expect((await admin({ method: 'DELETE', url: `${accounts}/robot`, headers: {} })).status).toBe(200)
    expect(await code('nobody', '/api', { authorization })).toBe(401)
  })

  it('may be somebody else for those who may impersonate', async () => {
    expect(await code('admin', maps, { 'impersonate-user': 'eve' })).toBe(403)
    expect(await code('admin', '/api', { 'impersonate-user': 'eve' })).toBe(200)
  })
})
