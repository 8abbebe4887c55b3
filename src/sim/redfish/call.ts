import { isObject, type JsonObject } from '../../core/json.ts'
import type { HttpRequest } from '../../ports/index.ts'
import { Refusal } from './refusal.ts'

/** A request as the service looks at it. */
export interface Call {
  readonly method: string
  /** As it came, without query and fragment. */
  readonly path: string
  /** To look resources up by: lower case, without a slash at the end. */
  readonly key: string
  readonly query: ReadonlyMap<string, string>
  readonly headers: Readonly<Record<string, string>>
  readonly raw: Uint8Array | undefined
  /** The body as a JSON object; throws a refusal where it is something else. An empty body is an empty object. */
  body(): JsonObject
}

export const keyOf = (path: string): string => path.replace(/\/+$/, '').toLowerCase()

export function callOf(request: HttpRequest): Call {
  const at = request.url.indexOf('?')
  const path = decode(at === -1 ? request.url : request.url.slice(0, at))
  return {
    method: request.method,
    path,
    key: keyOf(path),
    query: at === -1 ? noQuery() : new Map(new URLSearchParams(request.url.slice(at + 1))),
    headers: request.headers,
    raw: request.body,
    body: () => jsonBody(request.body),
  }
}

const noQuery = (): ReadonlyMap<string, string> => new Map()

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new Refusal(400, 'UnrecognizedRequestBody')
  }
}

function jsonBody(raw: Uint8Array | undefined): JsonObject {
  if (!raw || raw.length === 0) return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString('utf8'))
  } catch {
    throw new Refusal(400, 'MalformedJSON')
  }
  if (!isObject(parsed)) throw new Refusal(400, 'UnrecognizedRequestBody')
  return parsed as JsonObject
}
