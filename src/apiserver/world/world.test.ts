import { expect, it } from 'vitest'
import type { KubeObject } from '../../core/object.ts'
import { type Row, type Store, silent } from '../../ports/index.ts'
import { memoryDisk, memoryStore } from '../store/memory.ts'
import { type Change, openWorld, seenAs, watchLine } from './index.ts'

const secrets = '/secrets'
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const secret = (name: string, data: Record<string, unknown> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'a' },
  data,
})
const fresh = (disk = memoryDisk(), compactAfter?: number) =>
  openWorld({ store: memoryStore(disk), log: silent, ...(compactAfter === undefined ? {} : { compactAfter }) })

/** A store whose commits wait for the test. */
function heldStore(): { store: Store; batches: Row[][]; release: (error?: Error) => void } {
  const inner = memoryStore()
  const batches: Row[][] = []
  let gates: { open: () => void; fail: (e: Error) => void }[] = []
  return {
    batches,
    release: error => {
      for (const gate of gates.splice(0)) error ? gate.fail(error) : gate.open()
    },
    store: {
      ...inner,
      append: async batch => {
        batches.push([...batch])
        await new Promise<void>((open, fail) => (gates = [...gates, { open, fail }]))
        await inner.append(batch)
      },
    },
  }
}

it('write() stamps the revision into bytes and object alike', async () => {
  const world = await fresh()
  const entry = await world.write(secrets, 'a/one', () => ({ put: secret('one', { k: 'v' }) }))
  expect(entry.revision).toBe(1)
  expect(JSON.parse(text(entry.bytes))).toEqual(entry.object)
  expect(entry.object.metadata.resourceVersion).toBe('1')
  expect(Object.isFrozen(entry.object.metadata)).toBe(true)
  expect(world.get(secrets, 'a/one')).toBe(entry)
})

it('an object whose JSON differs from itself is shown as its JSON', async () => {
  const world = await fresh()
  const odd = { gone: undefined, zero: -0, none: Number.NaN, at: { toJSON: () => 'then' } }
  const { object } = await world.write(secrets, 'a/odd', () => ({ put: secret('odd', odd) }))
  expect(Object.entries(object['data'] as object)).toEqual([
    ['zero', 0],
    ['none', null],
    ['at', 'then'],
  ])
})

it('readers, watchers and writers hear nothing of a write before its commit', async () => {
  const { store, release, batches } = heldStore()
  const world = await openWorld({ store, log: silent })
  const seen: Change[] = []
  let answered = false
  world.subscribe(secrets, 0, changes => seen.push(...changes))
  const write = world.write(secrets, 'a/one', () => ({ put: secret('one') })).then(() => (answered = true))
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  expect(batches).toHaveLength(1)
  expect([world.get(secrets, 'a/one'), world.list(secrets).length, world.revision, seen.length, answered]).toEqual([
    undefined,
    0,
    0,
    0,
    false,
  ])
  release()
  await write
  expect([world.revision, seen.length]).toEqual([1, 1])
})

it('writes that arrive during a commit share the next one', async () => {
  const { store, release, batches } = heldStore()
  const world = await openWorld({ store, log: silent })
  const first = world.write(secrets, 'a/0', () => ({ put: secret('0') }))
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  const rest = [1, 2, 3].map(n => world.write(secrets, `a/${n}`, () => ({ put: secret(String(n)) })))
  release()
  await first
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  release()
  await Promise.all(rest)
  expect(batches.map(batch => batch.map(row => row.revision))).toEqual([[1], [2, 3, 4]])
})

it('a second write to a key decides on the result of the first', async () => {
  const world = await fresh()
  const add = (name: string) =>
    world.write(secrets, 'a/one', current => ({ put: secret('one', { ...(current?.object['data'] as object | undefined), [name]: '' }) }))
  await Promise.all(['x', 'y', 'z'].map(add))
  expect(Object.keys(world.get(secrets, 'a/one')?.object['data'] as object)).toEqual(['x', 'y', 'z'])
})

