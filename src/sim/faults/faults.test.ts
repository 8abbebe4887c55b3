import { expect, it } from 'vitest'
import { minutes, seconds } from '../../core/duration.ts'
import type { HttpRequest, HttpResponse, Transport, WatchEvent } from '../../ports/index.ts'
import { virtualClock } from '../clock/virtual.ts'
import { openSimulation, type Simulation } from '../simulation.ts'
import { parsePlan } from './fault.ts'

/** A lamp that counts how often it was switched on. */
interface Lamp {
  on(signal?: AbortSignal): Promise<number>
  count(): Promise<number>
}

/** One process called `a` that switches a lamp on once a second until it was told that it is on. */
function world(plan: string, api: Transport = async () => answer(200)) {
  const clock = virtualClock()
  const sim = openSimulation({ seed: 's', clock, host: { as: () => api, objects: () => [] }, plan: parsePlan(plan)! })
  const lamp = { switched: 0, told: [] as unknown[], starts: 0 }
  const port: Lamp = { on: async () => ++lamp.switched, count: async () => lamp.switched }
  const start = (run: (lamp: Lamp, ports: Parameters<Parameters<Simulation['start']>[1]>[0]) => Promise<void>): void =>
    sim.start('a', ports => {
      lamp.starts++
      void run(ports.device('lamp', port, ['count']), ports)
      return { stop: async () => {} }
    })
  return { sim, lamp, clock, start }
}

const answer = (status: number, object: unknown = {}): HttpResponse => ({
  status,
  headers: {},
  body: new TextEncoder().encode(JSON.stringify(object)),
})

const untilTold =
  (told: unknown[]) =>
  async (lamp: Lamp, { clock }: { clock: { sleep(ms: number): Promise<void> } }) => {
    for (let i = 0; i < 100 && typeof told.at(-1) !== 'number'; i++) {
      told.push(await lamp.on().catch((error: Error) => error.message))
      if (typeof told.at(-1) !== 'number') await clock.sleep(seconds(1))
    }
  }

it.each([
  ['none', { switched: 1, told: [1], starts: 1 }],
  ['a: lamp.on#1 = crash before', { switched: 1, told: [1], starts: 2 }],
  ['a: lamp.on#1 = crash after', { switched: 2, told: [2], starts: 2 }],
  ['a: lamp.on#1 = fails', { switched: 1, told: ['connect ECONNREFUSED (simulated)', 1], starts: 1 }],
  ['a: lamp.on#1 = reply lost', { switched: 2, told: ['read ECONNRESET (simulated)', 2], starts: 1 }],
  ['a: lamp.on#1 = twice', { switched: 2, told: [2], starts: 1 }],
  ['a: lamp.on#1 = late', { switched: 2, told: ['read ETIMEDOUT (simulated)', 1], starts: 1 }],
])('with the plan %s a call has that effect, and its caller hears that', async (plan, expected) => {
  const { sim, lamp, start } = world(plan)
  start(untilTold(lamp.told))
  await sim.run(minutes(2), () => false)
  expect(lamp).toEqual(expected)
  expect(sim.injector.unused).toEqual([])
  expect(await sim.close()).toEqual([])
})
it('an outage lasts half a minute for all calls of that name, and for no other', async () => {
  const { sim, lamp, start } = world('a: lamp.on#1 = outage')
  const counted: number[] = []
  start(async (port, ports) => {
    await untilTold(lamp.told)(port, ports)
    counted.push(await port.count())
  })
  await sim.run(minutes(2), () => false)
  expect(lamp.told).toHaveLength(31)
  expect(counted).toEqual([1])
})
it('a late call takes effect after its caller gave up, also where a signal made it', async () => {
  const { sim, lamp, clock, start } = world('a: lamp.on#1 = late')
  const gaveUp: number[] = []
  start(async (port, ports) => {
    const cut = new AbortController()
    ports.clock.after(seconds(3), () => cut.abort(new Error('too slow')))
    await port.on(cut.signal).catch(() => gaveUp.push(clock.elapsed()))
  })
  await sim.run(seconds(7), () => false)
  expect([gaveUp, lamp.switched]).toEqual([[3_000], 0])
  await sim.run(seconds(2), () => false)
  expect(lamp.switched).toBe(1)
})
it('a process that is stopped hears its answer a minute later', async () => {
  const { sim, clock, start } = world('a: lamp.on#1 = stopped')
  const heard: number[] = []
  start(async port => {
    await port.on()
    heard.push(clock.elapsed())
  })
  await sim.run(minutes(2), () => false)
  expect(heard).toEqual([60_000])
})
it('what a dead process still asks for is counted as a leak, unless it is in the turn of its death', async () => {
  const { sim, start } = world('a: lamp.on#1 = crash before')
  let revive = (): void => {}
  start(async port => {
    const outside = new Promise<void>(resolve => {
      revive = resolve
    })
    void port.on()
    void port.count()
    await outside
    await port.count()
  })
  await sim.run(seconds(1), () => false)
  revive()
  await sim.run(seconds(1), () => false)
  expect(await sim.close()).toEqual(['a asked for 1 things after its death'])
})
it('somebody else writes to the object just before, where a write is overtaken', async () => {
  const asked: string[] = []
  const api = async ({ method, url, body }: HttpRequest): Promise<HttpResponse> => {
    asked.push(`${method} ${url} ${new TextDecoder().decode(body)}`)
    return answer(200, { metadata: {} })
  }
  const { sim, start } = world('a: patch things/status x/y#1 = overtaken', api)
  const things = { group: 'g', version: 'v1', plural: 'things', namespaced: true }
  start(async (_, { kube }) => {
    await kube.patch(things, { name: 'y', namespace: 'x' }, { merge: { status: {} } }, { subresource: 'status' })
  })
  await sim.run(seconds(1), () => false)
  expect(asked.map(line => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'PATCH /apis/g/v1/namespaces/x/things/y',
    'PATCH /apis/g/v1/namespaces/x/things/y/status',
  ])
})

