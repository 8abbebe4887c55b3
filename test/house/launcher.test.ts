import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { isGone, oldNode, type Running, type Sandbox, sandbox } from './sandbox.ts'

const old = oldNode()
const nodes = [
  { name: 'Node 24', node: process.execPath },
  { name: 'an older Node', node: old },
]
const open: Sandbox[] = []
const fresh = (): Sandbox => {
  const made = sandbox()
  open.push(made)
  return made
}
afterEach(() => {
  for (const box of open.splice(0)) box.remove()
})

const ready = async (run: Running) =>
  JSON.parse(/ready (\{.*\})/.exec(await run.says('"}'))![1]!) as { node: string; pid: number; args: string[]; path: string }

/** Waits for a file by looking a bounded number of times. */
async function appears(file: string): Promise<string> {
  for (let look = 0; look < 600; look++) {
    if (existsSync(file) && readFileSync(file, 'utf8') !== '') return readFileSync(file, 'utf8')
    await new Promise(again => setTimeout(again, 50))
  }
  throw new Error(`${file} did not appear`)
}

describe.each(nodes)('the launcher under $name', ({ node }) => {
  it.skipIf(!node)('installs the run-time packages once, then runs main with `up` and the arguments', async () => {
    const box = fresh()
    const first = box.start({ node: node!, entry: ['bin/launch.js', 'start', '--port', '0'] })
    const main = await ready(first)
    expect(Number.parseInt(main.node, 10)).toBeGreaterThanOrEqual(24)
    expect(main.args).toEqual(['up', '--port', '0'])
    first.process.kill('SIGTERM')
    expect(await first.ended()).toEqual({ code: 7, signal: null })

    const asked = box.asked()
    expect(asked.at(-1)).toMatch(/^ci --omit=dev/)
    const second = box.start({ node: node! })
    await ready(second)
    expect(second.output()).not.toMatch(/Installing|Fetching/)
    expect(box.asked()).toEqual(asked)
    second.process.kill('SIGTERM')
    await second.ended()
  })

  it.skipIf(!node).each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
    'leaves nothing behind when %s hits the launcher',
    async signal => {
      const run = fresh().start({ node: node! })
      const { pid } = await ready(run)
      run.process.kill(signal)
      await run.ended()
      expect(await isGone(pid)).toBe(true)
      const ownProcess = run.process.pid === pid
      if (signal !== 'SIGKILL') expect(run.output()).toContain(`stopping on ${signal}`)
      else if (!ownProcess) expect(run.output()).toContain('stopping on SIGTERM')
    },
  )

  it.skipIf(!node).each(['SIGTERM', 'SIGKILL', 'SIGINT'] as const)('leaves nothing behind when %s hits npm', async signal => {
    const box = fresh()
    const first = box.start({ node: node! })
    await ready(first)
    first.process.kill('SIGTERM')
    await first.ended()
    const run = box.start({ node: node!, through: 'npm' })
    const { pid } = await ready(run)
    // As Ctrl-C does it, to the whole group: sh keeps a SIGINT that comes from npm alone to itself while its child lives.
    if (signal === 'SIGINT') process.kill(-run.process.pid!, signal)
    else run.process.kill(signal)
    await run.ended()
    expect(await isGone(pid)).toBe(true)
    expect(run.output()).toContain('stopping on SIG')
  })

  it.skipIf(!node)('lets the program finish its shutdown although the signal comes more than once', async () => {
    const run = fresh().start({ node: node! })
    const { pid } = await ready(run)
    run.process.kill('SIGINT')
    await run.says('stopping on SIGINT')
    process.kill(pid, 'SIGINT')
    run.process.kill('SIGINT')
    expect(await run.ended()).toEqual({ code: 7, signal: null })
  })

  it.skipIf(!node)('says in one sentence that there is no network, and what to do', async () => {
    const box = fresh()
    writeFileSync(join(box.folder, 'npm/behaviour'), 'offline')
    const run = box.start({ node: node! })
    expect((await run.ended()).code).toBe(1)
    const lines = run.output().trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/^rackwright: cannot .*: the npm registry is out of reach \(ENOTFOUND\); connect this machine/)
  })

  it.skipIf(!node).each(['SIGINT', 'SIGKILL'] as const)('repairs what %s left of an install', async signal => {
    const box = fresh()
    writeFileSync(join(box.folder, 'npm/behaviour'), 'hang')
    const run = box.start({ node: node! })
    const npm = Number(await appears(join(box.folder, 'npm/hanging')))
    run.process.kill(signal)
    const end = await run.ended()
    expect(await isGone(npm)).toBe(true)
    if (signal === 'SIGINT') expect(end.code).toBe(130)
    if (signal === 'SIGINT') expect(run.output()).toContain('run the same command again to finish')

    writeFileSync(join(box.folder, 'npm/behaviour'), '')
    const again = box.start({ node: node! })
    await ready(again)
    expect(box.asked().at(-1)).toMatch(/^ci /)
    again.process.kill('SIGTERM')
    await again.ended()
  })
})

