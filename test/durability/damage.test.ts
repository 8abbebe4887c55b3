import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { openConnection } from '../../src/apiserver/store/connection.ts'
import { connect } from '../../src/apiserver/store/database.ts'
import { restoreBackup } from '../../src/apiserver/store/restore.ts'
import { openSqliteStore } from '../../src/apiserver/store/sqlite.ts'
import { Fault } from '../../src/core/fault.ts'
import { type Row, silent } from '../../src/ports/index.ts'
import { row, rowsOf } from '../contracts/store.ts'
import { folder, program, run, runProgram } from './child.ts'
import { dice } from './programs/dice.ts'

/** A store that was closed in good order: a compaction behind it, updates and deletions after it. */
async function closedStore(): Promise<string> {
  const directory = folder()
  const store = await openSqliteStore(directory, { log: silent, writer: 'rackwright 0.1.0' })
  const value = (revision: number) => JSON.stringify({ revision, text: `value of revision ${revision} `.repeat(100) })
  const rows = Array.from({ length: 60 }, (_, i) =>
    row(i + 1, `/things/${(i + 1) % 17}`, value(i + 1), i % 11 === 10 ? 'delete' : 'update'),
  )
  await store.append(rows)
  await store.compact(30)
  await store.close()
  return directory
}

/** A store whose process died: everything acknowledged still lies in the log. */
async function deadStore(): Promise<string> {
  const directory = folder()
  const { signal } = await runProgram('appends', [directory, '60', 'die'])
  expect([signal, statSync(join(directory, 'store.db-wal')).size > 60 * 4096]).toEqual(['SIGKILL', true])
  return directory
}

async function faultOf(opening: Promise<unknown>): Promise<Fault> {
  const error: unknown = await opening.then(
    () => 'it opened',
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Fault)
  return error as Fault
}
const open = (directory: string) => openSqliteStore(directory, { log: silent, writer: 'rackwright 0.1.0' })
const openAndLoad = async (directory: string): Promise<Row[]> => {
  const store = await open(directory)
  try {
    return await rowsOf(store)
  } finally {
    await store.close()
  }
}
async function acceptLoss(directory: string) {
  const warnings: string[] = []
  const store = await openSqliteStore(directory, { log: { ...silent, warn: what => warnings.push(what) }, acceptLoss: true })
  const rows = await rowsOf(store)
  const state = store.state()
  await store.close()
  return { rows, state, warnings }
}