/** What a client hears of three changes, one a second, and when; then the server says nothing more. */
async function heard(plan: string): Promise<readonly string[]> {
  const clock = virtualClock()
  const requests: string[] = []
  const api: Transport = async ({ url }) => {
    requests.push(url)
    const from = Number(/resourceVersion=(\d+)/.exec(url)?.[1] ?? 0)
    return { ...answer(200), shared: { events: changes(from) } }
  }
  async function* changes(from: number): AsyncGenerator<readonly WatchEvent[]> {
    if (from === 0) yield [bookmark]
    for (let revision = from + 1; revision <= 3; revision++) {
      if (clock.elapsed() < revision * 1_000) await clock.sleep(revision * 1_000 - clock.elapsed())
      yield [{ type: 'MODIFIED', object: { metadata: { name: 'y', resourceVersion: String(revision) } } }]
    }
    await new Promise(() => {})
  }
  const bookmark: WatchEvent = {
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion: '0', annotations: { 'k8s.io/initial-events-end': 'true' } } },
  }
  const sim = openSimulation({ seed: 's', clock, host: { as: () => api, objects: () => [] }, plan: parsePlan(plan)! })
  const lines: string[] = []
  sim.start('a', ({ kube }) => {
    const over = new AbortController()
    void (async () => {
      for await (const batch of kube.watch({ group: 'g', version: 'v1', plural: 'things', namespaced: false }, {}, over.signal))
        for (const event of batch)
          lines.push(`${Math.round(clock.elapsed() / 1_000)} ${'object' in event ? event.object.metadata.resourceVersion : event.type}`)
    })()
    return { stop: async () => over.abort(new Error('over')) }
  })
  await sim.run(minutes(1), () => false)
  await sim.close()
  return lines
}

it.each([
  ['none', ['0 BOOKMARK', '1 1', '2 2', '3 3']],
  ['a: watch things#1 = lag 1', ['0 BOOKMARK', '2 1', '2 2', '3 3']],
  ['a: watch things#2 = lag all', ['0 BOOKMARK', '1 1', '22 2', '22 3']],
  ['a: watch things#2 = repeated', ['0 BOOKMARK', '1 1', '2 2', '2 2', '3 3']],
  ['a: watch things#2 = dropped', ['0 BOOKMARK', '1 1', '2 INTERRUPTED', '3 2', '3 3']],
  ['a: watch things#2 = gone', ['0 BOOKMARK', '1 1', '2 RELIST', '2 BOOKMARK', '2 1', '2 2', '3 3']],
])('with the plan %s a watcher hears that', async (plan, lines) => expect(await heard(plan)).toEqual(lines))

it('coalesced events are told as a state, after an outage and a history that is gone', async () => {
  const lines = await heard('a: watch things#2 = coalesced')
  expect(lines.slice(0, 3)).toEqual(['0 BOOKMARK', '1 1', '2 INTERRUPTED'])
  expect(lines.filter(line => line.endsWith('RELIST'))).toHaveLength(1)
  expect(Number(lines.find(line => line.endsWith('RELIST'))!.split(' ')[0])).toBeGreaterThanOrEqual(22)
  expect(lines.slice(-3).map(line => line.split(' ')[1])).toEqual(['1', '2', '3'])
})
