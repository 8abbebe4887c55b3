import { beforeAll, expect, it } from 'vitest'
import type { Bench } from './contract.ts'
import { type Body, refused } from './host.ts'
import { configMap, namespace } from './objects.ts'

const names = (body: Body): string[] => body.items.map((item: Body) => item.metadata.name)

export function collectionCases(bench: Bench): void {
  const ns = 'shelf'
  const path = `/api/v1/namespaces/${ns}/configmaps`
  const ours = 'labelSelector=shelf'
  beforeAll(async () => {
    await bench.api.post('/api/v1/namespaces', namespace(ns))
    for (const [i, tier] of ['gold', 'silver', 'gold', 'iron', 'silver'].entries()) {
      await bench.api.post(path, { ...configMap(`c${i}`), metadata: { name: `c${i}`, labels: { shelf: 'yes', tier, rank: String(i) } } })
    }
  })
  it('list answers items in order of name, with a revision', async () => {
    const { code, body } = await bench.api.get(`${path}?${ours}`)
    expect(code).toBe(200)
    expect(body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' })
    expect(names(body)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4'])
    expect(body.metadata.resourceVersion).toMatch(/^\d+$/)
  })
  it('list across namespaces holds those of each', async () => {
    const { body } = await bench.api.get(`/api/v1/configmaps?${ours}`)
    expect(names(body)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4'])
  })
  const selections: readonly (readonly [selector: string, found: readonly string[]])[] = [
    ['tier=gold', ['c0', 'c2']],
    ['tier==gold', ['c0', 'c2']],
    ['tier!=gold,shelf', ['c1', 'c3', 'c4']],
    ['tier in (gold,iron)', ['c0', 'c2', 'c3']],
    ['tier notin (gold,iron),shelf=yes', ['c1', 'c4']],
    ['tier,shelf', ['c0', 'c1', 'c2', 'c3', 'c4']],
    ['!tier,shelf', []],
    ['rank>2', ['c3', 'c4']],
    ['rank<2', ['c0', 'c1']],
  ]
  for (const [selector, found] of selections) {
    it(`list selects by label: ${selector}`, async () => {
      expect(names((await bench.api.get(`${path}?labelSelector=${encodeURIComponent(selector)}`)).body)).toEqual(found)
    })
  }
  for (const selector of ['a in', 'a in (', '=b', 'a=b=c', 'a!!b', 'a b']) {
    it(`list refuses the label selector "${selector}"`, async () =>
      refused(await bench.api.get(`${path}?labelSelector=${encodeURIComponent(selector)}`), 400, 'BadRequest'))
  }
  it('list selects by metadata.name', async () => {
    expect(names((await bench.api.get(`${path}?fieldSelector=metadata.name%3Dc3`)).body)).toEqual(['c3'])
    expect(names((await bench.api.get(`${path}?${ours}&fieldSelector=metadata.name!%3Dc3`)).body)).toEqual(['c0', 'c1', 'c2', 'c4'])
  })
  it('list refuses a field it does not know', async () =>
    refused(await bench.api.get(`${path}?fieldSelector=spec.color%3Dred`), 400, 'BadRequest'))
  it('list comes in pages that hold together', async () => {
    const first = await bench.api.get(`${path}?${ours}&limit=2`)
    expect(names(first.body)).toEqual(['c0', 'c1'])
    const second = await bench.api.get(`${path}?${ours}&limit=2&continue=${encodeURIComponent(first.body.metadata.continue)}`)
    expect(names(second.body)).toEqual(['c2', 'c3'])
    const third = await bench.api.get(`${path}?${ours}&limit=2&continue=${encodeURIComponent(second.body.metadata.continue)}`)
    expect(names(third.body)).toEqual(['c4'])
    expect(third.body.metadata.continue ?? '').toBe('')
  })
  it('later pages show the state of the first', async () => {
    const first = await bench.api.get(`${path}?${ours}&limit=3`)
    await bench.api.post(path, { ...configMap('c5'), metadata: { name: 'c5', labels: { shelf: 'yes' } } })
    await bench.api.delete(`${path}/c4`)
    const rest = await bench.api.get(`${path}?${ours}&limit=9&continue=${encodeURIComponent(first.body.metadata.continue)}`)
    expect(names(rest.body)).toEqual(['c3', 'c4'])
    await bench.api.delete(`${path}/c5`)
    await bench.api.post(path, { ...configMap('c4'), metadata: { name: 'c4', labels: { shelf: 'yes', tier: 'silver', rank: '4' } } })
  })
  it('list counts what remains where nothing is selected', async () => {
    const { body } = await bench.api.get(`${path}?limit=1`)
    expect(body.metadata.remainingItemCount).toBeGreaterThanOrEqual(4)
  })
  it('list refuses a continue token that is not one', async () =>
    refused(await bench.api.get(`${path}?limit=2&continue=rubbish`), 400, 'BadRequest'))
  it('list refuses a limit that is no number', async () => refused(await bench.api.get(`${path}?limit=many`), 400, 'BadRequest'))
  it('list at an exact revision shows the past', async () => {
    const then = (await bench.api.get(`${path}?${ours}`)).body.metadata.resourceVersion
    await bench.api.post(path, { ...configMap('late'), metadata: { name: 'late', labels: { shelf: 'yes' } } })
    const past = await bench.api.get(`${path}?${ours}&resourceVersion=${then}&resourceVersionMatch=Exact`)
    expect(names(past.body)).not.toContain('late')
    expect(past.body.metadata.resourceVersion).toBe(then)
    await bench.api.delete(`${path}/late`)
  })
  it('list not older than zero answers', async () => expect((await bench.api.get(`${path}?resourceVersion=0`)).code).toBe(200))
  it('list refuses a match without a revision', async () => {
    const { code } = await bench.api.get(`${path}?resourceVersionMatch=Exact`)
    expect([400, 422]).toContain(code)
  })
  it('list as a Table has columns and rows', async () => {
    const { body } = await bench.api.get(`${path}?${ours}`, 'application/json;as=Table;v=v1;g=meta.k8s.io')
    expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' })
    expect(body.columnDefinitions.map((c: Body) => c.name)).toEqual(['Name', 'Data', 'Age'])
    expect(body.rows.map((r: Body) => r.cells[0])).toEqual(['c0', 'c1', 'c2', 'c3', 'c4'])
    expect(body.rows[0].object).toMatchObject({ kind: 'PartialObjectMetadata' })
  })
  it('list as metadata alone has no data', async () => {
    const { body } = await bench.api.get(`${path}?${ours}`, 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io')
    expect(body.kind).toBe('PartialObjectMetadataList')
    expect(names(body)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4'])
  })
  it('list in a form it does not speak is refused', async () => expect((await bench.api.get(path, 'text/html')).code).toBe(406))
}
