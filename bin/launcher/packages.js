import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { alone } from './alone.js'
import { npm } from './npm.js'

/**
 * Makes node_modules what the lock says. `need` is 'run' (what `npm start` takes) or 'dev' (everything).
 * A stamp with the lock's hash makes this free the next time; a mark that stands only during an install tells that one was cut short.
 */
export async function install(root, need, say) {
  const modules = join(root, 'node_modules')
  const stamp = join(modules, '.rackwright.json')
  const unfinished = join(root, '.rackwright', 'install.unfinished')
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const done = () => {
    const was = readStamp(stamp)
    return was.lock === lock && (was.dev || need === 'run') && !existsSync(unfinished)
  }
  if (done()) return
  await alone(join(root, '.rackwright', 'installing'), say, async () => {
    if (done()) return
    const cutShort = existsSync(unfinished)
    const fresh = cutShort || !existsSync(modules)
    // Development packages stay when they are there, or may be: nothing that somebody uses is taken away.
    const dev = need === 'dev' || (!fresh && readStamp(stamp).dev !== false)
    say(`Installing the ${dev ? 'development' : 'run-time'} packages${cutShort ? ' again: the last time was cut short' : ''}`)
    mkdirSync(join(root, '.rackwright'), { recursive: true })
    writeFileSync(unfinished, '')
    // `npm ci` starts from nothing; `npm install` leaves alone what a running server has open.
    const command = fresh ? ['ci'] : ['install', '--no-save']
    await npm([...command, dev ? '--include=dev' : '--omit=dev'], { cwd: root, what: 'install packages' })
    writeFileSync(stamp, JSON.stringify({ lock, dev }))
    rmSync(unfinished, { force: true })
  })
}

function readStamp(stamp) {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8'))
  } catch {
    return {}
  }
}
