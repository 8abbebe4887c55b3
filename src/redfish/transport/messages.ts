import { isObject } from '../../core/json.ts'
import { field, list, text, texts } from './read.ts'

/** One message of a Redfish service. */
export interface Message {
  /** The last part of its MessageId: registries differ in name and version, not in this. */
  readonly id: string
  readonly text: string
  readonly args: readonly string[]
  readonly severity: 'OK' | 'Warning' | 'Critical' | 'Unknown'
}

const most = 20

/** Every message of a body, wherever the service put it: `error`, the top, or both. */
export function messagesOf(body: unknown): readonly Message[] {
  const error = field(body, 'error')
  const found = [...list(error, '@Message.ExtendedInfo'), ...list(body, '@Message.ExtendedInfo')].slice(0, most).map(message)
  if (found.length > 0) return found
  const code = text(error, 'code')
  const words = text(error, 'message')
  return code === undefined && words === undefined ? [] : [{ id: lastPart(code ?? ''), text: words ?? '', args: [], severity: 'Unknown' }]
}

/** Messages that a service hangs on single properties of an otherwise accepted change (`Boot@Message.ExtendedInfo`). */
export function objectionsIn(body: unknown, depth = 3): readonly Message[] {
  if (!isObject(body) || depth === 0) return []
  const found: Message[] = []
  for (const [name, value] of Object.entries(body)) {
    if (name.endsWith('@Message.ExtendedInfo') && name !== '@Message.ExtendedInfo' && Array.isArray(value))
      found.push(...value.slice(0, most).map(message).filter(isObjection))
    else if (isObject(value)) found.push(...objectionsIn(value, depth - 1))
  }
  return found.slice(0, most)
}

/** "Success" inside an error is a success (HPE), and a change that changes nothing is none to complain of. */
export const isObjection = ({ id, severity }: Message): boolean =>
  severity !== 'OK' &&
  !/^(Success|NoOperation|Accepted|Created|UpdateInProgress|ResetRequired|SystemResetRequired|OperationTransitionedToJob)$/i.test(id)

function message(from: unknown): Message {
  const severity = text(from, 'MessageSeverity') ?? text(from, 'Severity')
  return {
    id: lastPart(text(from, 'MessageId') ?? ''),
    text: text(from, 'Message') ?? '',
    args: texts(from, 'MessageArgs').slice(0, most),
    severity: severity === 'OK' || severity === 'Warning' || severity === 'Critical' ? severity : 'Unknown',
  }
}

const lastPart = (id: string): string => id.split(/[.#]/).at(-1) ?? ''

/** One line for people: what the service says, or the names of its messages where it says nothing. */
export function wordsOf(messages: readonly Message[]): string {
  const said = messages.map(({ id, text }) => text || id).filter(word => word !== '')
  return [...new Set(said)].slice(0, 3).join(' ')
}
