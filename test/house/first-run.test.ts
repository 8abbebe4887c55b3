import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAuthority } from '../../src/net/certificates.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname
const bound = 60_000

interface Ended {
  readonly code: number | null
  readonly out: string
}

describe('the first run, and what may go wrong in it', () => {
  let home: string
  let children: ChildProcess[] = []
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'rackwright-first-run-'))
  })
  afterEach(async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    }
    children = []
    rmSync(home, { recursive: true, force: true })
  })

  const spawned = (args: readonly string[], env: Record<string, string> = {}): ChildProcess => {
    const child = spawn(process.execPath, [main, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, RACKWRIGHT_HOME: home, NO_COLOR: '1', ...env },
      timeout: bound,
    })
    children.push(child)
    return child
  }
  const run = (...args: readonly string[]): Promise<Ended> => {
    const child = spawned(args)
    return new Promise(resolve => {
      let out = ''
      child.stdout?.on('data', chunk => {
        out += chunk
      })
      child.stderr?.on('data', chunk => {
        out += chunk
      })
      child.once('close', code => resolve({ code, out }))
    })
  }
  const up = (...args: readonly string[]): Promise<{ child: ChildProcess; out: string }> => {
    // Without a rack: these look at the state folder, the store and the door.
    const child = spawned(['up', '--no-sim', '--port', '0', ...args])
    return new Promise((resolve, reject) => {
      let out = ''
      const hear = (chunk: Buffer): void => {
        out += chunk
        if (out.includes('Ctrl-C stops it')) resolve({ child, out })
      }
      child.stdout?.on('data', hear)
      child.stderr?.on('data', hear)
      child.once('exit', code => reject(new Error(`ended with ${code}: ${out}`)))
    })
  }
  const stopped = async (child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
    child.kill(signal)
    return ended
  }

  it('starts, prints its kubeconfig, keeps its files to their owner, and stops on a signal', async () => {
    const { child, out } = await up()
    expect(out).toContain(`kubeconfig: ${join(home, 'kubeconfig')}`)
    for (const file of ['kubeconfig', 'data/pki/ca.key', 'data/pki/sa.key', 'logs/rackwright.log'])
      expect({ file, mode: statSync(join(home, file)).mode & 0o077 }).toEqual({ file, mode: 0 })
    expect(await stopped(child, 'SIGINT')).toBe(0)
    expect((await run('kubeconfig')).out.trim()).toBe(join(home, 'kubeconfig'))
  })
  it('a port that is taken is named, with a way out', async () => {
    const other = createServer()
    const port = await new Promise<number>(resolve =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
    )
    const { code, out } = await run('up', '--port', String(port))
    other.close()
    expect(code).toBe(1)
    expect(out).toContain(String(port))
    expect(out).toMatch(/What to do:.*--port/s)
  })
  it('a state folder that cannot be written is named, with a way out', async () => {
    // A file where the folder should be stops root as well, whom permissions do not.
    writeFileSync(join(home, 'file'), '')
    const { code, out } = await run('up', '--port', '0', '--home', join(home, 'file', 'state'))
    expect(code).toBe(1)
    expect(out).toContain('not writable')
    expect(out).toContain('--home')
  })
  it('a second instance is told which process has the state', async () => {
    const { child } = await up()
    const { code, out } = await run('up', '--port', '0')
    expect(code).toBe(1)
    expect(out).toContain(String(child.pid))
    expect(out).toContain('What to do:')
  })
  it('a damaged store is refused with the commands that help, and nothing is overwritten', async () => {
    await stopped((await up()).child)
    const store = join(home, 'data', 'store')
    const database = readdirSync(store).find(name => name.endsWith('.db') && !name.startsWith('lock')) ?? ''
    const file = join(store, database)
    const bytes = readFileSync(file)
    expect(bytes.includes('"kind":"Namespace"')).toBe(true)
    for (let at = bytes.indexOf('"kind":"Namespace"'); at >= 0; at = bytes.indexOf('"kind":"Namespace"'))
      bytes.write('"kinX":"Namespace"', at)
    writeFileSync(file, bytes)
    const { code, out } = await run('up', '--port', '0')
    expect(code).toBe(1)
    expect(out).toContain('rackwright restore')
    expect(out).toContain('--accept-loss')
    expect(readFileSync(file).includes('"kinX":"Namespace"')).toBe(true)
  })
  it('a store of 0 bytes is refused', async () => {
    await stopped((await up()).child)
    const store = join(home, 'data', 'store')
    const database = readdirSync(store).find(name => name.endsWith('.db') && !name.startsWith('lock')) ?? ''
    writeFileSync(join(store, database), '')
    const { code, out } = await run('up', '--port', '0')
    expect(code).toBe(1)
    expect(out).toContain('What to do:')
  })
  it('a store of a newer format is refused, and the version that wrote it named', async () => {
    await stopped((await up()).child)
    const { DatabaseSync } = await import('node:sqlite')
    const store = join(home, 'data', 'store')
    const database = readdirSync(store).find(name => name.endsWith('.db') && !name.startsWith('lock')) ?? ''
    const db = new DatabaseSync(join(store, database))
    db.exec('PRAGMA user_version = 99')
    db.close()
    const { code, out } = await run('up', '--port', '0')
    expect(code).toBe(1)
    expect(out).toMatch(/newer|99/)
    expect(out).toContain('What to do:')
  })
  it('an expired authority is refused with what to do', async () => {
    const folder = join(home, 'data', 'pki')
    mkdirSync(folder, { recursive: true })
    const old = await createAuthority({ commonName: 'rackwright-ca' }, { now: Date.now() - 10 * 86_400_000, lasts: 86_400_000 })
    writeFileSync(join(folder, 'ca.crt'), old.certificate)
    writeFileSync(join(folder, 'ca.key'), old.key)
    chmodSync(join(folder, 'ca.key'), 0o600)
    const { code, out } = await run('up', '--port', '0')
    expect(code).toBe(1)
    expect(out).toContain('expired')
    expect(out).toContain('What to do:')
  })
  it('an address beyond loopback needs certificates', async () => {
    const { code, out } = await run('up', '--port', '0', '--host', '0.0.0.0')
    expect(code).toBe(1)
    expect(out).toContain('--tls-cert')
  })
  it('a port that is no number is refused', async () => {
    const { code, out } = await run('up', '--port', 'many')
    expect(code).toBe(1)
    expect(out).toContain('"many"')
  })
  it('kubeconfig before the first start says to start', async () => {
    const { code, out } = await run('kubeconfig')
    expect(code).toBe(1)
    expect(out).toContain('npm start')
  })
  it('backup works on a running and on a stopped server, restore brings it back, reset removes it', async () => {
    const { child } = await up()
    const running = await run('backup', join(home, 'live.db'))
    expect(running).toMatchObject({ code: 0, out: expect.stringContaining('live.db') })
    expect((await run('restore', join(home, 'live.db'))).out).toContain('running')
    expect((await run('reset', '--yes')).out).toContain('running')
    await stopped(child)
    expect((await run('backup', join(home, 'cold.db'))).code).toBe(0)
    expect(await run('restore', join(home, 'live.db'))).toMatchObject({ code: 0, out: expect.stringContaining('kept at') })
    await stopped((await up()).child)
    const refused = await run('reset')
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('--yes') })
    expect(existsSync(join(home, 'data'))).toBe(true)
    expect(await run('reset', '--yes')).toMatchObject({ code: 0, out: expect.stringContaining('the store and the certificates') })
    expect(existsSync(home)).toBe(false)
  })
  it('crds prints definitions that can be applied', async () => {
    const { code, out } = await run('crds')
    expect(code).toBe(0)
    expect(out).toContain('name: servers.metal.ironcore.dev')
    expect(out.match(/^kind: CustomResourceDefinition$/gm)?.length).toBeGreaterThanOrEqual(7)
  })
})
