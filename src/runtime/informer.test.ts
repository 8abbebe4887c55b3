import { describe, expect, it } from 'vitest'
import { testClock } from '../../test/runtime/clock.ts'
import { seconds } from '../core/duration.ts'
import { freezeJson } from '../core/json.ts'
import type { KubeObject } from '../core/object.ts'
import { type KubeEvent, type ResourceRef, silent, type Watcher } from '../ports/index.ts'
import { openInformer } from './informer.ts'
import { openMarks } from './marks.ts'

const things: ResourceRef = { group: 'x', version: 'v1', plural: 'things', namespaced: false }
const thing = (name: string, revision: number | string, uid = name, more: object = {}): KubeObject => ({
  apiVersion: 'x/v1',
  kind: 'Thing',
  metadata: { name, uid, resourceVersion: String(revision) },
  ...more,
})
type Event = KubeEvent<KubeObject>
const added = (object: KubeObject): Event => ({ type: 'ADDED', object })
const modified = (object: KubeObject): Event => ({ type: 'MODIFIED', object })
const deleted = (object: KubeObject): Event => ({ type: 'DELETED', object })
const complete = (revision: number): Event => ({ type: 'BOOKMARK', revision: String(revision), complete: true })
const bookmark = (revision: number): Event => ({ type: 'BOOKMARK', revision: String(revision), complete: false })
const relist: Event = { type: 'RELIST', because: 'the history is gone' }

