import { ApiError } from '../api/status.ts'
import { type Millis, seconds } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import type { Clock, HttpRequest, HttpResponse, Ids, Log, Transport } from '../ports/index.ts'
import { backoff } from './backoff.ts'
import { refusalOf } from './refusal.ts'

/** What one client is made of. */
export interface Line {
  readonly transport: Transport
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly userAgent: string
}

export interface Question {
  readonly method: string
  readonly url: string
  readonly body?: object
  readonly contentType?: string
  readonly signal?: AbortSignal
}

const deadline: Millis = seconds(60)
const attempts = 5

/** Asks and returns the parsed answer, or throws the server's refusal. A server that says "later" (429) is obeyed a few times. */
export async function ask(line: Line, question: Question): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(line, question)
    } catch (error) {
      const wait = attempt < attempts ? laterBy(line, question, error, attempt) : undefined
      if (wait === undefined) throw error
      await line.clock.sleep(wait, question.signal)
    }
  }
}

/** 429 means that nothing was done, so everything may be repeated; another refusal with a time may have had an effect, so only reads are. */
function laterBy(line: Line, { method }: Question, error: unknown, attempt: number): Millis | undefined {
  if (!(error instanceof ApiError)) return undefined
  const told = error.details?.retryAfterSeconds
  if (error.code === 429) return Math.max(seconds(told ?? 0), backoff(attempt, line.ids))
  return error.code >= 500 && told !== undefined && method === 'GET' ? Math.max(seconds(told), backoff(attempt, line.ids)) : undefined
}

async function askOnce(line: Line, question: Question): Promise<unknown> {
  const asked = `Cannot ${question.method} ${question.url.split('?')[0]}`
  const cut = new AbortController()
  const stop = (): void => cut.abort(question.signal?.reason)
  if (question.signal?.aborted) stop()
  question.signal?.addEventListener('abort', stop, { once: true })
  // Made only when it is needed: an error with its stack costs more than the request itself.
  const late = (): Fault => new Fault('kube/no-answer', `${asked}: no answer within ${deadline / 1_000} seconds`)
  const cancel = line.clock.after(deadline, () => cut.abort(late()))
  try {
    const response = await send(line, question, asked, cut.signal)
    if (response.status < 300 && response.shared && 'object' in response.shared) return response.shared.object
    const text = new TextDecoder().decode(await wholeBody(response.body))
    if (response.status >= 300) throw refusalOf(asked, response, text)
    return parse(text, asked)
  } catch (error) {
    throw cut.signal.aborted ? cut.signal.reason : unreachable(asked, error)
  } finally {
    cancel()
    question.signal?.removeEventListener('abort', stop)
  }
}

/** Sends and returns the response as it is. */
export async function send(line: Line, question: Question, asked: string, signal: AbortSignal): Promise<HttpResponse> {
  const { method, url, body, contentType = 'application/json' } = question
  const request: HttpRequest = {
    method,
    url,
    headers: { accept: 'application/json', 'user-agent': line.userAgent, ...(body === undefined ? {} : { 'content-type': contentType }) },
    ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
    signal,
    shares: true,
  }
  signal.throwIfAborted()
  const response = await line.transport(request)
  const warning = response.headers['warning']
  if (warning !== undefined) line.log.warn('The API server warns', { asked: `${method} ${url.split('?')[0]}`, warning })
  if (response.status < 200) throw new Fault('kube/odd-answer', `${asked}: the server answered ${response.status}`)
  return response
}

/** Keeps what is already a sentence of ours; everything else came from below HTTP. */
export function unreachable(asked: string, error: unknown): Error {
  if (error instanceof ApiError || error instanceof Fault) return error
  const found = error instanceof Error ? error.message || error.name : String(error)
  return new Fault('kube/unreachable', `${asked}: ${found}`, 'backoff', { cause: error })
}

export async function wholeBody(body: HttpResponse['body']): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

function parse(text: string, asked: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Fault('kube/odd-answer', `${asked}: the answer is not JSON (${text.slice(0, 80)})`, 'backoff', { cause })
  }
}
