import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../src/core/object.ts'
import { kubeClient } from '../../src/kube/index.ts'
import type { HttpRequest, KubeEvent, ResourceRef, Transport, WatchEvent, Where } from '../../src/ports/index.ts'
import {
  type Answer,
  bookmark,
  event,
  failure,
  item,
  json,
  plainIds,
  type StepClock,
  script,
  settled,
  stepClock,
  stream,
  text,
} from './fakes.ts'

const configMaps: ResourceRef = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }

/** Watches until `count` events came (or the script ended), and returns them as short words. */
async function watched(
  transport: Transport,
  count: number,
  where: Where & { from?: string } = {},
  clock: StepClock = stepClock(true),
): Promise<string[]> {
  const stop = new AbortController()
  const seen: string[] = []
  for await (const batch of kubeClient(transport, { clock, ids: plainIds }).watch(configMaps, where, stop.signal)) {
    for (const one of batch) seen.push(short(one))
    if (seen.length >= count) stop.abort()
  }
  return seen
}

function short(event: KubeEvent<KubeObject>): string {
  switch (event.type) {
    case 'BOOKMARK':
      return `${event.complete ? 'complete' : 'bookmark'} ${event.revision}`
    case 'RELIST':
    case 'INTERRUPTED':
      return `${event.type}: ${event.because}`
    default:
      return `${event.type} ${event.object.metadata.name}@${event.object.metadata.resourceVersion}`
  }
}

const query = (request: HttpRequest | undefined) => Object.fromEntries(new URLSearchParams(request?.url.split('?')[1]))
const from = (transport: { asked: readonly HttpRequest[] }) => transport.asked.map(request => query(request)['resourceVersion'] ?? 'start')
const list = (revision: number, ...items: unknown[]): Answer =>
  json({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: String(revision) }, items })

describe('a watch from the start', () => {
  it('streams the present state where the server can, and goes on with the changes', async () => {
    const to = script(stream([event('ADDED', item('a', 3)), bookmark(5, true), event('MODIFIED', item('a', 6))], 'open'))
    expect(await watched(to, 3, { namespace: 'default', labels: 'x=y' })).toEqual(['ADDED a@3', 'complete 5', 'MODIFIED a@6'])
    expect(to.asked[0]?.url.split('?')[0]).toBe('/api/v1/namespaces/default/configmaps')
    expect(query(to.asked[0])).toMatchObject({
      watch: '1',
      allowWatchBookmarks: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      labelSelector: 'x=y',
    })
  })

  it.each([422, 400])('lists instead where the server refuses that with %i, and remembers it', async code => {
    const refuses = json(failure(code, 'Invalid'), code)
    const to = script(
      refuses,
      list(5, item('a', 3)),
      stream([event('DELETED', item('a', 6))], 'open'),
      list(9),
      stream([event('ADDED', item('b', 10))], 'open'),
    )
    const kube = kubeClient(to, { clock: stepClock(true), ids: plainIds })
    for (const expected of [
      ['ADDED a@3', 'complete 5', 'DELETED a@6'],
      ['complete 9', 'ADDED b@10'],
    ]) {
      const stop = new AbortController()
      const seen: string[] = []
      for await (const batch of kube.watch(configMaps, {}, stop.signal)) {
        seen.push(...batch.map(short))
        if (seen.length >= expected.length) stop.abort()
      }
      expect(seen).toEqual(expected)
    }
    expect(from(to)).toEqual(['start', 'start', '5', 'start', '9'])
  })

  it('that is cut before the state was complete tells it again, after saying so', async () => {
    const to = script(stream([event('ADDED', item('a', 3))], 'cut'), stream([event('ADDED', item('b', 4)), bookmark(5, true)], 'open'))
    expect(await watched(to, 5)).toEqual([
      'ADDED a@3',
      'INTERRUPTED: Cannot watch /api/v1/configmaps: other side closed',
      'RELIST: the stream was cut before the whole state was told',
      'ADDED b@4',
      'complete 5',
    ])
  })

  it('lists when the server ends the stream before it has told the state', async () => {
    const to = script(stream([event('ADDED', item('a', 3))]), list(7, item('b', 4)), stream([bookmark(8)], 'open'))
    expect(await watched(to, 5)).toEqual([
      'ADDED a@3',
      'RELIST: the stream was cut before the whole state was told',
      'ADDED b@4',
      'complete 7',
      'bookmark 8',
    ])
  })

  it('lists when the server expires the stream while it tells the state', async () => {
    const tooMuch = stream([event('ADDED', item('a', 3)), event('ERROR', failure(410, 'Expired'))])
    const to = script(tooMuch, list(7, item('a', 3)), stream([bookmark(8)], 'open'))
    expect(await watched(to, 4)).toEqual(['ADDED a@3', 'RELIST: refused: Expired', 'ADDED a@3', 'complete 7'])
  })
})

