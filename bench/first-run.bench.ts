import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Benchmark } from './result.ts'

const launcher = new URL('../bin/launch.js', import.meta.url).pathname

/** What a stranger waits for, from `npm start` with an empty state folder. The packages are there; the rack runs at its usual speed of 20. */
const benchmark: Benchmark = {
  name: 'first-run',
  run: async () => {
    const home = mkdtempSync(join(tmpdir(), 'rackwright-first-run-'))
    const begun = performance.now()
    const child = spawn(process.execPath, [launcher, 'start', '--port', '0', '--home', home], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise(resolve => child.once('close', resolve))
    let out = ''
    const heard: (() => void)[] = []
    child.stdout.on('data', chunk => {
      out += String(chunk)
      for (const look of heard) look()
    })
    const after = (so: () => boolean): Promise<number> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (so()) resolve((performance.now() - begun) / 1_000)
        }
        heard.push(look)
        void ended.then(() => reject(new Error(`npm start ended: ${out}`)))
        look()
      })
    const count = (pattern: RegExp): number => out.match(pattern)?.length ?? 0
    try {
      const [up, listed, available, provisioned, fromDisk] = await Promise.all([
        after(() => out.includes('Ctrl-C stops it')),
        after(() => count(/-system-0: found/g) === 12),
        after(() => count(/Discovery → Available/g) === 12),
        after(() => out.includes(': provisioned')),
        after(() => out.includes('ended: the installed system')),
      ])
      const result = (name: string, ours: number, atMost: number) => ({
        name: `npm start, fresh state: ${name}`,
        ours,
        baseline: { skipped: 'nothing comparable runs here' },
        unit: 's',
        target: { atMost, of: 'ours' as const },
      })
      return [
        result('it is up', up, 5),
        result('12 servers are listed', listed, 10),
        result('12 servers are available', available, 60),
        result('a claim is provisioned', provisioned, 60),
        result('it runs from disk', fromDisk, 90),
      ]
    } finally {
      child.kill('SIGTERM')
      await ended
      rmSync(home, { recursive: true, force: true })
    }
  },
}
export default benchmark
