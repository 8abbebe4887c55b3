import type { Clock, HttpRequest, HttpResponse, Ids, Transport } from '../../src/ports/index.ts'

/** Time that moves only when told to, and remembers what was waited for. */
export interface StepClock extends Clock {
  /** Delays asked for, in order. */
  readonly waits: readonly number[]
  advance(ms: number): Promise<void>
}

/** `eager` lets every sleep end at once (time jumps); timers set with `after` still need `advance`. */
export function stepClock(eager = false): StepClock {
  let now = 1_000_000
  const waits: number[] = []
  const timers = new Set<{ at: number; then: () => void }>()
  const after = (ms: number, then: () => void): (() => void) => {
    const timer = { at: now + ms, then }
    timers.add(timer)
    return () => timers.delete(timer)
  }
  return {
    waits,
    elapsed: () => now,
    now: () => now,
    after,
    async sleep(ms, signal) {
      waits.push(ms)
      signal?.throwIfAborted()
      if (eager) {
        now += ms
        return
      }
      await new Promise<void>((done, failed) => {
        const cancel = after(ms, done)
        signal?.addEventListener('abort', () => {
          cancel()
          failed(signal.reason)
        })
      })
    },
    async advance(ms) {
      now += ms
      for (const timer of [...timers]) {
        if (timer.at > now) continue
        timers.delete(timer)
        timer.then()
      }
      await settled()
    },
  }
}

/** Lets every promise that can move, move. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}

/** The same every time: jitter is one half of the spread. */
export const plainIds: Ids = {
  uid: () => '00000000-0000-4000-8000-000000000000',
  suffix: length => 'x'.repeat(length),
  nonce: bytes => Buffer.from([0x80, ...Array<number>(bytes - 1).fill(0)]).toString('base64url'),
}

export type Answer = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>

/** Answers requests from a script, one after the other, and keeps them. Past its end it says so. */
export function script(...answers: Answer[]): Transport & { readonly asked: readonly HttpRequest[] } {
  const asked: HttpRequest[] = []
  const transport: Transport = async request => {
    asked.push(request)
    const next = answers[asked.length - 1]
    if (!next) throw new Error('the script has ended')
    return next(request)
  }
  return Object.assign(transport, { asked })
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  () => ({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: bytes(JSON.stringify(body)),
  })

export const text =
  (body: string, status: number, headers: Record<string, string> = {}): Answer =>
  () => ({ status, headers, body: bytes(body) })

/** A streamed answer made of these chunks; `end` says how it ends. */
export const stream =
  (chunks: readonly string[], end: 'orderly' | 'cut' | 'open' = 'orderly'): Answer =>
  () => ({
    status: 200,
    headers: {},
    body: chunked(chunks.map(bytes), end),
  })

async function* chunked(chunks: readonly Uint8Array[], end: 'orderly' | 'cut' | 'open'): AsyncGenerator<Uint8Array> {
  yield* chunks
  if (end === 'cut') throw new Error('other side closed')
  if (end === 'open') await new Promise(() => {})
}

export const failure = (code: number, reason: string, more: object = {}): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: `refused: ${reason}`,
  reason,
  code,
  ...more,
})

export const item = (name: string, revision: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', resourceVersion: String(revision) },
})

export const event = (type: string, object: unknown): string => `${JSON.stringify({ type, object })}\n`

export const bookmark = (revision: number, complete = false): string =>
  event('BOOKMARK', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { resourceVersion: String(revision), ...(complete ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}) },
  })
