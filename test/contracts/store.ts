import { describe, expect, it } from 'vitest'
import type { Row, Store } from '../../src/ports/index.ts'

/** One place to keep a store, which can be opened again and again, one at a time. */
export interface StorePlace {
  open(): Promise<Store>
  /** A new place that holds what the backup `name` holds. */
  restored(name: string): Promise<StorePlace>
  backupName(name: string): string
  remove(): Promise<void>
}

export const row = (
  revision: number,
  key: string,
  value: string | Uint8Array = `{"at":${revision}}`,
  type: Row['type'] = 'update',
): Row => ({
  revision,
  type,
  key,
  value: typeof value === 'string' ? new TextEncoder().encode(value) : value,
})

export async function rowsOf(store: Store): Promise<Row[]> {
  const rows: Row[] = []
  for await (const one of store.load()) rows.push({ ...one, value: new Uint8Array(one.value) })
  return rows
}

/** What every Store does, whatever it is made of. */
export function storeContract(name: string, place: () => Promise<StorePlace>): void {
  const withPlace = (sentence: string, test: (place: StorePlace) => Promise<void>) =>
    it(sentence, async () => {
      const here = await place()
      try {
        await test(here)
      } finally {
        await here.remove()
      }
    })
  const reopened = async (here: StorePlace, before: Store): Promise<Store> => {
    await before.close()
    return here.open()
  }

  describe(`the ${name} store`, () => {
    withPlace('is empty when it is new', async here => {
      const store = await here.open()
      expect(store.state()).toEqual({ revision: 0, compacted: 0 })
      expect(await rowsOf(store)).toEqual([])
      await store.close()
    })

    withPlace('gives back every row in revision order after it was opened again', async here => {
      const first = await here.open()
      const rows = [row(1, '/a/x', '{}', 'create'), row(2, '/a/y', '{}', 'create'), row(3, '/a/x'), row(4, '/a/y', '{"gone":1}', 'delete')]
      await first.append(rows.slice(0, 1))
      await first.append(rows.slice(1))
      const second = await reopened(here, first)
      expect(second.state()).toEqual({ revision: 4, compacted: 0 })
      expect(await rowsOf(second)).toEqual(rows)
      await second.append([row(5, '/a/z')])
      await second.close()
    })

    withPlace('refuses a gap, a repeat and a step back, and keeps nothing of that batch', async here => {
      const store = await here.open()
      await store.append([row(1, '/a/x')])
      for (const batch of [[row(3, '/a/y')], [row(1, '/a/y')], [row(2, '/a/y'), row(4, '/a/z')]])
        await expect(store.append(batch)).rejects.toMatchObject({ code: 'store/revision-gap' })
      const again = await reopened(here, store)
      expect((await rowsOf(again)).map(one => one.revision)).toEqual([1])
      await again.close()
    })

    withPlace('compaction keeps live objects and what a reader at that revision needs, and drops what is superseded', async here => {
      const first = await here.open()
      await first.append([
        row(1, '/a/live', '{}', 'create'),
        row(2, '/a/often', '{}', 'create'),
        row(3, '/a/gone', '{}', 'create'),
        row(4, '/a/often'),
        row(5, '/a/gone', '{}', 'delete'),
        row(6, '/a/often'),
        row(7, '/a/live'),
      ])
      await first.compact(5)
      const second = await reopened(here, first)
      expect(second.state()).toEqual({ revision: 7, compacted: 5 })
      expect((await rowsOf(second)).map(one => one.revision)).toEqual([1, 4, 6, 7])
      await second.compact(7)
      const third = await reopened(here, second)
      expect(third.state()).toEqual({ revision: 7, compacted: 7 })
      expect((await rowsOf(third)).map(one => one.revision)).toEqual([6, 7])
      await third.close()
    })

    withPlace('compaction up to a deletion never takes the revision back', async here => {
      const first = await here.open()
      await first.append([row(1, '/a/x', '{}', 'create'), row(2, '/a/x', '{}', 'delete')])
      await first.compact(2)
      const second = await reopened(here, first)
      expect(await rowsOf(second)).toEqual([])
      expect(second.state()).toEqual({ revision: 2, compacted: 2 })
      await expect(second.append([row(2, '/a/y')])).rejects.toMatchObject({ code: 'store/revision-gap' })
      await second.append([row(3, '/a/y')])
      await second.close()
    })

    withPlace('compacts thousands of rows while batches go on between', async here => {
      const first = await here.open()
      const versions = Array.from({ length: 3_000 }, (_, i) => row(i + 1, `/a/${i % 7}`))
      await first.append(versions)
      const compaction = Promise.all([first.compact(1_000), first.compact(2_990)])
      for (let revision = 3_001; revision <= 3_020; revision++) await first.append([row(revision, '/a/more')])
      await compaction
      const second = await reopened(here, first)
      expect(second.state()).toEqual({ revision: 3_020, compacted: 2_990 })
      const kept = (await rowsOf(second)).map(one => one.revision)
      expect(kept).toEqual(Array.from({ length: 37 }, (_, i) => 2_984 + i))
      await second.close()
    })

    withPlace('keeps huge and empty values, and keys of any letters', async here => {
      const first = await here.open()
      const huge = new Uint8Array(5 << 20).map((_, i) => i * 31)
      const rows = [
        row(1, '/a/huge', huge),
        row(2, '/a/empty', ''),
        row(3, '/a/ключ/鍵/🗝/é\u0301', '{"ü":"🗝"}'),
        row(4, "/a/';DROP TABLE events;--"),
      ]
      await first.append(rows)
      const second = await reopened(here, first)
      const plain = (all: readonly Row[]) => all.map(one => [one.revision, one.key, Buffer.from(one.value).toString('base64')])
      expect(plain(await rowsOf(second))).toEqual(plain(rows))
      await second.close()
    })

    withPlace('refuses keys that would come back as other keys', async here => {
      const store = await here.open()
      for (const key of ['', '/a/b\0c', '/a/\ud800'])
        await expect(store.append([row(1, key)])).rejects.toMatchObject({ code: 'store/bad-key' })
      expect(store.state().revision).toBe(0)
      await store.close()
    })

    withPlace('a backup holds everything up to its revision, and appends go on', async here => {
      const store = await here.open()
      const rows = [row(1, '/a/x', '{}', 'create'), row(2, '/a/y', '{}', 'create'), row(3, '/a/x')]
      await store.append(rows)
      await store.compact(2)
      const path = here.backupName('monday')
      const taken = store.backup(path)
      const more = store.append([row(4, '/a/z')])
      expect(await taken).toBe(3)
      await more
      await store.close()
      const there = await here.restored(path)
      const restored = await there.open()
      expect(await rowsOf(restored)).toEqual(rows)
      expect(restored.state().revision).toBeGreaterThanOrEqual(3)
      await restored.append([row(restored.state().revision + 1, '/a/after')])
      await restored.close()
      await there.remove()
    })
  })
}
