import { pino } from 'pino'
import type { Log } from '../../ports/index.ts'

/** One JSON object per line on standard output, as collectors of a cluster expect. Secrets that slip in are hidden. */
export function stdoutLog(): Log {
  const paths = ['*.authorization', '*.password', '*.token', '*.data', 'authorization', 'password', 'token']
  const logger = pino({ base: null, redact: { paths, censor: '(hidden)' } }, pino.destination({ dest: 1, sync: true }))
  return {
    debug: (what, about = {}) => logger.debug(about, what),
    info: (what, about = {}) => logger.info(about, what),
    warn: (what, about = {}) => logger.warn(about, what),
    error: (what, about = {}) => logger.error(about, what),
  }
}