describe('a damaged store', () => {
  it('flipped bytes anywhere are refused in words or change nothing: what loads is what was written', async () => {
    const original = await closedStore()
    const plain = (rows: readonly Row[]) =>
      JSON.stringify(rows.map(one => [one.revision, one.type, one.key, Buffer.from(one.value).toString('latin1')]))
    const read = (directory: string): string => {
      const connection = openConnection({ directory, writer: 'test' })
      try {
        const rows: Row[] = []
        for (let next = connection.load(0); next.length > 0; next = connection.load(next.at(-1)!.revision)) rows.push(...next)
        return plain(rows)
      } finally {
        connection.close()
      }
    }
    const truth = read(original)
    const size = statSync(join(original, 'store.db')).size
    const roll = dice(7)
    const refused: string[] = []
    for (let flip = 0; flip < 300; flip++) {
      const copy = join(folder(), 'copy')
      cpSync(original, copy, { recursive: true })
      const bytes = readFileSync(join(copy, 'store.db'))
      // Every byte of the header's first lines gets its turn, then anywhere.
      const at = flip < 100 ? flip : roll(size)
      bytes[at]! ^= 1 << roll(8)
      writeFileSync(join(copy, 'store.db'), bytes)
      try {
        expect(read(copy), `byte ${at}`).toBe(truth)
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        expect(error.hint, error.message).toBeTruthy()
        refused.push(error.code)
      }
    }
    // A third of the file is free pages, where a flip harms nobody.
    expect(refused.filter(code => code === 'store/damaged').length).toBeGreaterThan(60)
  })

  it('a flipped value is refused with what to do, and --accept-loss goes on without it, in words and at a new revision', async () => {
    const directory = await closedStore()
    const file = join(directory, 'store.db')
    const bytes = readFileSync(file)
    bytes[bytes.indexOf('value of revision 45 ')]! ^= 1
    writeFileSync(file, bytes)
    const fault = await faultOf(openAndLoad(directory))
    expect([fault.code, fault.message]).toEqual(['store/damaged', expect.stringMatching(/revision 45 fails its checksum/)])
    expect(fault.hint).toMatch(/rackwright restore.*--accept-loss/)
    const { rows, state, warnings } = await acceptLoss(directory)
    expect(rows.some(one => one.revision === 45)).toBe(false)
    expect(state).toEqual({ revision: 61, compacted: 61 })
    expect(warnings.join()).toMatch(/damaged and dropped: \[45\]/)
    expect(await openAndLoad(directory)).toEqual(rows)
  })

  for (const [how, damage] of Object.entries({
    removed: (wal: string) => rmSync(wal),
    'cut in half': (wal: string) => truncateSync(wal, statSync(wal).size >> 1),
    emptied: (wal: string) => truncateSync(wal),
    'damaged in the middle': (wal: string) => {
      const bytes = readFileSync(wal)
      bytes[bytes.length >> 1]! ^= 0x10
      writeFileSync(wal, bytes)
    },
  }))
    it(`a log that was ${how} is noticed: the start is refused, naming restore and --accept-loss`, async () => {
      const directory = await deadStore()
      damage(join(directory, 'store.db-wal'))
      const fault = await faultOf(open(directory))
      expect([fault.code, fault.message]).toEqual(['store/behind', expect.stringMatching(/ends at revision \d+, but 60 was acknowledged/)])
      expect(fault.hint).toMatch(/rackwright restore.*--accept-loss/)
      const { state, rows, warnings } = await acceptLoss(directory)
      expect(state).toEqual({ revision: 61, compacted: 61 })
      expect(rows.length).toBeLessThan(60)
      expect(warnings.join()).toMatch(/loss accepted: 60 acknowledged/)
    })

  it('a log that was left alone gives everything back', async () => {
    expect((await openAndLoad(await deadStore())).map(one => one.revision)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1))
  })

  it('a file of 0 bytes and a file that is gone are never taken for a new store', async () => {
    const empty = await closedStore()
    truncateSync(join(empty, 'store.db'))
    expect(await faultOf(open(empty))).toMatchObject({ code: 'store/empty-file', hint: expect.stringMatching(/rackwright restore/) })
    const gone = await closedStore()
    rmSync(join(gone, 'store.db'))
    expect(await faultOf(open(gone))).toMatchObject({ code: 'store/missing', hint: expect.stringMatching(/--accept-loss/) })
    for (const directory of [empty, gone]) expect((await acceptLoss(directory)).state).toEqual({ revision: 61, compacted: 61 })
    expect(readdirSync(empty)).toContain('store.db.replaced-1')
  })

  it('a database of another program, a text file and a high-water mark of nonsense are refused', async () => {
    const other = await closedStore()
    const db = new DatabaseSync(join(other, 'store.db'))
    db.exec('PRAGMA application_id=7')
    db.close()
    expect(await faultOf(open(other))).toMatchObject({ code: 'store/foreign' })
    const text = await closedStore()
    writeFileSync(join(text, 'store.db'), 'not a database at all, just some text that is long enough to look at'.repeat(100))
    expect(await faultOf(open(text))).toMatchObject({ code: 'store/damaged', hint: expect.stringMatching(/rackwright restore/) })
    const mark = await closedStore()
    writeFileSync(join(mark, 'highwater'), 'many')
    expect(await faultOf(open(mark))).toMatchObject({ code: 'store/damaged', hint: expect.stringMatching(/remove this file/) })
  })

  it('a row that vanished is noticed, old or new, and --accept-loss says how many', async () => {
    for (const revision of [29, 50]) {
      const directory = await closedStore()
      const db = new DatabaseSync(join(directory, 'store.db'))
      expect(db.prepare('DELETE FROM events WHERE rev = ?').run(revision).changes).toBe(1)
      db.close()
      const fault = await faultOf(openAndLoad(directory))
      expect([fault.code, fault.message]).toEqual(['store/damaged', expect.stringMatching(/\d+ rows are there, \d+ should be/)])
      expect((await acceptLoss(directory)).warnings.join()).toMatch(/1 rows missing/)
      await openAndLoad(directory)
    }
  })

  it('a creation that was interrupted leaves a folder that opens as new', async () => {
    const directory = folder()
    writeFileSync(join(directory, 'store.db.new'), 'half a data')
    const store = await open(directory)
    expect(store.state().revision).toBe(0)
    await store.close()
    expect(existsSync(join(directory, 'store.db.new'))).toBe(false)
  })
})

