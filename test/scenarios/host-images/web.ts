import type { HttpRequest, HttpResponse, Transport } from '../../../src/ports/index.ts'

export type Page = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>

/** A web server without a socket: pages by their addresses, without the query. */
export interface Web {
  readonly pages: Map<string, Page>
  /** Every address that was asked for, as it came. */
  readonly asked: string[]
  to(origin: string): Transport
}

export const answer = (
  status: number,
  body: string | Uint8Array | AsyncIterable<Uint8Array> = '',
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  headers,
  body: typeof body === 'string' ? Buffer.from(body) : body,
})
export const json =
  (value: unknown): Page =>
  () =>
    answer(200, JSON.stringify(value))

export function openWeb(): Web {
  const pages = new Map<string, Page>()
  const asked: string[] = []
  return {
    pages,
    asked,
    to: origin => async request => {
      const address = `${origin}${request.url.split('?', 1)[0]}`
      asked.push(`${origin}${request.url}`)
      return (await pages.get(address)?.(request)) ?? answer(404)
    },
  }
}
