import type { JsonObject } from '../../core/json.ts'
import { baseVersion, type MessageName, messageOf } from './messages.ts'

/** An answer that is a no, with a message from a registry. */
export class Refusal extends Error {
  readonly status: number
  readonly messageName: MessageName
  readonly args: readonly string[]
  readonly related: readonly string[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    name: MessageName,
    args: readonly string[] = [],
    more: { readonly related?: readonly string[]; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(`${status} ${name}`)
    this.status = status
    this.messageName = name
    this.args = args
    this.related = more.related ?? []
    this.headers = more.headers ?? {}
  }
}

/** `says` gives a vendor's own message id for one of the base registry. */
export function errorBody(refusal: Refusal, says: Readonly<Record<string, string>> = {}): JsonObject {
  const message = messageOf(refusal.messageName, refusal.args, refusal.related, says[refusal.messageName])
  return {
    error: {
      code: `Base.${baseVersion}.GeneralError`,
      message: 'The request was refused; the extended information says why.',
      '@Message.ExtendedInfo': [message],
    },
  }
}
