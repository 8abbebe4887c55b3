import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const graceMs = 10_000
const lookMs = 500

/**
 * Stops this process, gracefully at first, when whoever started it is gone: the older Node above us (its end of the channel
 * closes), or npm killed outright, which cannot pass a signal on.
 */
export function endWithParent() {
  const stop = () => {
    setTimeout(() => process.exit(143), graceMs).unref()
    process.kill(process.pid, 'SIGTERM')
  }
  if (process.channel) {
    process.once('disconnect', stop)
    process.channel.unref()
  } else if (process.env.npm_lifecycle_script?.includes('bin/launch.js') && process.platform !== 'win32') {
    const parent = process.ppid
    const npm = npmAbove(parent)
    const watch = setInterval(() => {
      if (process.ppid === parent && isAlive(npm)) return
      clearInterval(watch)
      stop()
    }, lookMs)
    watch.unref()
  }
}

/** npm starts scripts through `sh -c`; some shells stay between npm and us, and outlive a killed npm. */
function npmAbove(parent) {
  try {
    const { above, command } = describe(parent)
    return /\s-c\s/.test(command) && command.includes('bin/launch.js') ? above : parent
  } catch {
    return parent
  }
}

function describe(pid) {
  if (process.platform === 'linux') {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    // "pid (name) state ppid …"; the name may hold spaces and brackets.
    return {
      above: Number(
        stat
          .slice(stat.lastIndexOf(')') + 1)
          .trim()
          .split(' ')[1],
      ),
      command,
    }
  }
  const line = execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  return { above: Number.parseInt(line, 10), command: line }
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
