import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/apiserver/store/sqlite.ts'
import { silent } from '../../src/ports/index.ts'
import { folder, program, run } from './child.ts'

const works = await run(['strace', '-f', '-o', '/dev/null', 'true'], undefined, false).then(
  ({ code }) => code === 0,
  () => false,
)

/** Every answer in a trace, and whether the log was flushed between its last write and the answer. */
function answers(trace: string): { readonly ack: string; readonly flushed: boolean }[] {
  const found: { ack: string; flushed: boolean }[] = []
  let state: 'nothing' | 'written' | 'flushed' = 'nothing'
  for (const line of trace.split('\n')) {
    const ack = /write\(1<[^>]*>, "(ack \d+)/.exec(line)?.[1]
    if (/pwrite(64|v)?\(\d+<[^>]*store\.db-wal>/.test(line)) state = 'written'
    else if (/f(data)?sync\(\d+<[^>]*store\.db-wal>/.test(line) && state === 'written') state = 'flushed'
    if (ack) {
      found.push({ ack, flushed: state === 'flushed' })
      state = 'nothing'
    }
  }
  return found
}

async function traced(directory: string, name: string, ...args: string[]) {
  const trace = join(directory, 'trace')
  const syscalls = 'trace=write,pwrite64,pwritev,fsync,fdatasync'
  const { code } = await run([
    'strace',
    '-f',
    '-y',
    '-s',
    '16',
    '-e',
    syscalls,
    '-o',
    trace,
    process.execPath,
    program(name),
    directory,
    ...args,
  ])
  expect(code).toBe(0)
  return answers(readFileSync(trace, 'utf8'))
}

describe.skipIf(!works)('traced with strace (skipped where strace is missing or may not trace)', () => {
  it('the log is flushed between the write of a batch and its answer', async () => {
    const found = await traced(folder(), 'appends', '8')
    expect(found).toEqual(Array.from({ length: 8 }, (_, i) => ({ ack: `ack ${i + 1}`, flushed: true })))
  })

  it('the same look finds no flush on a connection with synchronous=OFF, and finds it with FULL', async () => {
    expect((await traced(folder(), 'raw', '5', 'OFF')).map(answer => answer.flushed)).toEqual([false, false, false, false, false])
    expect((await traced(folder(), 'raw', '5', 'FULL')).map(answer => answer.flushed)).toEqual([true, true, true, true, true])
  })

  it('a flush that fails stops the store; the world opens it again, and nothing that was said is lost', async () => {
    const directory = folder()
    const fails = ['-P', join(directory, 'store.db-wal'), '-e', 'inject=fsync,fdatasync:error=EIO:when=12']
    const { code, lines } = await run(['strace', '-f', '-o', '/dev/null', ...fails, process.execPath, program('eio'), directory])
    expect([code, lines.at(-1)]).toEqual([0, 'end'])
    expect(lines.find(line => line.startsWith('refused'))).toMatch(/disk I\/O error.*whether this write was kept is not known/)
    const numbers = (what: string) => lines.filter(line => line.startsWith(what)).map(line => Number(line.split(' ')[1]))
    const events = numbers('event')
    expect(events).toEqual(events.map((_, i) => i + 1))
    expect(numbers('ack').every(revision => events.includes(revision))).toBe(true)
    const store = await openSqliteStore(directory, { log: silent })
    expect(store.state().revision).toBe(events.length)
    await store.close()
  })
})
