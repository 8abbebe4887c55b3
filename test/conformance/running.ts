import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Running {
  readonly home: string
  readonly kubeconfig: string
  readonly url: string
  stop(): Promise<void>
}

const main = new URL('../../src/main.ts', import.meta.url).pathname

/** Starts `rackwright up` as a user would: a process of its own, a state folder of its own, free ports; without a rack unless told. */
export async function startRackwright(args: readonly string[] = ['--no-sim']): Promise<Running> {
  const home = mkdtempSync(join(tmpdir(), 'rackwright-conformance-'))
  const child = spawn(process.execPath, [main, 'up', '--home', home, '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = await until(child, /Ctrl-C stops it/)
  const url = /API:\s+(\S+)/.exec(printed)?.[1] ?? ''
  return {
    home,
    kubeconfig: /kubeconfig: (\S+)/.exec(printed)?.[1] ?? '',
    url,
    async stop() {
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function until(child: ChildProcess, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const hear = (chunk: Buffer): void => {
      text += chunk.toString('utf8')
      if (wanted.test(text)) resolve(text)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', code => reject(new Error(`rackwright up ended with ${code} before it was up: ${text}`)))
  })
}
