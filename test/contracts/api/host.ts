import { expect } from 'vitest'
import type { Transport } from '../../../src/ports/index.ts'

/** An API server under test: the embedded one in memory, over TLS, or a real Kubernetes. */
export interface Host {
  /** Which column of the differences holds for it. */
  readonly is: 'here' | 'kubernetes'
  /** As an administrator. */
  readonly transport: Transport
  /** As somebody else, who is authenticated and has no rights of their own. */
  as(name: string, groups?: readonly string[]): Transport
  close(): Promise<void>
}

export interface Answer {
  readonly code: number
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>
}
// Test code reads answers as they come: any shape, asserted by the matchers.
// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the test asserts
export type Body = any

export interface Client {
  get(path: string, accept?: string): Promise<Answer>
  post(path: string, body: unknown, type?: string): Promise<Answer>
  put(path: string, body: unknown): Promise<Answer>
  patch(path: string, body: unknown, type?: keyof typeof patchTypes): Promise<Answer>
  delete(path: string, options?: unknown): Promise<Answer>
  /** Collects watch events until `enough` says so. */
  watch(path: string, enough: (events: readonly Body[]) => boolean): Promise<readonly Body[]>
}

export const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

export function client(transport: Transport): Client {
  const send = async (method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const bytes =
      body === undefined
        ? undefined
        : body instanceof Uint8Array
          ? body
          : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const response = await transport({
      method,
      url,
      headers: { accept: 'application/json', ...headers },
      ...(bytes ? { body: bytes } : {}),
    })
    const text = (await whole(response.body)).toString('utf8')
    return {
      code: response.status,
      headers: response.headers,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
    }
  }
  return {
    get: (path, accept) => send('GET', path, undefined, accept ? { accept } : {}),
    post: (path, body, type = 'application/json') => send('POST', path, body, { 'content-type': type }),
    put: (path, body) => send('PUT', path, body, { 'content-type': 'application/json' }),
    patch: (path, body, type = 'merge') => send('PATCH', path, body, { 'content-type': patchTypes[type] }),
    delete: (path, options) => send('DELETE', path, options, { 'content-type': 'application/json' }),
    async watch(path, enough) {
      const abort = new AbortController()
      const response = await transport({ method: 'GET', url: path, headers: { accept: 'application/json' }, signal: abort.signal })
      if (response.status !== 200) throw new Error(`watch answered ${response.status}: ${(await whole(response.body)).toString()}`)
      const events: Body[] = []
      let rest = ''
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        const lines = (rest + Buffer.from(chunk).toString('utf8')).split('\n')
        rest = lines.pop() ?? ''
        events.push(...lines.filter(line => line !== '').map(line => JSON.parse(line)))
        if (enough(events)) break
      }
      abort.abort()
      return events
    },
  }
}

async function whole(body: Uint8Array | AsyncIterable<Uint8Array>): Promise<Buffer> {
  if (body instanceof Uint8Array) return Buffer.from(body)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Asks until the answer is as wanted; for what Kubernetes does in the background. Bounded by count; the host decides how long a look takes. */
export async function eventually(look: () => Promise<boolean>, pause: () => Promise<void>, tries = 600): Promise<void> {
  for (let i = 0; i < tries; i += 1) {
    if (await look()) return
    await pause()
  }
  expect.fail(`not so after ${tries} looks`)
}

export const refused = (answer: Answer, code: number, reason: string): void => {
  expect({ code: answer.code, reason: answer.body?.reason }).toEqual({ code, reason })
  expect(answer.body).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure' })
  expect(typeof answer.body.message).toBe('string')
}
