import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { jobPrograms } from '../../src/api/metal/firmware-shapes.ts'
import { jobOf } from '../../src/controllers/firmware/job.ts'
import { exitCodes } from '../../src/jobs/programs/exit.ts'
import { runJobProgram } from '../../src/jobs/programs/index.ts'

const guide = readFileSync(new URL('../../docs/guides/job-executors.md', import.meta.url), 'utf8')

it('X-019 FW-003 the guide for executors names every program, exit code and variable that a Job carries', () => {
  for (const program of jobPrograms) expect(guide).toContain(`| \`${program}\` |`)
  for (const [outcome, code] of Object.entries(exitCodes)) expect(guide).toContain(`| ${code} | \`${outcome}\` |`)
  const target = {
    apiVersion: 'metal.ironcore.dev/v1alpha1',
    kind: 'ServerBIOS',
    metadata: { name: 'x', uid: 'u' },
    spec: { serverRef: { name: 's' } },
  }
  const runner = { name: 'r', namespace: 'n', spec: { image: 'i', serviceAccountName: 'a' } }
  const job = jobOf(target as never, 'j', 'bios-scan', runner as never, 'm')
  const carried = (job.spec.template.spec.containers[0]?.env ?? []).map(({ name }) => name)
  const told = [...new Set(guide.match(/`RACKWRIGHT_[A-Z_]+`/g))].map(name => name.slice(1, -1))
  expect(told.toSorted()).toEqual(carried.toSorted())
})

it('X-019 a program that is started without its environment says which variable is missing, and is not tried again', async () => {
  const said: string[] = []
  const none = new Proxy({}, { get: () => () => Promise.reject(new Error('nothing may be asked')) }) as never
  const ports = {
    kube: none,
    pool: none,
    images: none,
    clock: none,
    signal: new AbortController().signal,
    say: (line: string) => void said.push(line),
  }
  expect(await runJobProgram('bios-scan', {}, ports)).toBe(2)
  expect(said).toEqual(['Cannot run: RACKWRIGHT_TARGET_KIND is not set'])
  expect(await runJobProgram('mine-coins', {}, ports)).toBe(2)
})
