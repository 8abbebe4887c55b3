import { expect, it } from 'vitest'
import type { Bench } from './contract.ts'
import type { Body } from './host.ts'
import { cms, configMap } from './objects.ts'

const told = (events: readonly Body[]): string[] => events.map(e => `${e.type} ${e.object.metadata?.name ?? e.object.code}`)

export function watchCases(bench: Bench): void {
  const at = async (): Promise<string> => (await bench.api.get(`${cms(bench.ns)}?limit=1`)).body.metadata.resourceVersion

  it('a watch from a revision tells every later change once, in order', async () => {
    const [from, name] = [await at(), bench.fresh('w')]
    const { body } = await bench.api.post(cms(bench.ns), configMap(name))
    await bench.api.put(`${cms(bench.ns)}/${name}`, { ...body, data: { a: '1' } })
    await bench.api.delete(`${cms(bench.ns)}/${name}`)
    const events = await bench.api.watch(`${cms(bench.ns)}?watch=true&resourceVersion=${from}`, seen => seen.length >= 3)
    expect(told(events)).toEqual([`ADDED ${name}`, `MODIFIED ${name}`, `DELETED ${name}`])
    const revisions = events.map(e => Number(e.object.metadata.resourceVersion))
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b))
    expect(new Set(revisions).size).toBe(3)
  })
  it('a watch of one name tells of that name alone', async () => {
    const [from, name, other] = [await at(), bench.fresh('only'), bench.fresh('other')]
    await bench.api.post(cms(bench.ns), configMap(other))
    await bench.api.post(cms(bench.ns), configMap(name))
    const events = await bench.api.watch(
      `${cms(bench.ns)}?watch=true&resourceVersion=${from}&fieldSelector=metadata.name%3D${name}`,
      seen => seen.length >= 1,
    )
    expect(told(events)).toEqual([`ADDED ${name}`])
  })
  it('an object that begins or ceases to match a selector arrives and leaves', async () => {
    const [from, name] = [await at(), bench.fresh('turn')]
    const label = (color: string | null) => bench.api.patch(`${cms(bench.ns)}/${name}`, { metadata: { labels: { color } } })
    await bench.api.post(cms(bench.ns), configMap(name))
    await label('red')
    await label('blue')
    await label('red')
    await bench.api.delete(`${cms(bench.ns)}/${name}`)
    const events = await bench.api.watch(
      `${cms(bench.ns)}?watch=true&resourceVersion=${from}&labelSelector=color%3Dred`,
      seen => seen.length >= 4,
    )
    expect(told(events)).toEqual([`ADDED ${name}`, `DELETED ${name}`, `ADDED ${name}`, `DELETED ${name}`])
  })
  it('a watch without a revision begins with what is there', async () => {
    const name = bench.fresh('here')
    await bench.api.post(cms(bench.ns), configMap(name))
    const events = await bench.api.watch(`${cms(bench.ns)}?watch=true`, seen => seen.some(e => e.object.metadata.name === name))
    expect(events.every(e => e.type === 'ADDED')).toBe(true)
  })
  it('initial events end with a bookmark that says so', async () => {
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
    const events = await bench.api.watch(`${cms(bench.ns)}?${query}`, seen => seen.at(-1)?.type === 'BOOKMARK')
    expect(events.at(-1).object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' })
    expect(events.slice(0, -1).every(e => e.type === 'ADDED')).toBe(true)
  })
  it('a watch tells of changes that come later', async () => {
    const [from, name] = [await at(), bench.fresh('later')]
    const watching = bench.api.watch(`${cms(bench.ns)}?watch=true&resourceVersion=${from}`, seen => seen.some(e => e.type === 'DELETED'))
    await bench.pause()
    await bench.api.post(cms(bench.ns), configMap(name))
    await bench.api.delete(`${cms(bench.ns)}/${name}`)
    expect(told(await watching)).toEqual([`ADDED ${name}`, `DELETED ${name}`])
  })
  it('a watch as Table brings the columns with the first row', async () => {
    const name = bench.fresh('row')
    await bench.api.post(cms(bench.ns), configMap(name))
    const abort = new AbortController()
    const url = `${cms(bench.ns)}?watch=true&fieldSelector=metadata.name%3D${name}`
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }
    const { body } = await bench.host.transport({ method: 'GET', url, headers, signal: abort.signal })
    let text = ''
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString('utf8')
      if (text.includes('\n')) break
    }
    abort.abort()
    const first = JSON.parse(text.split('\n')[0] ?? '')
    expect(first).toMatchObject({
      type: 'ADDED',
      object: { kind: 'Table', rows: [{ cells: [name, expect.anything(), expect.anything()] }] },
    })
    expect(first.object.columnDefinitions.map((c: Body) => c.name)).toEqual(['Name', 'Data', 'Age'])
  })
}
