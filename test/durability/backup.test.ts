import { statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { restoreBackup } from '../../src/apiserver/store/restore.ts'
import { openSqliteStore } from '../../src/apiserver/store/sqlite.ts'
import { openWorld } from '../../src/apiserver/world/index.ts'
import { silent } from '../../src/ports/index.ts'
import { row, rowsOf } from '../contracts/store.ts'
import { folder } from './child.ts'
import { dice } from './programs/dice.ts'

it('backups under load hold exactly the world at their revision, and restoring one takes no revision back', async () => {
  const directory = folder()
  const backups = folder()
  const store = await openSqliteStore(directory, { log: silent })
  const world = await openWorld({ store, log: silent, compactAfter: 100 })
  const roll = dice(3)
  const taken: { path: string; revision: number }[] = []
  /** The whole list after each revision, as text. */
  const truth = new Map<number, string>()
  const now = new Map<string, string>()
  world.observe(changes => {
    for (const { type, revision, entry } of changes) {
      if (type === 'DELETED') now.delete(entry.key)
      else now.set(entry.key, Buffer.from(entry.bytes).toString())
      truth.set(revision, JSON.stringify([...now].toSorted()))
    }
  })
  const writer = async (name: number) => {
    for (let n = 0; n < 60; n++) {
      const key = `${name}/${roll(4)}`
      await world.write('/things', key, current =>
        current && roll(4) === 0
          ? { remove: current.object }
          : { put: { apiVersion: 'v1', kind: 'Thing', metadata: { name: key }, filling: 'x'.repeat(roll(3_000)) } },
      )
      if (n % 25 === 10 && name === 0) {
        const path = join(backups, `backup-${n}`)
        taken.push({ path, revision: await store.backup(path) })
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, name) => writer(name)))
  const last = world.revision
  await world.close()

  expect(taken.length).toBe(2)
  for (const { path, revision } of taken) {
    expect(revision).toBeLessThan(last)
    expect(statSync(path).mode & 0o077).toBe(0)
    const restored = await restoreBackup(path, directory)
    expect(restored.revision).toBeGreaterThan(last)
    expect(restored.replaced).toMatch(/store\.db\.replaced-\d$/)
    const again = await openWorld({ store: await openSqliteStore(directory, { log: silent }), log: silent })
    const list = again.list('/things').map(entry => [entry.key, Buffer.from(entry.bytes).toString()])
    expect(JSON.stringify(list.toSorted())).toBe(truth.get(revision))
    expect(again.revision).toBe(restored.revision)
    expect(() => again.subscribe('/things', last, () => {})).toThrow(/list again/)
    await again.close()
  }
})

it('a backup is never written over another, and a damaged one is not restored', async () => {
  const directory = folder()
  const path = join(folder(), 'backup')
  const store = await openSqliteStore(directory, { log: silent })
  await store.append([row(1, '/things/a', 'x'.repeat(50_000)), row(2, '/things/b')])
  await store.backup(path)
  await expect(store.backup(path)).rejects.toMatchObject({ code: 'store/backup-exists' })
  await expect(store.backup(join(directory, 'nowhere', 'backup'))).rejects.toMatchObject({ code: 'store/backup-failed' })
  await store.append([row(3, '/things/c')])
  await store.close()
  truncateSync(path, statSync(path).size - 8_192)
  await expect(restoreBackup(path, directory)).rejects.toMatchObject({ code: 'store/damaged' })
  await expect(restoreBackup(`${path}-gone`, directory)).rejects.toMatchObject({ code: 'store/no-backup' })
  const again = await openSqliteStore(directory, { log: silent })
  expect((await rowsOf(again)).map(one => one.revision)).toEqual([1, 2, 3])
  await again.close()
})
