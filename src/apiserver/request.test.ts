import { expect, it } from 'vitest'
import { requestInfo } from './request.ts'

const read = (method: string, url: string) => requestInfo(method, url.split('?')[0] ?? '', new URLSearchParams(url.split('?')[1] ?? ''))

const cases: readonly (readonly [method: string, url: string, seen: Record<string, unknown>])[] = [
  ['GET', '/api/v1/namespaces/a/secrets/b', { verb: 'get', group: '', version: 'v1', plural: 'secrets', namespace: 'a', name: 'b' }],
  ['GET', '/api/v1/secrets', { verb: 'list', plural: 'secrets' }],
  ['GET', '/api/v1/secrets?watch=true', { verb: 'watch' }],
  ['GET', '/api/v1/secrets?watch=1', { verb: 'watch' }],
  ['GET', '/api/v1/namespaces/a', { verb: 'get', plural: 'namespaces', name: 'a' }],
  ['PUT', '/api/v1/namespaces/a/status', { verb: 'update', plural: 'namespaces', name: 'a', subresource: 'status' }],
  ['POST', '/apis/x.io/v1/namespaces/n/widgets', { verb: 'create', group: 'x.io', plural: 'widgets', namespace: 'n' }],
  ['PATCH', '/apis/x.io/v1/widgets/w/status', { verb: 'patch', name: 'w', subresource: 'status' }],
  ['DELETE', '/apis/x.io/v1/namespaces/n/widgets', { verb: 'deletecollection' }],
  ['DELETE', '/apis/x.io/v1/namespaces/n/widgets/w', { verb: 'delete', name: 'w' }],
  ['GET', '/apis/x.io/v1', { kind: 'path', verb: 'get', path: '/apis/x.io/v1' }],
  ['GET', '/healthz', { kind: 'path', path: '/healthz' }],
]
for (const [method, url, seen] of cases) it(`requestInfo() reads ${method} ${url}`, () => expect(read(method, url)).toMatchObject(seen))

it('requestInfo() refuses broken percent-encoding, unknown methods and paths too deep', () => {
  expect(() => read('GET', '/api/v1/secrets/%zz')).toThrow('percent-encoding')
  expect(() => read('TRACE', '/api/v1/secrets')).toThrow('method')
  expect(() => read('GET', '/api/v1/namespaces/a/secrets/b/c/d')).toThrow('could not find')
})
