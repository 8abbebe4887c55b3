import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A checkout in miniature: our launcher, a lock, a program that says who it is, and an npm that fetches nothing. */
export interface Sandbox {
  readonly folder: string
  /** What the pretended npm was asked to do, one command line each. */
  asked(): readonly string[]
  /** Starts `node bin/launch.js start` under the given Node, or through npm where `through` says so. */
  start(options?: { node?: string; through?: 'npm'; env?: Record<string, string>; entry?: string[] }): Running
  remove(): void
}

export interface Running {
  readonly process: ChildProcess
  output(): string
  /** Resolves with the output once it holds `text`; rejects if the process ends first. */
  says(text: string): Promise<string>
  ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

const program = `
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
const ready: string = 'ready ' + JSON.stringify({ node: process.versions.node, pid: process.pid, args: process.argv.slice(2), path: process.env.PATH })
const server = createServer().listen(0, '127.0.0.1', () => console.log(ready))
writeFileSync('alive', String(process.pid))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => {
  console.log('stopping on ' + signal)
  setTimeout(() => { process.exitCode = 7; server.close() }, 200)
})
`

/** Behaves like npm as far as the launcher can see, and does what a file named npm.behaviour tells it. */
const npmProgram = `
const fs = require('node:fs'), path = require('node:path')
const home = __dirname, cwd = process.cwd()
fs.appendFileSync(path.join(home, 'asked'), process.argv.slice(2).filter(a => !a.startsWith('--') || /omit|include|no-save/.test(a)).join(' ') + '\\n')
const behaviour = fs.existsSync(path.join(home, 'behaviour')) ? fs.readFileSync(path.join(home, 'behaviour'), 'utf8') : ''
fs.mkdirSync(path.join(cwd, 'node_modules'), { recursive: true })
if (behaviour === 'hang') { fs.writeFileSync(path.join(home, 'hanging'), String(process.pid)); setInterval(() => {}, 1000) }
else if (behaviour === 'offline') { console.error('npm error code ENOTFOUND\\nnpm error network request failed'); process.exitCode = 1 }
else for (const [place, entry] of Object.entries(JSON.parse(fs.readFileSync('package-lock.json', 'utf8')).packages)) {
  if (!/node_modules\\/node-/.test(place)) continue
  fs.mkdirSync(path.join(cwd, place, 'bin'), { recursive: true })
  fs.symlinkSync(process.env.TEST_NODE_24, path.join(cwd, place, 'bin/node'))
}
`

export function sandbox(): Sandbox {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rackwright-house-')))
  const started: ChildProcess[] = []
  const npmHome = join(folder, 'npm')
  for (const made of ['src', 'npm']) mkdirSync(join(folder, made))
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'src/main.ts'), program)
  writeFileSync(join(folder, 'npm/npm-cli.js'), npmProgram)
  writeFileSync(join(folder, 'npm/package.json'), '{"type":"commonjs"}')
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'sandbox', type: 'module', scripts: { start: 'node bin/launch.js start' } }),
  )
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ name: 'sandbox', lockfileVersion: 3, packages: {} }))
  return {
    folder,
    asked: () => (existsSync(join(npmHome, 'asked')) ? readFileSync(join(npmHome, 'asked'), 'utf8').trim().split('\n') : []),
    start({ node = process.execPath, through, env = {}, entry = ['bin/launch.js', 'start'] } = {}) {
      const clean = Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !/^npm_|^XDG_|^RACKWRIGHT|^NODE_|^VITEST/i.test(name)),
      )
      const PATH = [dirname(node), process.env['PATH']].join(delimiter)
      const all = { ...clean, PATH, npm_execpath: join(npmHome, 'npm-cli.js'), TEST_NODE_24: process.execPath, ...env }
      const command = through === 'npm' ? [realNpm(), 'start'] : entry
      const child = spawn(node, command, { cwd: folder, env: all, detached: through === 'npm', stdio: ['ignore', 'pipe', 'pipe'] })
      started.push(child)
      return running(child)
    },
    remove() {
      for (const child of started) child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function running(process: ChildProcess): Running {
  let text = ''
  const listeners = new Set<() => void>()
  const heard = (more: string) => {
    text += more
    for (const listener of [...listeners]) listener()
  }
  for (const stream of [process.stdout, process.stderr]) stream?.setEncoding('utf8').on('data', heard)
  // `close`, not `exit`: it comes when nobody holds the output any more, so grandchildren count.
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(done =>
    process.once('close', (code, signal) => done({ code, signal })),
  )
  return {
    process,
    output: () => text,
    ended: () => ended,
    says: wanted =>
      new Promise((done, failed) => {
        const look = () => {
          if (!text.includes(wanted)) return
          listeners.delete(look)
          done(text)
        }
        listeners.add(look)
        look()
        void ended.then(() => failed(new Error(`ended before it said "${wanted}":\n${text}`)))
      }),
  }
}

function realNpm(): string {
  return realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())
}

/** A Node older than 24 on this machine, if there is one: the launcher's other half can only be tested with it. */
export function oldNode(): string | undefined {
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']) {
    const node = join(folder, 'node')
    if (!existsSync(node)) continue
    const major = Number(execFileSync(node, ['-p', 'parseInt(process.versions.node)'], { encoding: 'utf8' }))
    if (major >= 18 && major < 24) return node
  }
  return undefined
}

/** True once no process with this id is left; looks a bounded number of times. */
export async function isGone(pid: number): Promise<boolean> {
  for (let look = 0; look < 300; look++) {
    try {
      process.kill(pid, 0)
    } catch {
      return true
    }
    await new Promise(again => setTimeout(again, 50))
  }
  return false
}