describe('a watch from a revision', () => {
  it('puts lines together that arrive in pieces, in the middle of a character too', async () => {
    const whole = new TextEncoder().encode(event('ADDED', { ...item('a', 4), data: { word: 'größer' } }) + event('MODIFIED', item('a', 5)))
    async function* bytewise() {
      for (const byte of whole) yield Uint8Array.of(byte)
      await new Promise(() => {})
    }
    const seen: unknown[] = []
    const stop = new AbortController()
    const kube = kubeClient(
      script(() => ({ status: 200, headers: {}, body: bytewise() })),
      { clock: stepClock(true), ids: plainIds },
    )
    for await (const batch of kube.watch(configMaps, { from: '3' }, stop.signal)) {
      seen.push(...batch)
      if (seen.length === 2) stop.abort()
    }
    expect(seen).toMatchObject([{ object: { data: { word: 'größer' } } }, { type: 'MODIFIED' }])
  })

  it('drops the line that a cut left unfinished and gets it again from where it was', async () => {
    const second = event('MODIFIED', item('a', 5))
    const to = script(stream([event('ADDED', item('a', 4)), second.slice(0, 40)], 'orderly'), stream([second], 'open'))
    expect(await watched(to, 2, { from: '3' })).toEqual(['ADDED a@4', 'MODIFIED a@5'])
    expect(from(to)).toEqual(['3', '4'])
  })

  it('resumes from the last bookmark when that is newer than the last change', async () => {
    const to = script(stream([event('ADDED', item('a', 4)), bookmark(90)]), stream([event('MODIFIED', item('a', 91))], 'open'))
    expect(await watched(to, 3, { from: '3' })).toEqual(['ADDED a@4', 'bookmark 90', 'MODIFIED a@91'])
    expect(from(to)).toEqual(['3', '90'])
  })

  it.each([
    { how: 'as the answer', answer: json(failure(410, 'Gone'), 410) },
    { how: 'in the stream', answer: stream([event('ERROR', failure(410, 'Expired'))]) },
  ])('says RELIST and tells the whole state when 410 comes $how', async ({ answer }) => {
    const to = script(answer, stream([event('ADDED', item('b', 8)), bookmark(9, true)], 'open'))
    const seen = await watched(to, 3, { from: '3' })
    expect(seen).toEqual([expect.stringMatching(/^RELIST: refused/), 'ADDED b@8', 'complete 9'])
    expect(from(to)).toEqual(['3', 'start'])
  })

  it('waits longer after every failure in a row, with half of it left to chance, and says why', async () => {
    const clock = stepClock(true)
    const down: Answer = () => Promise.reject(new Error('connect ECONNREFUSED'))
    const to = script(down, down, down, down, down, down, down, stream([event('ADDED', item('a', 4))]), down, stream([bookmark(5)], 'open'))
    const seen = await watched(to, 10, { from: '3' }, clock)
    expect(seen[0]).toBe('INTERRUPTED: Cannot watch /api/v1/configmaps: connect ECONNREFUSED')
    expect(clock.waits).toEqual([600, 1_200, 2_400, 4_800, 9_600, 19_200, 22_500, 600])
  })

  it('waits at least as long as Retry-After says', async () => {
    const clock = stepClock(true)
    const to = script(text('slow down', 429, { 'retry-after': '12' }), stream([bookmark(5)], 'open'))
    await watched(to, 2, { from: '3' }, clock)
    expect(clock.waits).toEqual([12_000])
  })

  it('goes on at once after an orderly end, but not in a storm of empty ones', async () => {
    const clock = stepClock(true)
    const to = script(stream([bookmark(4)]), stream([]), stream([]), stream([bookmark(5)], 'open'))
    const empty = expect.stringContaining('ended the watch at once')
    expect(await watched(to, 4, { from: '3' }, clock)).toEqual(['bookmark 4', empty, empty, 'bookmark 5'])
    expect(clock.waits).toEqual([600, 1_200])
    expect(from(to)).toEqual(['3', '4', '4', '4'])
  })

  it.each([403, 404, 500])('is patient with a server that answers %i', async code => {
    const to = script(json(failure(code, 'Forbidden'), code), stream([bookmark(5)], 'open'))
    expect(await watched(to, 2, { from: '3' })).toEqual(['INTERRUPTED: refused: Forbidden', 'bookmark 5'])
  })

  it.each([
    { what: 'a line that is no JSON', chunk: 'oops\n' },
    { what: 'an event without an object', chunk: '{"type":"ADDED"}\n' },
    { what: 'an event of a type nobody knows', chunk: event('MOVED', item('a', 4)) },
  ])('starts over after $what', async ({ chunk }) => {
    const to = script(stream([chunk], 'open'), stream([bookmark(5)], 'open'))
    expect(await watched(to, 2, { from: '3' })).toEqual([expect.stringMatching(/^INTERRUPTED: Cannot watch/), 'bookmark 5'])
  })

  it('gives up a connection that stays silent past the time the server was asked to end it', async () => {
    const clock = stepClock()
    const to = script(stream([], 'open'), stream([bookmark(5)], 'open'))
    const seen = watched(to, 2, { from: '3' }, clock)
    await settled()
    const asked = Number(query(to.asked[0])['timeoutSeconds'])
    expect(asked).toBeGreaterThanOrEqual(300)
    expect(asked).toBeLessThan(600)
    await clock.advance((asked + 30) * 1_000)
    await clock.advance(30_000)
    expect(await seen).toEqual([expect.stringContaining('silent past its end'), 'bookmark 5'])
  })
})

