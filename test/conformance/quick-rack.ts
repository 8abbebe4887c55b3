import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { silent } from '../../src/ports/index.ts'
import type { Times } from '../../src/sim/machine/model.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import { openRack, type Rack } from '../../src/sim/rack.ts'
import { listen } from '../../src/sim/redfish/listen.ts'

/** The folder of a Python environment of tools/python, or why there is none. */
export function pythonOf(list: string): { readonly folder: string } | { readonly missing: string } {
  try {
    const made = execFileSync(new URL('../../tools/python/venv', import.meta.url).pathname, [list], {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    })
    return { folder: made.trim() }
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    return { missing: (stderr ?? message).trim().split('\n').at(-1) ?? 'it could not be installed' }
  }
}

/** Real clients wait in real time, so these machines are in a hurry. */
const times: Times = { powerOn: 200, powerOff: 200, graceful: 300, post: 600, osStart: 100, install: 100, bmcRestart: 500, update: 1_000 }

export interface QuickRack {
  readonly rack: Rack
  readonly authority: string
  url(make: string): string
  close(): Promise<void>
}

/** One server of every make, over HTTPS. */
export async function quickRack(): Promise<QuickRack> {
  const rack = openRack({
    clock: wallClock,
    ids: randomIds,
    servers: personalities.map(make => ({ name: make.name, personality: { ...make, machine: { ...make.machine, times } } })),
  })
  const listening = await listen(rack, { clock: wallClock, log: silent, port: 0, adminToken: randomIds.nonce(16) })
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-ca-'))
  const authority = join(folder, 'ca.crt')
  writeFileSync(authority, listening.authority)
  return {
    rack,
    authority,
    url: make => listening.url(make),
    async close() {
      await listening.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Runs a program to its end; fails with what it said where it fails. */
export function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000, env: { ...process.env, ...env } })
    let [out, err] = ['', '']
    child.stdout.on('data', chunk => {
      out += String(chunk)
    })
    child.stderr.on('data', chunk => {
      err += String(chunk)
    })
    child.once('error', reject)
    child.once('close', code => {
      if (code === 0) resolve(out)
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code}: ${err || out}`))
    })
  })
}
