import { expect, it } from 'vitest'
import { hours } from '../../core/duration.ts'
import type { KubeObject } from '../../core/object.ts'
import type { HttpResponse, Kube, KubeEvent, ResourceRef } from '../../ports/index.ts'
import { pacedClock } from '../clock/paced.ts'
import { turn } from '../clock/virtual.ts'
import { openTraffic } from './traffic.ts'
import { openWitness } from './witness.ts'

const things: ResourceRef = { group: 'g', version: 'v1', plural: 'things', namespaced: false }

/** A wall clock that is read once a turn, and goes a second on each time. */
const hastyWall = () => {
  let now = 0
  return () => (now += 1_000)
}

it('paced time stands while something is under way, and passes at once when nothing is', async () => {
  let why: string | undefined = 'a request is under way'
  const clock = pacedClock({ start: 0, holds: () => why, wall: () => 0 })
  let settled = false
  const settling = clock.settle().then(() => (settled = true))
  for (let i = 0; i < 20; i++) await turn()
  expect(settled).toBe(false)
  why = undefined
  await settling
  clock.after(hours(1), () => {})
  expect(clock.advance(hours(2))).toBe(true)
  expect(clock.elapsed()).toBe(hours(1))
})
it('paced time that stands for too long says what for', async () => {
  const clock = pacedClock({ start: 0, holds: () => 'things x is being removed by somebody else', wall: hastyWall() })
  await expect(clock.settle()).rejects.toThrow('things x is being removed by somebody else, for more than 90 s')
})

const answer = (status: number, body: unknown): HttpResponse => ({ status, headers: {}, body: Buffer.from(JSON.stringify(body)) })

it('a request is under way until its answer is read; a watch until it is answered', async () => {
  const traffic = openTraffic()
  let reply: (response: HttpResponse) => void = () => {}
  const transport = traffic.through(() => new Promise(resolve => (reply = resolve)))
  const asked = transport({ method: 'PATCH', url: '/apis/g/v1/things/x', headers: {} })
  expect(traffic.busy()).toBe('PATCH things x is under way')
  reply(answer(200, { metadata: { resourceVersion: '7' } }))
  await asked
  expect([traffic.busy(), traffic.written('g/things')]).toEqual([undefined, '7'])
  const watching = transport({ method: 'GET', url: '/apis/g/v1/things?watch=1', headers: {} })
  expect(traffic.busy()).toBe('GET things is under way')
  reply({ status: 200, headers: {}, body: (async function* () {})() })
  await watching
  expect(traffic.busy()).toBeUndefined()
})

async function witnessOf(...events: readonly KubeEvent<KubeObject>[]) {
  const traffic = openTraffic()
  const kube = {
    async *watch(_: ResourceRef, __: object, signal: AbortSignal) {
      yield [{ type: 'BOOKMARK', revision: '5', complete: true }, ...events]
      await new Promise(resolve => signal.addEventListener('abort', resolve))
    },
  } as unknown as Kube
  const witness = openWitness({ kube, kinds: [things], traffic, ours: finalizer => finalizer.startsWith('ours/') })
  await turn()
  return { witness, traffic }
}

const thing = (metadata: Partial<KubeObject['metadata']>): KubeObject => ({
  apiVersion: 'g/v1',
  kind: 'Thing',
  metadata: { name: 'x', resourceVersion: '6', ...metadata },
})