describe('the launcher', () => {
  it.skipIf(!old)('fetches Node 24 into the cache folder, says so in one line, and puts it first in PATH', async () => {
    const box = fresh()
    const cache = join(box.folder, 'my-cache')
    const run = box.start({ node: old!, env: { XDG_CACHE_HOME: cache } })
    const main = await ready(run)
    expect(run.output()).toMatch(
      new RegExp(`^Fetching Node 24\\.\\d+\\.\\d+ once into ${cache}/rackwright \\(.*\\)\nInstalling the run-time packages\n`),
    )
    expect(main.path.split(':')[0]).toBe(dirname(process.execPath))
    expect(existsSync(join(cache, 'rackwright'))).toBe(true)
    run.process.kill('SIGTERM')
    await run.ended()
  })

  it('adds the development packages to what is there without removing anything', async () => {
    const box = fresh()
    mkdirSync(join(box.folder, 'tools'))
    writeFileSync(join(box.folder, 'tools/ok.ts'), 'console.log("checked", process.argv[2])')
    const start = box.start()
    await ready(start)
    const ok = box.start({ entry: ['bin/launch.js', 'ok'] })
    expect((await ok.ended()).code).toBe(0)
    expect(ok.output()).toContain('checked fast')
    expect(box.asked().map(line => line.split(' --prefix')[0])).toEqual(
      ['ci --omit=dev', 'install --no-save --include=dev'].map(line => expect.stringContaining(line)),
    )
    start.process.kill('SIGTERM')
    await start.ended()
  })

  it('installs again when the lock changed', async () => {
    const box = fresh()
    for (const lock of ['{"packages":{}}', '{"packages":{},"changed":true}']) {
      writeFileSync(join(box.folder, 'package-lock.json'), lock)
      const run = box.start()
      await ready(run)
      run.process.kill('SIGTERM')
      await run.ended()
    }
    expect(box.asked()).toHaveLength(2)
    expect(box.asked()[1]).toContain('install --no-save --omit=dev')
  })

  it('lets one process install at a time, and the other use what it finds', async () => {
    const box = fresh()
    const both = [box.start(), box.start()]
    await Promise.all(both.map(ready))
    expect(box.asked()).toHaveLength(1)
    for (const run of both) run.process.kill('SIGTERM')
    await Promise.all(both.map(run => run.ended()))
  })

  it('takes over the lock of a process that is gone', async () => {
    const box = fresh()
    const gone = box.start({ entry: ['-e', ''] })
    await gone.ended()
    mkdirSync(join(box.folder, '.rackwright/installing'), { recursive: true })
    writeFileSync(join(box.folder, '.rackwright/installing/holder'), JSON.stringify({ host: hostname(), pid: gone.process.pid }))
    const run = box.start()
    await ready(run)
    run.process.kill('SIGTERM')
    await run.ended()
  })

  it('names the scripts it knows when asked for another', async () => {
    const run = fresh().start({ entry: ['bin/launch.js', 'strat'] })
    expect((await run.ended()).code).toBe(1)
    expect(run.output()).toMatch(/no script "strat"; the scripts are start, test, ok/)
  })

  it('runs the program of `rackwright` from a checkout, with the arguments as they are', async () => {
    const run = fresh().start({ entry: ['bin/rackwright.js', 'kubeconfig'] })
    expect((await ready(run)).args).toEqual(['kubeconfig'])
    run.process.kill('SIGTERM')
    await run.ended()
  })
})

describe('node24()', () => {
  it('tells a platform without a binary to install Node 24', async () => {
    const { node24 } = (await import('../../bin/launcher/node24.js' as string)) as {
      node24(cache: string, say: (line: string) => void, platform: string): Promise<string>
    }
    await expect(node24('/nowhere', () => {}, 'darwin-arm64')).rejects.toThrow(/none to fetch for darwin-arm64: install Node 24/)
  })
})
