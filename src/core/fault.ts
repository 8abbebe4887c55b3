/** When trying the same thing again makes sense: by itself, after somebody changed something, or not at all. */
export type RetryClass = 'backoff' | 'when-changed' | 'never'

/**
 * What went wrong, for machines (`code`) and for people (message: what was tried, colon, what was found).
 * `hint` is what to do about it, as a sentence or a command. A fault never carries a secret.
 */
export class Fault extends Error {
  readonly code: string
  readonly retry: RetryClass
  readonly hint: string | undefined

  constructor(code: string, message: string, retry: RetryClass = 'backoff', more: { hint?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'Fault'
    this.code = code
    this.retry = retry
    this.hint = more.hint
  }
}
