import { expect, it } from 'vitest'
import type { Bench } from './contract.ts'
import { refused } from './host.ts'
import { cms, configMap, widget } from './objects.ts'

export function patchCases(bench: Bench): void {
  const made = async (data: Record<string, string> = { a: '1', b: '2' }): Promise<string> => {
    const name = bench.fresh('p')
    await bench.api.post(cms(bench.ns), configMap(name, { data }))
    return `${cms(bench.ns)}/${name}`
  }
  it('a merge patch sets and, with null, removes', async () => {
    const { code, body } = await bench.api.patch(await made(), { data: { a: null, c: '3' } })
    expect(code).toBe(200)
    expect(body.data).toEqual({ b: '2', c: '3' })
  })
  it('labels, annotations and finalizers whose last entry goes are not there', async () => {
    const path = await made()
    await bench.api.patch(path, { metadata: { labels: { a: '1' }, annotations: { a: '1' }, finalizers: ['example.com/f'] } })
    const emptied = { labels: { a: null }, annotations: { a: null }, finalizers: [] }
    const { body } = await bench.api.patch(path, { metadata: emptied })
    for (const field of Object.keys(emptied)) expect(body.metadata, field).not.toHaveProperty(field)
  })
  it('a JSON patch does what its operations say', async () => {
    const operations = [
      { op: 'test', path: '/data/a', value: '1' },
      { op: 'replace', path: '/data/a', value: '9' },
      { op: 'add', path: '/data/c', value: '3' },
      { op: 'remove', path: '/data/b' },
    ]
    expect((await bench.api.patch(await made(), operations, 'json')).body.data).toEqual({ a: '9', c: '3' })
  })
  it('a JSON patch whose test fails changes nothing', async () => {
    const path = await made()
    const operations = [
      { op: 'test', path: '/data/a', value: 'other' },
      { op: 'remove', path: '/data/a' },
    ]
    refused(await bench.api.patch(path, operations, 'json'), 422, 'Invalid')
    expect((await bench.api.get(path)).body.data).toEqual({ a: '1', b: '2' })
  })
  it('a strategic merge patch merges finalizers, and null removes them', async () => {
    const path = await made()
    await bench.api.patch(path, { metadata: { finalizers: ['example.com/one'] } }, 'strategic')
    const { body } = await bench.api.patch(path, { metadata: { finalizers: ['example.com/two'] } }, 'strategic')
    expect(body.metadata.finalizers.toSorted()).toEqual(['example.com/one', 'example.com/two'])
    const cleared = await bench.api.patch(path, { metadata: { finalizers: null } }, 'strategic')
    expect(cleared.body.metadata.finalizers).toBeUndefined()
  })
  it('a strategic merge patch of a custom resource is refused', async () => {
    const name = bench.fresh('p')
    const path = `/apis/${bench.group}/v1/namespaces/${bench.ns}/widgets`
    await bench.api.post(path, widget(bench.group, name))
    refused(await bench.api.patch(`${path}/${name}`, { spec: { size: 5 } }, 'strategic'), 415, 'UnsupportedMediaType')
  })
  it('a patch with a stale revision is a Conflict', async () => {
    const path = await made()
    const old = (await bench.api.get(path)).body.metadata.resourceVersion
    await bench.api.patch(path, { data: { a: '5' } })
    refused(await bench.api.patch(path, { metadata: { resourceVersion: old }, data: { a: '6' } }), 409, 'Conflict')
  })
  it('a patch without a revision never conflicts', async () => {
    const path = await made()
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => bench.api.patch(path, { data: { [`k${i}`]: 'x' } })))
    expect(answers.map(a => a.code)).toEqual(Array(8).fill(200))
    expect(Object.keys((await bench.api.get(path)).body.data)).toHaveLength(10)
  })
  it('a patch of nothing is a NotFound', async () =>
    refused(await bench.api.patch(`${cms(bench.ns)}/absent`, { data: {} }), 404, 'NotFound'))
  it('a patch cannot rename', async () =>
    expect((await bench.api.patch(await made(), { metadata: { name: 'other' } })).code).toBeGreaterThanOrEqual(400))
  it('a patch with dryRun stores nothing', async () => {
    const path = await made()
    expect((await bench.api.patch(`${path}?dryRun=All`, { data: { a: '7' } })).body.data['a']).toBe('7')
    expect((await bench.api.get(path)).body.data['a']).toBe('1')
  })
  it('a status patch touches status alone', async () => {
    const name = bench.fresh('p')
    const path = `/apis/${bench.group}/v1/namespaces/${bench.ns}/widgets`
    await bench.api.post(path, widget(bench.group, name))
    const { body } = await bench.api.patch(`${path}/${name}/status`, { spec: { size: 77 }, status: { phase: 'Ready' } })
    expect(body).toMatchObject({ spec: { size: 3 }, status: { phase: 'Ready' }, metadata: { generation: 1 } })
  })
  it('a patch in an unknown language is refused', async () => {
    const path = await made()
    const answer = await bench.host.transport({
      method: 'PATCH',
      url: path,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{}'),
    })
    expect(answer.status).toBe(415)
  })
  const badJsonPatches: readonly (readonly [what: string, patch: unknown])[] = [
    ['an object', {}],
    ['an unknown operation', [{ op: 'frob', path: '/data' }]],
    ['a path without a slash', [{ op: 'add', path: 'data', value: {} }]],
    ['the removal of nothing', [{ op: 'remove', path: '/data/zzz' }]],
    ['a prototype', [{ op: 'add', path: '/__proto__/polluted', value: 'x' }]],
  ]
  for (const [what, patch] of badJsonPatches) {
    it(`a JSON patch that is ${what} is refused`, async () => {
      const { code } = await bench.api.patch(await made(), patch, 'json')
      expect(code).toBeGreaterThanOrEqual(400)
      expect(code).toBeLessThan(500)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    })
  }
}
