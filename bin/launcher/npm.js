import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from './refusal.js'

const withParent = fileURLToPath(new URL('./with-parent.cjs', import.meta.url))
const unreachable = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/
const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--no-progress', '--loglevel=error']
const patience = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000']

/** Runs npm under this Node in `cwd`, silent unless it fails. `what` completes the sentence "Cannot …". */
export async function npm(args, { cwd, what }) {
  const command = ['--require', withParent, npmProgram(), ...args, '--prefix', cwd, ...quiet, ...patience]
  const child = spawn(process.execPath, command, { cwd, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text))

  let stopped
  const stop = signal => {
    stopped = signal
    child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, stop)
  const code = await new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', done)
  })
  for (const signal of signals) process.removeListener(signal, stop)

  if (stopped) throw new Refusal(`stopped while it was about to ${what}; run the same command again to finish`, 130)
  if (code === 0) return
  const found = unreachable.exec(said)
  if (found)
    throw new Refusal(
      `cannot ${what}: the npm registry is out of reach (${found[1]}); connect this machine, or set npm's proxy, and run the same command again`,
    )
  throw new Refusal(`cannot ${what}: npm ended with code ${code}\n${said.trim()}`)
}

/** The npm that runs us, else the one in PATH, else the one that came with this Node. */
function npmProgram() {
  const named = process.env.npm_execpath
  if (named && /npm-cli\.[cm]?js$/.test(named) && existsSync(named)) return named
  const beside = dirname(process.execPath)
  const inPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const candidates = [
    ...inPath.map(folder => join(folder, 'npm')),
    join(beside, '../lib/node_modules/npm/bin/npm-cli.js'),
    join(beside, 'node_modules/npm/bin/npm-cli.js'),
  ]
  for (const candidate of candidates) {
    const program = existsSync(candidate) ? realpathSync(candidate) : ''
    if (/npm-cli\.[cm]?js$/.test(program)) return program
  }
  throw new Refusal('cannot install packages: npm was not found in PATH; install npm and run the same command again')
}
