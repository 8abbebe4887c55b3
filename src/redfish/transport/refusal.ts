import { Fault, type RetryClass } from '../../core/fault.ts'
import type { Message } from './messages.ts'
import { messagesOf, wordsOf } from './messages.ts'

/** What a BMC answered instead of doing it. Roles look at `status` and `messages` for the documented second tries. */
export class Refusal extends Fault {
  readonly status: number
  readonly messages: readonly Message[]

  constructor(kind: Kind, message: string, status: number, messages: readonly Message[]) {
    super(kind.code, message, kind.retry, kind.hint === undefined ? {} : { hint: kind.hint })
    this.name = 'Refusal'
    this.status = status
    this.messages = messages
  }

  /** Whether a message of this name is among the reasons. */
  says(...ids: readonly string[]): boolean {
    return this.messages.some(({ id }) => ids.some(one => one.toLowerCase() === id.toLowerCase()))
  }
}

interface Kind {
  readonly code: string
  readonly retry: RetryClass
  readonly hint?: string
}

const inPost: Kind = {
  code: 'bmc/in-post',
  retry: 'backoff',
  hint: 'The server is in its power-on self test; it is tried again when that is over.',
}
const busy: Kind = { code: 'bmc/busy', retry: 'backoff' }
const lockdown: Kind = { code: 'bmc/lockdown', retry: 'when-changed', hint: 'Take the BMC out of lockdown mode.' }
const license: Kind = { code: 'bmc/license', retry: 'when-changed', hint: 'Install the licence that the vendor asks for.' }
const sessions: Kind = {
  code: 'bmc/session-limit',
  retry: 'backoff',
  hint: 'All sessions of the BMC are taken: end those that are not needed.',
}

/** Messages that tell more than the status does, by the last part of their id or by a vendor's own number. */
const byMessage: readonly { readonly when: RegExp; readonly kind: Kind }[] = [
  { when: /UnableToModifyDuringSystemPOST|DuringSystemPOST|\bPOST state\b|during (system )?POST/i, kind: inPost },
  { when: /InvalidOperationForSystemState|SystemNotReady/i, kind: inPost },
  { when: /lockdown/i, kind: lockdown },
  { when: /licen[cs]e/i, kind: license },
  { when: /SessionLimitExceeded|RAC0218|maximum number of (user )?sessions/i, kind: sessions },
  {
    when: /SYS518|SYS403|JobInProgress|PendingJob|RAC0679|ResourceInUse|ServiceTemporarilyUnavailable|ServiceInUnknownState|ResourceInStandby|ServiceShuttingDown|OperationInProgress|DeviceBusy/i,
    kind: busy,
  },
]

const byStatus: Readonly<Record<number, Kind>> = {
  401: { code: 'bmc/unauthorized', retry: 'when-changed', hint: 'Check the user name and password of the BMC.' },
  403: { code: 'bmc/forbidden', retry: 'when-changed', hint: 'Give the account the privilege that this needs.' },
  404: { code: 'bmc/not-found', retry: 'backoff' },
  405: { code: 'bmc/not-offered', retry: 'when-changed' },
  409: busy,
  410: { code: 'bmc/not-found', retry: 'backoff' },
  412: { code: 'bmc/changed-meanwhile', retry: 'backoff' },
  428: { code: 'bmc/changed-meanwhile', retry: 'backoff' },
  429: { code: 'bmc/throttled', retry: 'backoff' },
  501: { code: 'bmc/not-offered', retry: 'when-changed' },
  503: busy,
}

const refused: Kind = { code: 'bmc/refused', retry: 'when-changed', hint: 'The BMC takes this call, but not these values.' }
const broken: Kind = { code: 'bmc/error', retry: 'backoff' }

/** `words` are the service's, already scrubbed. */
export function refusalOf(asked: string, status: number, body: unknown, scrub: (text: string) => string): Refusal {
  const messages = messagesOf(body)
  return refusalFor(asked, status, messages, scrub)
}

export function refusalFor(asked: string, status: number, messages: readonly Message[], scrub: (text: string) => string): Refusal {
  const words = scrub(wordsOf(messages))
  const told = status === 401 ? undefined : byMessage.find(({ when }) => messages.some(({ id, text }) => when.test(id) || when.test(text)))
  const kind = told?.kind ?? byStatus[status] ?? (status >= 500 ? broken : refused)
  return new Refusal(kind, `${asked}: the BMC answered ${status}${words === '' ? '' : ` (${words})`}`, status, messages)
}

export const isRefusal = (error: unknown, ...codes: readonly string[]): error is Refusal =>
  error instanceof Refusal && (codes.length === 0 || codes.includes(error.code))
