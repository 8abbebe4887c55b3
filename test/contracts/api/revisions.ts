import { expect, it } from 'vitest'
import type { Bench } from './contract.ts'
import { refused } from './host.ts'
import { cms, configMap } from './objects.ts'

/** What `resourceVersion`, its match, pages, options and dry runs mean, and which of them cannot go together. */
export function revisionCases(bench: Bench): void {
  const made = async (): Promise<{ path: string; revision: string }> => {
    const name = bench.fresh('rev')
    const { body } = await bench.api.post(cms(bench.ns), configMap(name, { data: { a: '1' } }))
    return { path: `${cms(bench.ns)}/${name}`, revision: body.metadata.resourceVersion }
  }
  it('get at revision 0 answers from wherever it is known', async () => {
    const { path } = await made()
    // A cache may lag behind its own write; it is asked until it shows it.
    for (let i = 0; i < 600 && (await bench.api.get(`${path}?resourceVersion=0`)).code !== 200; i += 1) await bench.pause()
    expect((await bench.api.get(`${path}?resourceVersion=0`)).body.data).toEqual({ a: '1' })
  })
  it('get not older than its own revision answers', async () => {
    const { path, revision } = await made()
    expect((await bench.api.get(`${path}?resourceVersion=${revision}`)).code).toBe(200)
  })
  it('get as metadata alone has no data', async () => {
    const { path } = await made()
    const { body } = await bench.api.get(path, 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io')
    expect(body).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' })
    expect(body.data).toBeUndefined()
  })
  it('get as a Table is one row', async () => {
    const { path } = await made()
    const { body } = await bench.api.get(path, 'application/json;as=Table;v=v1;g=meta.k8s.io')
    expect(body).toMatchObject({ kind: 'Table', rows: [{ cells: [path.split('/').at(-1), 1, expect.any(String)] }] })
  })
  it('list not older than a revision answers at that revision or later', async () => {
    const { revision } = await made()
    const { code, body } = await bench.api.get(`${cms(bench.ns)}?resourceVersion=${revision}&resourceVersionMatch=NotOlderThan`)
    expect(code).toBe(200)
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(revision))
  })
  it('list of an exact revision has that revision', async () => {
    const { revision } = await made()
    const { body } = await bench.api.get(`${cms(bench.ns)}?resourceVersion=${revision}&resourceVersionMatch=Exact&limit=500`)
    expect(body.metadata.resourceVersion).toBe(revision)
  })
  const contradictions: readonly (readonly [what: string, query: string, code: number])[] = [
    ['an exact revision of 0', 'resourceVersion=0&resourceVersionMatch=Exact', 422],
    ['a match that does not exist', 'resourceVersion=1&resourceVersionMatch=Roughly', 422],
    ['a match without a revision', 'resourceVersionMatch=NotOlderThan', 422],
    ['initial events without a match', 'watch=true&sendInitialEvents=true', 422],
    ['initial events in a plain list', 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan', 422],
    ['a match in a watch without initial events', 'watch=true&resourceVersion=1&resourceVersionMatch=NotOlderThan', 422],
    ['a revision that is no number', 'resourceVersion=abc', 400],
    ['a timeout that is no number', 'timeoutSeconds=soon', 400],
  ]
  for (const [what, query, code] of contradictions)
    it(`list refuses ${what}`, async () =>
      refused(await bench.api.get(`${cms(bench.ns)}?${query}`), code, code === 422 ? 'Invalid' : 'BadRequest'))

  it('a revision that has not happened yet is a Timeout that says so', async () => {
    const answer = await bench.api.get(`${cms(bench.ns)}?resourceVersion=999999999`)
    refused(answer, 504, 'Timeout')
    expect(answer.body.message).toContain('Too large resource version: 999999999')
  })
  it('a continue token goes with no revision', async () => {
    await made()
    await made()
    const first = await bench.api.get(`${cms(bench.ns)}?limit=1`)
    const token = encodeURIComponent(first.body.metadata.continue)
    refused(await bench.api.get(`${cms(bench.ns)}?limit=1&continue=${token}&resourceVersion=5`), 400, 'BadRequest')
  })
  it('pages of one hold everything exactly once', async () => {
    const label = bench.fresh('pages')
    const names = Array.from({ length: 5 }, () => bench.fresh('page'))
    for (const name of names) await bench.api.post(cms(bench.ns), { ...configMap(name), metadata: { name, labels: { [label]: 'yes' } } })
    const seen: string[] = []
    let token = ''
    do {
      const { body } = await bench.api.get(`${cms(bench.ns)}?limit=1&labelSelector=${label}${token && `&continue=${token}`}`)
      seen.push(...body.items.map((item: { metadata: { name: string } }) => item.metadata.name))
      token = encodeURIComponent(body.metadata.continue ?? '')
    } while (token !== '')
    expect(seen).toEqual(names.toSorted())
  })
  it('a watch ends by itself after its timeout', async () => {
    const { revision } = await made()
    const events = await bench.api.watch(`${cms(bench.ns)}?watch=true&resourceVersion=${revision}&timeoutSeconds=1`, () => false)
    expect(events.every(event => event.type !== 'ERROR')).toBe(true)
  })
  it('a watch of metadata alone has no data', async () => {
    const { path } = await made()
    const abort = new AbortController()
    const url = `${cms(bench.ns)}?watch=true&fieldSelector=metadata.name%3D${path.split('/').at(-1)}`
    const headers = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }
    const { body } = await bench.host.transport({ method: 'GET', url, headers, signal: abort.signal })
    let text = ''
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString('utf8')
      if (text.includes('\n')) break
    }
    abort.abort()
    const { object } = JSON.parse(text.split('\n')[0] ?? '')
    expect(object.kind).toBe('PartialObjectMetadata')
    expect(object.data).toBeUndefined()
  })
  for (const [verb, ask] of [
    ['create', () => bench.api.post(`${cms(bench.ns)}?dryRun=Some`, configMap('x'))],
    ['update', async () => bench.api.put(`${(await made()).path}?dryRun=Some`, configMap('x'))],
    ['patch', async () => bench.api.patch(`${(await made()).path}?dryRun=Some`, {})],
    ['delete', async () => bench.api.delete(`${(await made()).path}?dryRun=Some`)],
  ] as const)
    it(`${verb} refuses a dry run of another sort`, async () => refused(await ask(), 422, 'Invalid'))

  it('update with dryRun shows the change and stores nothing', async () => {
    const { path } = await made()
    const before = (await bench.api.get(path)).body
    const { body } = await bench.api.put(`${path}?dryRun=All`, { ...before, data: { a: '2' } })
    expect(body.data).toEqual({ a: '2' })
    expect((await bench.api.get(path)).body.metadata.resourceVersion).toBe(before.metadata.resourceVersion)
  })
  it('deletecollection with dryRun keeps all', async () => {
    const { path } = await made()
    expect((await bench.api.delete(`${cms(bench.ns)}?dryRun=All`)).code).toBe(200)
    expect((await bench.api.get(path)).code).toBe(200)
  })
  it('a revision is taken from one sequence for all kinds', async () => {
    const one = await bench.api.post(cms(bench.ns), configMap(bench.fresh('rev')))
    const two = await bench.api.post(`/api/v1/namespaces/${bench.ns}/secrets`, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: bench.fresh('rev') },
    })
    expect(Number(two.body.metadata.resourceVersion)).toBeGreaterThan(Number(one.body.metadata.resourceVersion))
  })
}
