import { expect, it } from 'vitest'
import type { Bench } from './contract.ts'
import { refused } from './host.ts'
import { cms, configMap } from './objects.ts'

/** Whatever comes in, the answer is a Status with a reason, never a 5xx, and nothing is written. */
export function inputCases(bench: Bench): void {
  const bodies: readonly (readonly [what: string, body: string, type?: string])[] = [
    ['nothing', ''],
    ['half an object', '{"apiVersion":"v1","kind":"ConfigMap"'],
    ['a number', '7'],
    ['a list', '[]'],
    ['text', 'hello'],
    ['two objects', '{} {}'],
    ['another kind', '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"x"}}'],
    ['metadata that is text', '{"apiVersion":"v1","kind":"ConfigMap","metadata":"x"}'],
    ['half of YAML', 'a: [', 'application/yaml'],
    ['bytes that are no protobuf', 'k8s\0\xff\xff\xff', 'application/vnd.kubernetes.protobuf'],
    ['protobuf without its mark', 'rubbish', 'application/vnd.kubernetes.protobuf'],
  ]
  for (const [what, body, type] of bodies) {
    it(`create refuses a body that is ${what}`, async () => refused(await bench.api.post(cms(bench.ns), body, type), 400, 'BadRequest'))
  }
  it('create refuses a body in a language it does not know', async () =>
    refused(await bench.api.post(cms(bench.ns), 'x=1', 'application/x-www-form-urlencoded'), 415, 'UnsupportedMediaType'))
  it('create takes a built-in kind that does not say what it is, and no custom one', async () => {
    const name = bench.fresh('nameless')
    expect((await bench.api.post(cms(bench.ns), { metadata: { name } })).body).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' })
    refused(
      await bench.api.post(`/apis/${bench.group}/v1/namespaces/${bench.ns}/widgets`, { metadata: { name }, spec: { size: 1 } }),
      400,
      'BadRequest',
    )
  })
  it('create reads YAML as kubectl would', async () => {
    const name = bench.fresh('yaml')
    const { code, body } = await bench.api.post(
      cms(bench.ns),
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  a: "on"\n`,
      'application/yaml',
    )
    expect(code).toBe(201)
    expect(body.data).toEqual({ a: 'on' })
  })
  it('create refuses data that is not text', async () => {
    const { code } = await bench.api.post(cms(bench.ns), configMap(bench.fresh('bad'), { data: { n: 7 } }))
    expect([400, 422]).toContain(code)
  })
  it('a key called __proto__ pollutes nothing', async () => {
    const name = bench.fresh('proto')
    await bench.api.post(
      cms(bench.ns),
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},"data":{},"__proto__":{"polluted":"yes"}}`,
    )
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
  it('a method that makes no sense is refused', async () => {
    expect((await bench.api.put(cms(bench.ns), configMap('x'))).code).toBe(405)
    expect((await bench.api.post(`${cms(bench.ns)}/x`, configMap('x'))).code).toBe(405)
  })
  it('a subresource that is not there is a NotFound', async () => {
    await bench.api.post(cms(bench.ns), configMap('sub'))
    expect((await bench.api.get(`${cms(bench.ns)}/sub/status`)).code).toBe(404)
  })
  it('a path that is not there is a NotFound', async () => expect((await bench.api.get('/apis/x/y/z/a/b/c/d')).code).toBe(404))
  it('/version says what it is', async () => expect((await bench.api.get('/version')).body).toMatchObject({ major: '1' }))
  for (const path of ['/livez', '/readyz', '/healthz']) it(`${path} is ok`, async () => expect((await bench.api.get(path)).body).toBe('ok'))
  it('discovery lists the core group', async () => {
    const { body } = await bench.api.get('/api/v1')
    const names = body.resources.map((r: { name: string }) => r.name)
    for (const name of ['namespaces', 'secrets', 'configmaps', 'serviceaccounts', 'serviceaccounts/token', 'events'])
      expect(names).toContain(name)
  })
  it('aggregated discovery lists groups in one answer', async () => {
    const { body } = await bench.api.get('/apis', 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList')
    expect(body.kind).toBe('APIGroupDiscoveryList')
    expect(body.items.map((i: { metadata: { name: string } }) => i.metadata.name)).toContain('rbac.authorization.k8s.io')
  })
}