describe('formats', () => {
  it('a newer format is refused, naming the version that wrote it', async () => {
    const directory = await closedStore()
    const db = new DatabaseSync(join(directory, 'store.db'))
    db.exec("PRAGMA user_version=9; UPDATE state SET writer = 'rackwright 7.2.0'")
    db.close()
    const fault = await faultOf(open(directory))
    expect([fault.code, fault.message]).toEqual([
      'store/newer',
      expect.stringMatching(/rackwright 7\.2\.0 wrote it in format 9, and rackwright 0\.1\.0 knows/),
    ])
    expect(fault.hint).toMatch(/Run rackwright 7\.2\.0/)
  })

  it('an older format is copied first and then brought up to date in one transaction', async () => {
    const directory = await closedStore()
    const path = join(directory, 'store.db')
    const before = await openAndLoad(directory)
    const broken = ['', 'ALTER TABLE state ADD COLUMN colour TEXT; SELECT nonsense FROM nowhere']
    expect(() => connect(path, { writer: 'rackwright 2.0.0' }, broken)).toThrow(Fault)
    expect(await openAndLoad(directory)).toEqual(before)
    rmSync(`${path}.format-1.backup`)
    const db = connect(path, { writer: 'rackwright 2.0.0' }, ['', "ALTER TABLE state ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'"])
    expect(db.prepare('SELECT writer, colour FROM state').get()).toEqual({ writer: 'rackwright 2.0.0', colour: 'blue' })
    db.close()
    expect(await faultOf(open(directory))).toMatchObject({ code: 'store/newer' })
    await restoreBackup(`${path}.format-1.backup`, directory)
    expect(await openAndLoad(directory)).toEqual(before)
  })
})

describe('a second process', () => {
  const second = (directory: string) => run([process.execPath, program('second'), directory])

  it('is kept out and told which process has the store', async () => {
    const directory = folder()
    const store = await open(directory)
    const { lines } = await second(directory)
    expect(lines.join('\n')).toMatch(new RegExp(`store/locked .*process ${process.pid}, started 20\\d\\d-.* has it open`))
    expect(await faultOf(restoreBackup(join(directory, 'lock.info'), directory))).toMatchObject({ code: 'store/locked' })
    await store.append([row(1, '/things/a')])
    await store.close()
    expect((await second(directory)).lines).toEqual(['open 1'])
  })

  it('is kept out even after this process read the database file, dropped its lock and tried to open the store twice', async () => {
    const directory = folder()
    const store = await open(directory)
    await store.append([row(1, '/things/a')])
    readFileSync(join(directory, 'store.db'))
    readFileSync(join(directory, 'store.db-wal'))
    expect(await faultOf(open(directory))).toMatchObject({ code: 'store/locked' })
    expect((await second(directory)).lines.join('\n')).toMatch(/store\/locked/)
    await store.append([row(2, '/things/a')])
    await store.close()
    expect((await openAndLoad(directory)).map(one => one.revision)).toEqual([1, 2])
  })
})