/** An informer over a watch that says what the test says. */
async function open(...first: Event[]) {
  const clock = testClock()
  const told: string[] = []
  let tell: (batch: readonly Event[]) => void = () => {}
  let rounds = 0
  const kube: Watcher = {
    watch: async function* (_of: ResourceRef, _where: object, signal: AbortSignal) {
      rounds++
      while (!signal.aborted) {
        const ended = new Promise<undefined>(resolve => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
        const next = new Promise<readonly Event[]>(resolve => {
          tell = resolve
        })
        const batch = await Promise.race([next, ended])
        if (batch) yield batch
      }
    } as never,
  }
  const informer = openInformer({ kube, clock, log: silent }, things, [
    {
      of: things,
      name: 'colour',
      values: ({ colour, bad }) => {
        if (bad) throw new Error('a bad thing')
        return typeof colour === 'string' ? [colour] : []
      },
    },
  ])
  informer.listen({
    changed: ({ type, key, object }) => void told.push(`${type} ${key} ${object.metadata.resourceVersion}`),
    reached: (revision, whole) => void told.push(`${whole ? 'whole' : 'reached'} ${revision}`),
  })
  const over = new AbortController()
  void informer.run(over.signal)
  const hear = async (...events: Event[]): Promise<string[]> => {
    await clock.settle()
    tell(events)
    await clock.settle()
    return told.splice(0)
  }
  if (first.length > 0) await hear(...first)
  return { clock, informer, hear, rounds: () => rounds, stop: () => over.abort() }
}

describe('an informer', () => {
  it('is ready once the whole state was told', async () => {
    const { informer, hear } = await open()
    expect(await hear(added(thing('a', 1)))).toEqual(['ADDED a 1'])
    expect([informer.ready, informer.complete, informer.revision]).toEqual([false, false, undefined])
    expect(await hear(added(thing('b', 2)), complete(5))).toEqual(['ADDED b 2', 'whole 5'])
    expect([informer.ready, informer.complete, informer.revision]).toEqual([true, true, '5'])
    expect(await hear(modified(thing('a', 7)), bookmark(9))).toEqual(['MODIFIED a 7', 'reached 9'])
  })

  it('hears nothing in what it knows already, nor in what is older', async () => {
    const { hear } = await open(added(thing('a', 5)), complete(5))
    expect(await hear(modified(thing('a', 5)), modified(thing('a', 4)), added(thing('a', 3)))).toEqual([])
  })

  it('finds out by a new list what is gone and what is new, and keeps what stayed', async () => {
    const { informer, hear } = await open(added(thing('a', 1)), added(thing('b', 2)), complete(2))
    expect(await hear(relist, added(thing('b', 2)))).toEqual([])
    expect([informer.ready, informer.complete, informer.cache.size]).toEqual([true, false, 2])
    expect(await hear(added(thing('c', 9)), complete(9))).toEqual(['ADDED c 9', 'DELETED a 1', 'whole 9'])
    expect([...informer.cache.keys()].toSorted()).toEqual(['b', 'c'])
  })

  it('tells of both lives of an object that was deleted and made again unseen', async () => {
    const { hear } = await open(added(thing('a', 1, 'first')), complete(1))
    expect(await hear(modified(thing('a', 4, 'second')))).toEqual(['DELETED a 1', 'ADDED a 4'])
    expect(await hear(deleted(thing('a', 3, 'first')))).toEqual([])
  })

  it('keeps shared objects as they are, and others frozen and without managedFields', async () => {
    const shared = freezeJson({ ...thing('a', 1), metadata: { ...thing('a', 1).metadata, managedFields: [{}] } })
    const own = { ...thing('b', 2), metadata: { ...thing('b', 2).metadata, managedFields: [{ manager: 'x' }] } }
    const { informer } = await open(added(shared), added(own), complete(2))
    expect(informer.cache.get('a')).toBe(shared)
    expect(informer.cache.get('b')).toEqual(thing('b', 2))
    expect(Object.isFrozen(informer.cache.get('b')!.metadata)).toBe(true)
  })

  it('files objects under their indexes, and lists them by name', async () => {
    const { informer, hear } = await open(
      added(thing('b', 1, 'b', { colour: 'red' })),
      added(thing('a', 2, 'a', { colour: 'red' })),
      complete(2),
    )
    expect(informer.cache.by('colour', 'red').map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
    await hear(modified(thing('b', 3, 'b', { colour: 'blue' })), deleted(thing('a', 4)))
    expect([informer.cache.by('colour', 'red'), informer.cache.by('colour', 'blue').length]).toEqual([[], 1])
    expect(() => informer.cache.by('size', '1')).toThrow('Cannot look up x/v1/things by "size": there is no such index')
  })

  it('keeps an object that an index cannot read', async () => {
    const { informer } = await open(added(thing('a', 1, 'a', { colour: null, bad: true })), added(thing('b', 2)), complete(2))
    expect(informer.cache.size).toBe(2)
  })

  it('says why it hears nothing', async () => {
    const { informer, hear } = await open(complete(1))
    await hear({ type: 'INTERRUPTED', because: 'no route', again: 1_000 })
    expect([informer.interrupted, informer.complete]).toEqual(['no route', false])
    await hear(bookmark(2))
    expect([informer.interrupted, informer.complete]).toEqual([undefined, true])
  })
})

describe('marks', () => {
  const mark = async (...first: Event[]) => {
    const world = await open(...first)
    const cleared: string[] = []
    const marks = openMarks(world.clock, world.informer, key => void cleared.push(key))
    return { ...world, marks, cleared }
  }

  it('stand until the cache holds what was written, or something newer', async () => {
    const { marks, hear, cleared, clock } = await mark(added(thing('a', 5)), complete(5))
    const timers = clock.pending
    marks.require('a', { atLeast: '8' })
    await hear(modified(thing('a', 6)), modified(thing('b', 7)))
    expect([marks.has('a'), cleared]).toEqual([true, []])
    await hear(modified(thing('a', 10)))
    expect([marks.has('a'), cleared, clock.pending - timers]).toEqual([false, ['a'], 0])
  })

  it('do not take the end of an earlier life for that of the object that was made', async () => {
    const { marks, hear } = await mark(added(thing('a', 5, 'old')), complete(5))
    marks.require('a', { atLeast: '8' })
    await hear(deleted(thing('a', 7, 'old')))
    expect(marks.has('a')).toBe(true)
    await hear(deleted(thing('a', 9, 'new')))
    expect(marks.has('a')).toBe(false)
  })

  it('of what the cache has heard of already are none', async () => {
    const { marks, hear } = await mark(added(thing('a', 5)), complete(5))
    await hear(deleted(thing('a', 8)))
    marks.require('a', { atLeast: '8' })
    marks.require('a', { otherThan: '5' })
    expect(marks.size).toBe(0)
  })

  it('are met by a bookmark that is as new', async () => {
    const { marks, hear } = await mark(added(thing('a', 5)), complete(5))
    marks.require('a', { atLeast: '8' })
    await hear(bookmark(8))
    expect(marks.size).toBe(0)
  })

  it('of revisions that are no numbers are met by the very same only', async () => {
    const { marks, hear } = await mark(added(thing('a', 'x1')), complete(5))
    marks.require('a', { atLeast: 'x3' })
    await hear(modified(thing('a', 'x2')))
    expect(marks.size).toBe(1)
    await hear(modified(thing('a', 'x3')))
    expect(marks.size).toBe(0)
  })

  it('that stand for 30 seconds make the cache be read anew, and then believe what it says', async () => {
    const { marks, hear, clock, rounds } = await mark(added(thing('a', 5)), complete(5))
    marks.require('a', { otherThan: '5' })
    await clock.advance(seconds(29))
    expect(rounds()).toBe(1)
    await clock.advance(seconds(1))
    expect([rounds(), marks.size]).toEqual([2, 1])
    await hear(added(thing('a', 5)), complete(6))
    expect(marks.size).toBe(0)
  })
})
