import type { ApiError } from '../api/status.ts'
import type { HttpResponse } from '../ports/index.ts'

const encoder = new TextEncoder()
export const utf8 = (text: string): Uint8Array => encoder.encode(text)

export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: utf8(JSON.stringify(value)) }
}

export const bytes = (
  body: Uint8Array | AsyncIterable<Uint8Array>,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body,
})

export const text = (body: string, status = 200): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: utf8(body),
})

export function refusal(error: ApiError): HttpResponse {
  const retry = error.details?.retryAfterSeconds
  return json(error.toStatus(), error.code, retry === undefined ? {} : { 'retry-after': String(retry) })
}

/** Warnings travel as headers (RFC 7234 code 299); kubectl prints them in yellow. */
export function warningHeaders(warnings: readonly string[]): Readonly<Record<string, string>> {
  if (warnings.length === 0) return {}
  return { warning: warnings.map(w => `299 - "${w.replace(/[\\"]/g, '\\$&').replace(/[^\x20-\x7e]/g, '?')}"`).join(', ') }
}