it('time waits until what was written is told', async () => {
  const { witness, traffic } = await witnessOf({ type: 'ADDED', object: thing({}) })
  expect(witness.waits()).toBeUndefined()
  await traffic.through(async () => answer(200, { metadata: { resourceVersion: '10' } }))({
    method: 'PUT',
    url: '/apis/g/v1/things/x',
    headers: {},
  })
  expect(witness.waits()).toBe('g/things are told up to 6, and written up to 10')
  await witness.close()
})
it('time waits until a removal is told, whose answer has no revision', async () => {
  const { witness, traffic } = await witnessOf({ type: 'ADDED', object: thing({ uid: 'u' }) })
  await traffic.through(async () => answer(200, { kind: 'Status', details: { uid: 'u' } }))({
    method: 'DELETE',
    url: '/apis/g/v1/things/x',
    headers: {},
  })
  expect(witness.waits()).toBe('g/things x was removed, which nobody has told yet')
  await witness.close()
})
it('time waits for a removal by somebody else, and not for one by the processes under test', async () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z'
  const theirs = await witnessOf({ type: 'ADDED', object: thing({ deletionTimestamp, finalizers: ['foregroundDeletion'] }) })
  expect(theirs.witness.waits()).toBe('g/things x is being removed by somebody else (foregroundDeletion)')
  const own = await witnessOf({ type: 'ADDED', object: thing({ deletionTimestamp, finalizers: ['ours/hold'] }) })
  expect(own.witness.waits()).toBeUndefined()
  await theirs.witness.close()
  await own.witness.close()
})
it('time waits until what has lost its owner is collected, and not for an owner that nobody ever saw', async () => {
  const owner = { apiVersion: 'g/v1', kind: 'Thing', name: 'o', uid: 'o-uid' }
  const dependent = thing({ uid: 'x-uid', ownerReferences: [owner] })
  const gone = thing({ name: 'o', uid: 'o-uid', resourceVersion: '7' })
  const lost = await witnessOf({ type: 'ADDED', object: dependent }, { type: 'ADDED', object: gone }, { type: 'DELETED', object: gone })
  expect(lost.witness.waits()).toBe('g/things x has lost its owner, and has not been collected yet')
  const strange = await witnessOf({ type: 'ADDED', object: dependent })
  expect(strange.witness.waits()).toBeUndefined()
  await lost.witness.close()
  await strange.witness.close()
})
const put = (traffic: ReturnType<typeof openTraffic>, body: unknown, method = 'PUT') =>
  traffic.through(async () => answer(200, body))({ method, url: '/apis/g/v1/things/x', headers: {} })

it('what the server answered counts at once, though no watch has told of it; what a watch knows better is not undone', async () => {
  const { witness, traffic } = await witnessOf({ type: 'ADDED', object: thing({ uid: 'u', labels: { is: 'told' } }) })
  const is = (): unknown => witness.objects(things).map(({ metadata }) => metadata.labels?.['is'])
  await put(traffic, thing({ uid: 'u', resourceVersion: '10', labels: { is: 'answered' } }))
  expect(is()).toEqual(['answered'])
  await put(traffic, thing({ uid: 'u', resourceVersion: '9', labels: { is: 'answered late' } }))
  expect(is()).toEqual(['answered'])
  await put(traffic, thing({ uid: 'u', resourceVersion: '11', deletionTimestamp: '2026-01-01T00:00:00Z' }))
  expect(is(), 'its last finalizer went').toEqual([])
  expect(witness.waits()).toBe('g/things are told up to 6, and written up to 11')
  await witness.close()
})
it('an object whose removal was answered is gone, and one of its name is not', async () => {
  const { witness, traffic } = await witnessOf({ type: 'ADDED', object: thing({ uid: 'u' }) })
  await put(traffic, { kind: 'Status', details: { uid: 'u' } }, 'DELETE')
  expect(witness.objects(things)).toEqual([])
  await put(traffic, thing({ uid: 'v', resourceVersion: '12' }), 'POST')
  expect(witness.objects(things).map(({ metadata }) => metadata.uid)).toEqual(['v'])
  await witness.close()
})
it('a removal that was told before it was answered is over', async () => {
  const object = thing({ uid: 'u' })
  const { witness, traffic } = await witnessOf({ type: 'ADDED', object }, { type: 'DELETED', object })
  await put(traffic, { kind: 'Status', details: { uid: 'u' } }, 'DELETE')
  expect(witness.waits()).toBeUndefined()
  await witness.close()
})