it('a decision that throws writes nothing and lets the next one of its key go on', async () => {
  const world = await fresh()
  const [one, two, three] = await Promise.allSettled([
    world.write(secrets, 'a/one', () => ({ put: secret('one') })),
    world.write(secrets, 'a/one', () => {
      throw new Error('no')
    }),
    world.write(secrets, 'a/one', current => ({ keep: current! })),
  ])
  expect([one.status, two.status, three.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(world.revision).toBe(1)
})

it('an object that cannot be serialised is refused alone, and its neighbours get contiguous revisions', async () => {
  const world = await fresh()
  const loop: Record<string, unknown> = {}
  loop['self'] = loop
  const done = await Promise.allSettled([
    world.write(secrets, 'a/1', () => ({ put: secret('1') })),
    world.write(secrets, 'a/2', () => ({ put: secret('2', loop) })),
    world.write(secrets, 'a/3', () => ({ put: secret('3') })),
  ])
  expect(done.map(one => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(world.list(secrets).map(entry => entry.revision)).toEqual([1, 2])
})

it('list() is sorted, narrows to exactly one namespace, and never changes once handed out', async () => {
  const world = await fresh()
  for (const key of ['b/1', 'a/2', 'a-b/1', 'a/1', 'a0/1']) await world.write(secrets, key, () => ({ put: secret(key) }))
  const before = world.list(secrets)
  await world.write(secrets, 'a/3', () => ({ put: secret('3') }))
  await world.write(secrets, 'b/1', current => ({ remove: current!.object }))
  expect(before.map(entry => entry.key)).toEqual(['a-b/1', 'a/1', 'a/2', 'a0/1', 'b/1'])
  expect(world.list(secrets, { namespace: 'a' }).map(entry => entry.key)).toEqual(['a/1', 'a/2', 'a/3'])
  expect(world.list(secrets, { at: 5 })).toEqual(before)
  expect(world.count(secrets)).toBe(5)
})

it('a deletion is an event with the last state at the revision of the deletion', async () => {
  const world = await fresh()
  const seen: Change[] = []
  await world.write(secrets, 'a/one', () => ({ put: secret('one') }))
  world.subscribe(secrets, 1, changes => seen.push(...changes))
  await world.write(secrets, 'a/one', current => ({ remove: current!.object }))
  expect(seen.map(change => [change.type, change.revision, change.entry.object.metadata.resourceVersion])).toEqual([['DELETED', 2, '2']])
})

it('watchLine() is serialised once, and a watch that loses sight of an object gets its last look', async () => {
  const world = await fresh()
  const seen: Change[] = []
  world.subscribe(secrets, 0, changes => seen.push(...changes))
  await world.write(secrets, 'a/one', () => ({ put: secret('one', { v: 1 }) }))
  await world.write(secrets, 'a/one', () => ({ put: secret('one', { v: 2 }) }))
  const [added, modified] = seen as [Change, Change]
  expect(text(watchLine(added, 'ADDED'))).toBe(`{"type":"ADDED","object":${text(added.entry.bytes)}}\n`)
  expect(watchLine(modified, 'ADDED')).toBe(watchLine(modified, 'ADDED'))
  expect(JSON.parse(text(watchLine(modified, 'DELETED')))).toEqual({ type: 'DELETED', object: seenAs(modified, 'DELETED').object })
  expect(seenAs(modified, 'DELETED').object).toMatchObject({ data: { v: 1 }, metadata: { resourceVersion: '2' } })
})

it('history serves watches and past lists after a restart', async () => {
  const disk = memoryDisk()
  const before = await fresh(disk)
  for (let v = 1; v <= 4; v++) await before.write(secrets, 'a/one', () => ({ put: secret('one', { v }) }))
  const after = await fresh(disk)
  const seen: Change[] = []
  after.subscribe(secrets, 2, changes => seen.push(...changes))
  expect(seen.map(change => [change.type, change.revision])).toEqual([
    ['MODIFIED', 3],
    ['MODIFIED', 4],
  ])
  expect(after.list(secrets, { at: 2 })[0]?.object['data']).toEqual({ v: 2 })
})

it('compaction bounds the history and answers Expired below it, also after a restart', async () => {
  const disk = memoryDisk()
  const world = await fresh(disk, 10)
  await world.write(secrets, 'a/still', () => ({ put: secret('still') }))
  for (let v = 0; v < 40; v++) await world.write(secrets, 'a/one', () => ({ put: secret('one', { v }) }))
  expect(world.revision - world.compacted).toBeLessThan(15)
  expect(disk.rows.size).toBeLessThan(18)
  for (const opened of [world, await fresh(disk)]) {
    expect(() => opened.subscribe(secrets, opened.compacted - 1, () => {})).toThrow(/compacted/)
    expect(opened.list(secrets, { at: opened.compacted }).map(entry => entry.key)).toEqual(['a/one', 'a/still'])
    expect(() => opened.list(secrets, { at: opened.revision + 1 })).toThrow(/newest/)
    expect(opened.get(secrets, 'a/still')?.revision).toBe(1)
  }
})

it('a listener that throws, subscribes or leaves in the middle disturbs nobody', async () => {
  const world = await fresh()
  const heard: string[] = []
  world.subscribe(secrets, 0, () => {
    throw new Error('mine')
  })
  const leave = world.subscribe(secrets, 0, () => {
    leave()
    world.subscribe(secrets, 0, changes => heard.push(...changes.map(change => `late ${change.revision}`)))
  })
  world.subscribe(secrets, 0, changes => heard.push(...changes.map(change => `early ${change.revision}`)))
  await world.write(secrets, 'a/1', () => ({ put: secret('1') }))
  await world.write(secrets, 'a/2', () => ({ put: secret('2') }))
  expect(heard.toSorted()).toEqual(['early 1', 'early 2', 'late 1', 'late 2'])
})
