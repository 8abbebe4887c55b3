import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nameFor, placeOf } from '../../src/cli/commands/bmc/add.ts'
import { clocksAgree } from '../../src/cli/doctor/clocks.ts'
import { wayBack } from '../../src/cli/doctor/way-back.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname
const bound = 240_000
const env = { ...process.env, NO_COLOR: '1', RACKWRIGHT_BMC_PASSWORD: 'rackwright' }

describe('placeOf()', () => {
  const cases: readonly (readonly [text: string, host: string, port: number])[] = [
    ['10.0.0.14', '10.0.0.14', 443],
    ['bmc-4.example:8443', 'bmc-4.example', 8443],
    ['https://[fd00::14]', 'fd00::14', 443],
    ['fd00::14', 'fd00::14', 443],
  ]
  for (const [text, host, port] of cases) it(`reads ${text}`, () => expect(placeOf(text)).toEqual({ host, port }))
  it('refuses an address that carries credentials', () => expect(() => placeOf('https://admin:secret@10.0.0.14')).toThrow('is no address'))
})

describe('nameFor()', () => {
  it('makes names that the API takes', () =>
    expect(['10.0.0.14', 'fd00::14', 'BMC-4.Example'].map(nameFor)).toEqual(['bmc-10-0-0-14', 'bmc-fd00-14', 'bmc-4.example']))
})

describe('what doctor concludes', () => {
  it('a boot server on loopback is out of reach of a real machine, and in reach of a simulated one', () => {
    const url = 'http://127.0.0.1:7480'
    expect(wayBack(url, '10.0.1.14', '10.0.1.2')).toMatchObject({ is: 'wrong', remedy: 'rackwright up --no-sim --boot-address 10.0.1.2' })
    expect(wayBack(url, '127.83.0.1', '127.0.0.1')).toMatchObject({ is: 'well' })
  })
  it('a boot server on another network needs a route', () =>
    expect(wayBack('http://10.0.0.2:7480', '10.0.1.14', '10.0.1.2')).toMatchObject({ is: 'hint', says: expect.stringContaining('route') }))
  it('clocks that are minutes apart are wrong, one that nobody can read is nothing', () => {
    const now = Date.UTC(2026, 0, 1)
    expect([clocksAgree('b', now - 1_000, now)?.is, clocksAgree('b', 0, now)?.is, clocksAgree('b', undefined, now)]).toEqual([
      'well',
      'wrong',
      undefined,
    ])
  })
})

describe('a BMC that is added by hand, without a rack of our own', { timeout: bound }, () => {
  const home = mkdtempSync(join(tmpdir(), 'rackwright-bmc-'))
  const children: ChildProcess[] = []
  let address = ''

  /** Resolves with what it printed once it is up. */
  function started(...args: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env })
    children.push(child)
    return new Promise((resolve, reject) => {
      let out = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', chunk => {
          out += String(chunk)
          if (out.includes('Ctrl-C stops it')) resolve(out)
        })
      child.once('close', code => reject(new Error(`it ended with ${code}: ${out}`)))
    })
  }
  function run(args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<{ code: number | null; out: string }> {
    const child = spawn(process.execPath, [main, ...args, '--home', join(home, 'up')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env, ...more },
    })
    let out = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        out += String(chunk)
      })
    return new Promise(resolve => child.once('close', code => resolve({ code, out })))
  }
  const ready = async (): Promise<string | undefined> => {
    const { out } = await run(['get', 'bmcs', 'box', '-o', 'json'])
    const { status } = JSON.parse(out) as { status?: { conditions?: { type: string; status: string }[] } }
    return status?.conditions?.find(({ type }) => type === 'Ready')?.status
  }
  /** Asked again and again: how long it takes is up to the machine that runs this. */
  async function becomes(wanted: string): Promise<void> {
    for (let found = await ready(); found !== wanted; found = await ready());
  }

  beforeAll(async () => {
    const out = await started('sim', '--servers', '1', '--make', 'generic', '--port', '0', '--home', join(home, 'sim'))
    address = /https:\/\/(\S+)\/redfish/.exec(out)?.[1] ?? ''
    await started('up', '--no-sim', '--port', '0', '--home', join(home, 'up'))
  }, bound)
  afterAll(async () => {
    for (const child of children) {
      const ended = new Promise(resolve => child.once('close', resolve))
      child.kill('SIGTERM')
      await ended
    }
    rmSync(home, { recursive: true, force: true })
  }, bound)

  it('a wrong password is noticed before anything is made', async () => {
    const { code, out } = await run(['bmc', 'add', address, '--name', 'box', '--user', 'admin', '--yes'], {
      RACKWRIGHT_BMC_PASSWORD: 'wrong',
    })
    expect({ code, out }).toMatchObject({ code: 1, out: expect.not.stringContaining('wrong') })
    expect((await run(['get', 'bmcs'])).out).toContain('There are no bmcs.')
  })
  it('shows the certificate, makes the BMC, and its server follows', async () => {
    const { code, out } = await run(['bmc', 'add', address, '--name', 'box', '--user', 'admin', '--yes'])
    expect({ code, out }).toMatchObject({ code: 0 })
    expect(out).toMatch(/fingerprint: ([0-9A-F]{2}:){31}[0-9A-F]{2}/)
    await becomes('True')
    while (!(await run(['get', 'servers'])).out.includes('box-system-0'));
  })
  it('X-036 a certificate that is not the pinned one is not spoken to, and why says how to trust it', async () => {
    expect(await run(['bmc', 'trust', 'box', 'AB:'.repeat(31).concat('AB')])).toMatchObject({ code: 0 })
    await becomes('False')
    expect((await run(['why', 'box-system-0'])).out).toContain('Try: rackwright bmc trust box')
    expect(await run(['bmc', 'trust', 'box', '--yes'])).toMatchObject({ code: 0 })
    await becomes('True')
  })
})
