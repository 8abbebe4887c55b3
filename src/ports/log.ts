/** A structured log line: what happened, and to which object. Never a secret. */
export interface Log {
  debug(what: string, about?: Readonly<Record<string, unknown>>): void
  info(what: string, about?: Readonly<Record<string, unknown>>): void
  warn(what: string, about?: Readonly<Record<string, unknown>>): void
  error(what: string, about?: Readonly<Record<string, unknown>>): void
}

export const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