describe('a watch in one process', () => {
  it('hands out the shared objects in the batches that the server made', async () => {
    const shared = Object.freeze(item('a', 4))
    async function* events(): AsyncGenerator<readonly WatchEvent[]> {
      yield [
        { type: 'ADDED', object: shared },
        { type: 'BOOKMARK', object: { metadata: { resourceVersion: '4', annotations: { 'k8s.io/initial-events-end': 'true' } } } },
      ]
      await new Promise(() => {})
    }
    const stop = new AbortController()
    const batches: (readonly KubeEvent<KubeObject>[])[] = []
    const kube = kubeClient(async () => ({ status: 200, headers: {}, body: new Uint8Array(), shared: { events: events() } }), {
      clock: stepClock(),
      ids: plainIds,
    })
    for await (const batch of kube.watch(configMaps, {}, stop.signal)) {
      batches.push(batch)
      stop.abort()
    }
    expect(batches).toHaveLength(1)
    const first = batches[0]?.[0]
    expect(first?.type === 'ADDED' && first.object).toBe(shared)
  })
})

describe('the end of a watch', () => {
  it('comes with its signal: it stops waiting, leaves no timer and tells the transport', async () => {
    const clock = stepClock()
    const stop = new AbortController()
    let told: AbortSignal | undefined
    const kube = kubeClient(
      async request => {
        told = request.signal
        return stream([], 'open')(request)
      },
      { clock, ids: plainIds },
    )
    const ended = (async () => {
      for await (const _ of kube.watch(configMaps, { from: '3' }, stop.signal));
    })()
    await settled()
    stop.abort()
    await ended
    expect(told?.aborted).toBe(true)
  })

  it('comes when its reader leaves, too', async () => {
    let told: AbortSignal | undefined
    const kube = kubeClient(
      async request => {
        told = request.signal
        return stream([bookmark(4)], 'open')(request)
      },
      { clock: stepClock(), ids: plainIds },
    )
    for await (const _ of kube.watch(configMaps, { from: '3' }, new AbortController().signal)) break
    expect(told?.aborted).toBe(true)
  })
})
