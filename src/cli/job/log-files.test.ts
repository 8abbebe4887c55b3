import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openJobLogs } from './log-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'rackwright-logs-'))
afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
})

it('what a Job said is there after a restart, and what its next try says comes after it', async () => {
  const run = { job: 'u-1', attempt: 1 }
  const first = await openJobLogs(folder)
  first.say(run, 'begins')
  await first.close()
  const second = await openJobLogs(folder)
  second.say(run, 'goes on')
  second.say({ ...run, attempt: 2 }, 'another try')
  expect(await second.read(run)).toEqual(['begins', 'goes on'])
  expect(await second.read({ ...run, attempt: 3 })).toEqual([])
})

it('files are few, short and where they belong', async () => {
  for (let n = 0; n < 5; n++) writeFileSync(join(folder, `old-${n}.1.log`), 'x\n')
  const logs = await openJobLogs(folder, { files: 3, bytes: 20, lines: 2 })
  for (let n = 0; n < 9; n++) logs.say({ job: '../../evil', attempt: 1 }, `line ${n}`)
  expect(await logs.read({ job: '../../evil', attempt: 1 })).toEqual(['line 0', 'line 1'])
  expect(readdirSync(folder).filter(name => name.startsWith('old'))).toHaveLength(3)
  expect(readdirSync(folder)).toContain('______evil.1.log')
})
