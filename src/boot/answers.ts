import type { HttpResponse } from '../ports/index.ts'
import { stopScript } from './ipxe.ts'

export const plain = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: Buffer.from(`${text}\n`),
})

/** iPXE goes on with the next boot source when a script is refused by status; a script that says why reaches the screen first. */
export const script = (text: string): HttpResponse => plain(200, text.trimEnd())
export const stop: HttpResponse = script(stopScript)

export const notFound = plain(404, 'There is nothing here.')
export const away = plain(503, 'What was sent cannot be kept just now. Try again soon.', { 'retry-after': '5' })
export const wrongMethod = (allow: string): HttpResponse => plain(405, 'That is not what can be asked here.', { allow })
/** One answer for every refusal: it tells nobody what exists. The event on the server says why. */
export const refused = plain(403, 'There is no boot that was commanded for this request.')
export const withoutBody = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, ...(response.body instanceof Uint8Array ? { 'content-length': String(response.body.length) } : {}) },
  body: new Uint8Array(),
})
