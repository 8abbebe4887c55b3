import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const echoMs = 2_000

/** Loads the program here. Whatever it spawns by the name `node` finds this Node first. */
export async function inProcess(file, args) {
  process.env.PATH = [dirname(process.execPath), process.env.PATH].filter(Boolean).join(delimiter)
  process.argv = [process.execPath, file, ...args]
  takeSignalsOnce()
  await import(pathToFileURL(file).href)
}

/** Runs `node ...args` as a child that shares our fate: signals go down, its end comes up, and our death is its `disconnect`. */
export async function under(node, args) {
  const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  const [code, signal] = await new Promise((done, failed) => {
    child.once('error', failed)
    child.once('exit', (...end) => done(end))
  })
  for (const name of signals) process.removeAllListeners(name)
  if (signal) process.kill(process.pid, signal)
  process.exitCode = code ?? 1
}

/**
 * One Ctrl-C arrives several times: from the terminal, from npm, from the launcher above. The first is the program's to handle; its
 * echoes must not cut short the shutdown it began. Repeated later, it means now.
 */
function takeSignalsOnce() {
  let first
  for (const signal of signals) {
    process.on(signal, () => {
      const isHandled = process.listenerCount(signal) > 1
      first ??= isHandled ? Date.now() : undefined
      const isEcho = first !== undefined && Date.now() - first < echoMs
      if (!isHandled && !isEcho) process.exit(128 + constants.signals[signal])
    })
  }
}
