import { join } from 'node:path'
import { pino } from 'pino'
import type { Log } from '../ports/index.ts'

/** Log lines as JSON in the state folder; warnings and errors also reach the terminal, in words. */
export function fileLog(folder: string, tell: (line: string) => void): Log & { flush(): void } {
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
  return {
    debug: (what, about = {}) => logger.debug(about, what),
    info: (what, about = {}) => logger.info(about, what),
    warn: (what, about = {}) => {
      logger.warn(about, what)
      tell(`warning: ${what}${brief(about)} (more in ${file})`)
    },
    error: (what, about = {}) => {
      logger.error(about, what)
      tell(`error: ${what}${brief(about)} (more in ${file})`)
    },
    flush: () => destination.flushSync(),
  }
}

const brief = (about: Readonly<Record<string, unknown>>): string => {
  const error = about['error']
  return typeof error === 'string' ? `: ${error.split('\n')[0]}` : ''
}
