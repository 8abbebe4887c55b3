import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { httpTransport } from '../../src/net/client.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname

interface Ended {
  readonly code: number | null
  readonly out: string
}

function start(args: readonly string[]): {
  readonly until: (wanted: RegExp) => Promise<string>
  readonly ended: Promise<Ended>
  stop(): void
} {
  const child = spawn(process.execPath, [main, 'sim', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  const heard: (() => void)[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      out += String(chunk)
      for (const look of heard) look()
    })
  const ended = new Promise<Ended>(resolve => child.once('close', code => resolve({ code, out })))
  return {
    ended,
    stop: () => void child.kill('SIGINT'),
    until: wanted =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (wanted.test(out)) resolve(out)
        }
        heard.push(look)
        void ended.then(() => reject(new Error(`it ended before it said ${wanted}: ${out}`)))
        look()
      }),
  }
}

it('rackwright sim serves a rack, takes faults while it runs, and leaves when it is told to', async () => {
  const home = mkdtempSync(join(tmpdir(), 'rackwright-sim-'))
  const rack = start(['--servers', '9', '--port', '0', '--home', home])
  try {
    const out = await rack.until(/Ctrl-C stops it/)
    for (const make of ['dell', 'hpe', 'lenovo', 'supermicro', 'openbmc', 'ami', 'generic']) expect(out).toContain(make)
    const url = /server-1\s+dell\s+(https:\S+?)\/redfish/.exec(out)?.[1] ?? ''
    const transport = httpTransport({ baseUrl: url, tls: { authority: readFileSync(join(home, 'sim-ca.crt'), 'utf8') } })
    const root = () => transport({ method: 'GET', url: '/redfish/v1/', headers: {} })
    expect((await root()).status).toBe(200)
    const told = await start(['fault', 'server-1', 'server-error', '--times', '1', '--home', home]).ended
    expect([told.code, told.out]).toEqual([0, expect.stringContaining('"left":1')])
    expect((await root()).status).toBe(500)
    expect((await root()).status).toBe(200)
    expect((await start(['fault', 'server-1', 'nonsense', '--home', home]).ended).code).toBe(1)
    expect((await start(['heal', 'server-1', '--home', home]).ended).code).toBe(0)
    await transport.close()
  } finally {
    rack.stop()
  }
  const { code, out } = await rack.ended
  expect([code, out]).toEqual([0, expect.stringContaining('Stopping (SIGINT)')])
  expect(existsSync(join(home, 'sim.json'))).toBe(false)
  rmSync(home, { recursive: true })
})
