import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '../src/core/object.ts'

/** An object of about three kilobytes, which is what a server with status and conditions takes. */
export function thing(n: number): KubeObject {
  return {
    apiVersion: 'metal.ironcore.dev/v1alpha1',
    kind: 'Server',
    metadata: {
      name: `server-${n}`,
      uid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      labels: { rack: `r${n % 40}`, row: `${n % 8}` },
    },
    spec: { systemUUID: `uuid-${n}`, power: 'On', bmcRef: { name: `bmc-${n}` } },
    status: {
      conditions: Array.from({ length: 12 }, (_, i) => ({
        type: `Condition${i}`,
        status: 'True',
        reason: 'AsExpected',
        lastTransitionTime: '2026-01-01T00:00:00Z',
        message: `what was seen the last time somebody looked at number ${n}, in words that a person can read ${'.'.repeat(60)}`,
      })),
    },
  }
}
export const things = 'metal.ironcore.dev/servers'

/** `count` calls by `writers` that each wait for their answer. */
export async function together(writers: number, count: number, call: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (next < count) await call(next++)
    }),
  )
}

export async function inFolder<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'rackwright-bench-'))
  try {
    return await work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Wall milliseconds and the processor milliseconds of this whole process, its store's thread included. */
export async function clocked(work: () => Promise<unknown>): Promise<{ readonly wall: number; readonly cpu: number }> {
  const started = process.hrtime.bigint()
  const used = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(used)
  return { wall: Number(process.hrtime.bigint() - started) / 1e6, cpu: (user + system) / 1e3 }
}
