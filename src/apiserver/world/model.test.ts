import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { KubeObject } from '../../core/object.ts'
import { silent } from '../../ports/index.ts'
import { memoryDisk, memoryStore } from '../store/memory.ts'
import { type Change, type OpenWorld, openWorld } from './index.ts'

const resources = ['/secrets', 'apps/jobs'] as const
const keys = ['a/1', 'a/2', 'a-b/1', 'b/1', 'cluster'] as const

interface Happened {
  readonly revision: number
  readonly type: Change['type']
  readonly resource: string
  readonly key: string
  readonly value: number
}
interface Watch {
  readonly resource: string
  readonly from: number
  readonly heard: Happened[]
}

/** The whole truth as a list of events; everything the world says must follow from it. */
const at = (events: readonly Happened[], resource: string, revision: number): (readonly [string, number])[] => {
  const now = new Map<string, number>()
  for (const event of events) {
    if (event.resource !== resource || event.revision > revision) continue
    if (event.type === 'DELETED') now.delete(event.key)
    else now.set(event.key, event.value)
  }
  return [...now].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

const happened = (change: Change): Happened => ({
  revision: change.revision,
  type: change.type,
  resource: change.entry.resource,
  key: change.entry.key,
  value: Number(change.entry.object['value']),
})
const object = (key: string, value: number): KubeObject => ({ apiVersion: 'v1', kind: 'K', metadata: { name: key }, value })

const where = { resource: fc.constantFrom(...resources), key: fc.constantFrom(...keys) }
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      writes: fc.array(fc.record({ ...where, value: fc.nat(99), remove: fc.boolean() }), { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('watch' as const), resource: where.resource, back: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

it('get, list, lists of the past and watches follow from the writes: none skipped, none twice, also across restarts and compaction', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 40 }), fc.integer({ min: 2, max: 12 }), async (commands, compactAfter) => {
      const disk = memoryDisk()
      const open = () => openWorld({ store: memoryStore(disk), log: silent, compactAfter })
      let world = await open()
      const events: Happened[] = []
      let watches: (Watch & { end: () => void })[] = []
      const record = () => world.observe(changes => events.push(...changes.map(happened)))
      record()
      for (const step of commands) {
        if (step.do === 'write') await Promise.allSettled(step.writes.map(one => writeOne(world, one)))
        else if (step.do === 'watch') {
          const from = Math.max(world.compacted, world.revision - step.back)
          const heard: Happened[] = []
          const end = world.subscribe(step.resource, from, changes => heard.push(...changes.map(happened)))
          watches.push({ resource: step.resource, from, heard, end })
        } else if (step.do === 'leave') {
          watches.shift()?.end()
        } else {
          watches = []
          world = await open()
          record()
        }
        agree(world, events, watches)
      }
    }),
    { numRuns: 150 },
  )
})

const writeOne = (world: OpenWorld, one: { resource: string; key: string; value: number; remove: boolean }) =>
  world.write(one.resource, one.key, current => {
    if (one.remove) return { remove: current?.object ?? object(one.key, one.value) }
    return current?.object['value'] === one.value ? { keep: current } : { put: object(one.key, one.value) }
  })

function agree(world: OpenWorld, events: readonly Happened[], watches: readonly Watch[]): void {
  expect(events.map(event => event.revision)).toEqual(events.map((_, i) => i + 1))
  expect(world.revision).toBe(events.length)
  for (const resource of resources) {
    const now = at(events, resource, world.revision)
    expect(world.list(resource).map(entry => [entry.key, entry.object['value']])).toEqual(now)
    expect(world.count(resource)).toBe(now.length)
    for (const key of keys) expect(world.get(resource, key)?.object['value']).toBe(new Map(now).get(key))
    for (let revision = world.compacted; revision <= world.revision; revision++) {
      const then = at(events, resource, revision)
      expect(world.list(resource, { at: revision }).map(entry => [entry.key, entry.object['value']])).toEqual(then)
      const inA = then.filter(([key]) => key.startsWith('a/'))
      expect(world.list(resource, { at: revision, namespace: 'a' }).map(entry => [entry.key, entry.object['value']])).toEqual(inA)
    }
    if (world.compacted > 0) expect(() => world.list(resource, { at: world.compacted - 1 })).toThrow(/compacted/)
  }
  for (const { resource, from, heard } of watches)
    expect(heard).toEqual(events.filter(event => event.resource === resource && event.revision > from))
}
