import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/apiserver/store/sqlite.ts'
import { openWorld } from '../../src/apiserver/world/index.ts'
import { silent } from '../../src/ports/index.ts'
import { row, rowsOf } from '../contracts/store.ts'
import { folder, program, run } from './child.ts'

const inSmallDisk = (size: string, directory: string, ...command: string[]): string[] => [
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${size} none "$0" && exec "$@"`,
  directory,
  ...command,
]
const mayMount = await run(inSmallDisk('1m', '/tmp', 'true'), undefined, false).then(
  ({ code }) => code === 0,
  () => false,
)

describe('a full disk', () => {
  it('refuses the batch with what to do, keeps everything acknowledged, and takes batches again after compaction', async () => {
    const directory = folder()
    const store = await openSqliteStore(directory, { log: silent, maxPages: 100 })
    let revision = 0
    const append = () => store.append([row(revision + 1, `/things/${revision % 3}`, 'x'.repeat(20_000))]).then(() => revision++)
    const refusal = await (async () => {
      for (let n = 0; n < 1_000; n++) await append()
    })().catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'store/full', hint: expect.stringMatching(/Free some space/) })
    expect([revision > 5, store.state().revision]).toEqual([true, revision])
    await store.compact(revision)
    await append()
    await store.close()
    const again = await openSqliteStore(directory, { log: silent })
    expect((await rowsOf(again)).map(one => one.revision)).toEqual([revision - 3, revision - 2, revision - 1, revision])
    await again.close()
  })

  it('lets the world read on, in words, and write again once its history made room', async () => {
    const store = await openSqliteStore(folder(), { log: silent, maxPages: 200 })
    const world = await openWorld({ store, log: silent })
    const filling = 'x'.repeat(10_000)
    const refused: string[] = []
    for (let n = 0; n < 200; n++) {
      const object = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'one' }, n, filling }
      await world.write('/things', 'one', () => ({ put: object })).catch((error: unknown) => refused.push(String(error)))
      expect(world.get('/things', 'one')).toBeDefined()
    }
    expect(refused[0]).toMatch(/Cannot write to .*store\.db: .*full; nothing was written/)
    expect(world.revision).toBe(200 - refused.length)
    expect(refused.length).toBeLessThan(30)
    await world.close()
  })

  it.skipIf(!mayMount)('on a tmpfs of 12 MB (skipped where no user namespace may mount one) loses nothing and goes on', async () => {
    const directory = folder()
    const { code, lines } = await run(inSmallDisk('12m', directory, process.execPath, program('fill'), directory))
    expect(code).toBe(0)
    expect(lines[0]).toMatch(/refused .*full; nothing was written/)
    expect(lines.slice(1)).toEqual([expect.stringMatching(/^written \d+ refused true went on true$/)])
  })
})
