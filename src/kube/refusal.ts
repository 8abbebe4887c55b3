import { ApiError, type Cause, type StatusDetails } from '../api/status.ts'
import { isObject } from '../core/json.ts'
import type { HttpResponse } from '../ports/index.ts'

const byCode: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/** A refusal as the server worded it. What is not a Status (a proxy's page, an old server's text) is told with its code and beginning. */
export function refusalOf(asked: string, response: Pick<HttpResponse, 'status' | 'headers'>, body: string): ApiError {
  const wait = retryAfter(response.headers['retry-after'])
  const status = parseStatus(body)
  if (status) return statusError(status, response.status, wait)
  const found = body.trim().replace(/\s+/g, ' ').slice(0, 200)
  const message = `${asked}: the server answered ${response.status}${found === '' ? '' : ` (${found})`}`
  return new ApiError(byCode[response.status] ?? '', message, wait === undefined ? undefined : { retryAfterSeconds: wait }, response.status)
}

/** A Status object, from a body or an ERROR event, as the error it stands for. */
export function statusError(status: Record<string, unknown>, code = 500, wait?: number): ApiError {
  const found = typeof status['code'] === 'number' && status['code'] > 0 ? status['code'] : code
  const reason = typeof status['reason'] === 'string' ? status['reason'] : (byCode[found] ?? '')
  const given = isObject(status['details']) ? status['details'] : undefined
  const details: StatusDetails | undefined =
    given || wait !== undefined
      ? {
          ...(given && readDetails(given)),
          ...(wait !== undefined && given?.['retryAfterSeconds'] === undefined ? { retryAfterSeconds: wait } : {}),
        }
      : undefined
  const message =
    typeof status['message'] === 'string' && status['message'] !== '' ? status['message'] : `the server answered ${reason || found}`
  return new ApiError(reason, message, details, found)
}

export const isExpired = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 410

function readDetails(given: Record<string, unknown>): StatusDetails {
  const texts = ['name', 'group', 'kind', 'uid'].filter(field => typeof given[field] === 'string')
  return {
    ...Object.fromEntries(texts.map(field => [field, given[field]])),
    ...(Array.isArray(given['causes']) ? { causes: given['causes'].filter(isObject).map(readCause) } : {}),
    ...(typeof given['retryAfterSeconds'] === 'number' ? { retryAfterSeconds: given['retryAfterSeconds'] } : {}),
  }
}

const readCause = (cause: Record<string, unknown>): Cause => ({
  reason: String(cause['reason'] ?? ''),
  message: String(cause['message'] ?? ''),
  ...(typeof cause['field'] === 'string' ? { field: cause['field'] } : {}),
})

function parseStatus(body: string): Record<string, unknown> | undefined {
  if (!body.startsWith('{')) return undefined
  try {
    const parsed: unknown = JSON.parse(body)
    return isObject(parsed) && parsed['kind'] === 'Status' ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Seconds only: Kubernetes never sends the form with a date. */
const retryAfter = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined
