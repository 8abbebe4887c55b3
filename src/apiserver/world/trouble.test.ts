import { expect, it } from 'vitest'
import { ApiError } from '../../api/status.ts'
import { Fault } from '../../core/fault.ts'
import type { KubeObject } from '../../core/object.ts'
import { type Store, silent } from '../../ports/index.ts'
import { type MemoryDisk, memoryDisk, memoryStore } from '../store/memory.ts'
import { type Change, openWorld, type WorldOptions } from './index.ts'

const secrets = '/secrets'
const secret = (name: string): { put: KubeObject } => ({ put: { apiVersion: 'v1', kind: 'Secret', metadata: { name } } })
const unknown = () => new Fault('store/outcome-unknown', 'Cannot tell whether revision 2 was kept: disk I/O error')

/** A store whose second batch fails: `kept` says whether the disk has it all the same. */
function failing(disk: MemoryDisk, fault: Fault, kept: boolean): Store {
  const inner = memoryStore(disk)
  let batches = 0
  return {
    ...inner,
    append: async batch => {
      batches++
      if (batches !== 2) return inner.append(batch)
      if (kept) await inner.append(batch)
      throw fault
    },
  }
}

async function worldThatFails(fault: Fault, kept: boolean, more: Partial<WorldOptions> = {}) {
  const disk = memoryDisk()
  const world = await openWorld({ store: failing(disk, fault, kept), log: silent, ...more })
  const heard: number[] = []
  world.subscribe(secrets, 0, (changes: readonly Change[]) => heard.push(...changes.map(change => change.revision)))
  await world.write(secrets, 'one', () => secret('one'))
  return { world, disk, heard }
}
const refusalOf = async (write: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await write.then(
    () => 'it was written',
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}
const settle = async () => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}

it('a commit of unknown outcome makes the world read-only, in words, and reads go on', async () => {
  const { world } = await worldThatFails(unknown(), false)
  const lost = refusalOf(world.write(secrets, 'two', () => secret('two')))
  const waiting = refusalOf(world.write(secrets, 'two', () => secret('two')))
  expect([(await lost).reason, (await lost).message]).toEqual([
    'ServiceUnavailable',
    expect.stringMatching(/whether this write was kept is not known/),
  ])
  expect((await waiting).message).toMatch(/nothing was written/)
  const later = await refusalOf(world.write(secrets, 'three', () => secret('three')))
  expect([later.code, later.message]).toEqual([503, expect.stringMatching(/disk I\/O error; nothing was written/)])
  expect(world.trouble).toMatch(/disk I\/O error/)
  expect(world.list(secrets).map(entry => entry.key)).toEqual(['one'])
})

for (const kept of [true, false])
  it(`after reopening, a batch that was ${kept ? 'kept is shown to readers and watchers once' : 'not kept leaves no trace'}, and writes go on`, async () => {
    const reopen = async () => memoryStore(disk)
    const { world, disk, heard } = await worldThatFails(unknown(), kept, { reopen: () => reopen() })
    await refusalOf(world.write(secrets, 'two', () => secret('two')))
    await settle()
    expect(world.trouble).toBe(undefined)
    expect(world.list(secrets).map(entry => entry.key)).toEqual(kept ? ['one', 'two'] : ['one'])
    const next = await world.write(secrets, 'three', () => secret('three'))
    expect(next.revision).toBe(kept ? 3 : 2)
    expect(heard).toEqual(kept ? [1, 2, 3] : [1, 2])
    expect(disk.rows.size).toBe(world.revision)
  })

it('a store that had stopped before the write is opened again, and the refusal says that nothing was written', async () => {
  const reopen = async () => memoryStore(disk)
  const { world, disk } = await worldThatFails(new Fault('store/stopped', 'Cannot use the store: its thread has ended'), false, {
    reopen: () => reopen(),
  })
  const refused = await refusalOf(world.write(secrets, 'two', () => secret('two')))
  expect(refused.message).toMatch(/its thread has ended; nothing was written/)
  await settle()
  expect((await world.write(secrets, 'two', () => secret('two'))).revision).toBe(2)
})

it('a store that cannot be reopened is tried again by the next write, and one that lost revisions is never used', async () => {
  let tries = 0
  const reopen = async () => {
    tries++
    if (tries === 1) throw new Fault('store/full', 'Cannot use the store: the disk is full')
    return tries === 2 ? memoryStore(memoryDisk()) : memoryStore(disk)
  }
  const { world, disk } = await worldThatFails(unknown(), false, { reopen })
  await refusalOf(world.write(secrets, 'two', () => secret('two')))
  await settle()
  expect(world.trouble).toMatch(/disk is full/)
  await refusalOf(world.write(secrets, 'two', () => secret('two')))
  await settle()
  expect(world.trouble).toMatch(/ends at revision 0, not 1; start again/)
  await refusalOf(world.write(secrets, 'two', () => secret('two')))
  await settle()
  expect([tries, world.trouble]).toEqual([3, undefined])
  expect((await world.write(secrets, 'two', () => secret('two'))).revision).toBe(2)
})

it('a full disk refuses the batch, gives up history to make room, and takes the next write', async () => {
  const { world, disk } = await worldThatFails(new Fault('store/full', 'Cannot write: the disk is full'), false)
  const refused = await refusalOf(world.write(secrets, 'two', () => secret('two')))
  expect([refused.code, refused.message]).toEqual([503, 'Cannot write: the disk is full; nothing was written'])
  await settle()
  expect([world.trouble, world.compacted, disk.state.compacted]).toEqual([undefined, 1, 1])
  expect((await world.write(secrets, 'two', () => secret('two'))).revision).toBe(2)
})

it('close() lets decided writes finish and refuses later ones', async () => {
  const disk = memoryDisk()
  const world = await openWorld({ store: memoryStore(disk), log: silent })
  const before = world.write(secrets, 'one', () => secret('one'))
  const closed = world.close()
  const after = await refusalOf(world.write(secrets, 'two', () => secret('two')))
  expect((await before).revision).toBe(1)
  expect(after.message).toMatch(/shutting down/)
  await closed
  expect(disk.state.revision).toBe(1)
})
