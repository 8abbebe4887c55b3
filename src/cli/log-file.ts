import { join } from 'node:path'
import { pino } from 'pino'
import type { Log } from '../ports/index.ts'

export interface FileLog extends Log {
  /** The same file, and nothing on the terminal: for what goes on by itself and is told in other ways. */
  readonly quiet: Log
  flush(): void
}

/** Log lines as JSON in the state folder; warnings and errors also reach the terminal, in words. */
export function fileLog(folder: string, tell: (line: string) => void): FileLog {
  const file = join(folder, 'rackwright.log')
  // Few lines are written, and the last ones before an end are the ones people look for: none may be lost in a buffer.
  const destination = pino.destination({ dest: file, sync: true, append: true, mode: 0o600 })
  const logger = pino(
    {
      base: null,
      redact: { paths: ['*.authorization', '*.password', '*.token', '*.data', 'authorization', 'password', 'token'], censor: '(hidden)' },
    },
    destination,
  )
  const quiet: Log = {
    debug: (what, about = {}) => logger.debug(about, what),
    info: (what, about = {}) => logger.info(about, what),
    warn: (what, about = {}) => logger.warn(about, what),
    error: (what, about = {}) => logger.error(about, what),
  }
  return {
    ...quiet,
    quiet,
    warn: (what, about = {}) => {
      quiet.warn(what, about)
      tell(`warning: ${what}${brief(about)} (more in ${file})`)
    },
    error: (what, about = {}) => {
      quiet.error(what, about)
      tell(`error: ${what}${brief(about)} (more in ${file})`)
    },
    flush: () => destination.flushSync(),
  }
}

const brief = (about: Readonly<Record<string, unknown>>): string => {
  const error = about['error']
  return typeof error === 'string' ? `: ${error.split('\n')[0]}` : ''
}
