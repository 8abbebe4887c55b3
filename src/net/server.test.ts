import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ApiError } from '../api/status.ts'
import type { HttpRequest, HttpResponse } from '../ports/index.ts'
import { silent } from '../ports/index.ts'
import { httpTransport } from './client.ts'
import type { Handler } from './exchange.ts'
import { type ServeOptions, type Serving, serve } from './server.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function start(handler: Handler, more: Partial<ServeOptions> = {}): Promise<Serving> {
  const serving = await serve({
    handler,
    host: '127.0.0.1',
    port: 0,
    log: silent,
    clock: { now: () => 0 },
    times: { drain: 2_000 },
    ...more,
  })
  open.push(() => serving.close())
  return serving
}

function client(serving: Serving) {
  const transport = httpTransport({ baseUrl: serving.url })
  open.push(() => transport.close())
  return (method: string, url: string, more: Partial<HttpRequest> = {}) => transport({ method, url, headers: {}, ...more })
}

const text = (body: string, status = 200): HttpResponse => ({ status, headers: { 'content-type': 'text/plain' }, body: Buffer.from(body) })
const read = async ({ body }: HttpResponse): Promise<string> => {
  if (body instanceof Uint8Array) return Buffer.from(body).toString()
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** A raw connection: writes, and collects all that comes until the other side closes. */
async function raw(serving: Serving, ...pieces: string[]): Promise<string> {
  const socket: Socket = connect(serving.port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk))
  socket.on('error', () => {})
  for (const piece of pieces) socket.write(piece)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}
const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

describe('serve()', () => {
  it('hands method, url and body over as they came, whatever the content type', async () => {
    const seen: HttpRequest[] = []
    const ask = client(
      await start(async request => {
        seen.push(request)
        return text('ok')
      }),
    )
    const types = ['application/json', 'application/vnd.kubernetes.protobuf', 'application/apply-patch+yaml', 'x']
    for (const type of types)
      await ask('PATCH', '/a/b%2Fc?q=%20&watch=1', { headers: { 'content-type': type }, body: Buffer.from([0xff, 0]) })
    await ask('DELETE', '/x', { headers: { 'content-type': 'application/json' } })
    await ask('GET', `/${'n'.repeat(253)}/${'m'.repeat(253)}`)
    expect(seen.slice(0, 3).map(r => [r.method, r.url, [...(r.body ?? [])]])).toEqual(
      Array(3).fill(['PATCH', '/a/b%2Fc?q=%20&watch=1', [0xff, 0]]),
    )
    expect(seen.at(-2)?.method).toBe('DELETE')
    expect(seen.at(-2)?.body?.length ?? 0).toBe(0)
    expect(seen.at(-1)?.url).toHaveLength(508)
  })

  it('answers refusals as they are, and unexpected errors without their words', async () => {
    const logged: unknown[] = []
    const log = { ...silent, error: (...line: unknown[]) => logged.push(line) }
    const ask = client(
      await start(
        async request => {
          throw request.url === '/gone' ? new ApiError('Gone', 'it is gone') : new Error('the password is 1234')
        },
        { log },
      ),
    )
    const gone = await ask('GET', '/gone')
    expect([gone.status, JSON.parse(await read(gone))]).toEqual([410, expect.objectContaining({ kind: 'Status', reason: 'Gone' })])
    const failed = await ask('GET', '/')
    expect(failed.status).toBe(500)
    expect(await read(failed)).not.toContain('1234')
    expect(JSON.stringify(logged)).toContain('1234')
  })

  it('S8 refuses a body beyond the limit with 413, announced or not', async () => {
    const serving = await start(async () => text('never'), { bodyLimit: 100 })
    const announced = await client(serving)('POST', '/', { body: new Uint8Array(101), headers: { 'content-type': 'application/json' } })
    expect([announced.status, JSON.parse(await read(announced)).reason]).toEqual([413, 'RequestEntityTooLarge'])
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
    const answer = await raw(serving, head, `80\r\n${'x'.repeat(128)}\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
    expect(bodyOf(answer)).toMatchObject({ kind: 'Status', code: 413 })
  })

  it.each([
    ['what is not HTTP', 'nonsense\r\n\r\n', 400],
    ['headers beyond 64 KB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    ['bad percent-encoding', 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
  ])('answers %s with a Status', async (_what, bytes, code) => {
    const answer = await raw(await start(async () => text('never')), bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${code} `))
    expect(bodyOf(answer)).toMatchObject({ kind: 'Status', status: 'Failure', code })
  })

  it('S8 cuts clients that send their headers or body too slowly', async () => {
    const serving = await start(async () => text('never'), { times: { headers: 100, request: 200, check: 20, drain: 100 } })
    const slowHeaders = await raw(serving, 'GET / HTTP/1.1\r\nHost: x\r\n')
    const slowBody = await raw(serving, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n', '{')
    for (const answer of [slowHeaders, slowBody]) expect(answer).toMatch(/^HTTP\/1.1 408 /)
    expect(bodyOf(slowHeaders)).toMatchObject({ kind: 'Status', code: 408 })
  })

  it('names in the answer to a HEAD the length of what a GET would carry', async () => {
    const serving = await start(async () => ({ status: 200, headers: { 'content-length': '3000000' }, body: new Uint8Array() }))
    const heard = await raw(serving, 'HEAD /os.efi HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(heard.toLowerCase()).toContain('content-length: 3000000\r\n')
  })
  it('passes methods that have no route to the handler as well', async () => {
    const serving = await start(async request => text(request.method, 405))
    expect(await raw(serving, 'PROPFIND /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 405 [\s\S]*PROPFIND$/)
  })

  it('says which port is taken and what to do', async () => {
    const { port } = await start(async () => text(''))
    await expect(start(async () => text(''), { port })).rejects.toMatchObject({
      code: 'net/port-taken',
      hint: expect.stringContaining('--port 0'),
    })
  })
})

/** A body under the test's control. */
function source() {
  const waiting: ((result: IteratorResult<Uint8Array>) => void)[] = []
  let returned = () => {}
  const ended = new Promise<void>(resolve => {
    returned = resolve
  })
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(resolve => waiting.push(resolve)),
      return: async () => {
        returned()
        return { done: true, value: undefined }
      },
    }),
  }
  return { body, ended, say: (line: string) => waiting.shift()?.({ done: false, value: Buffer.from(line) }) }
}

describe('streams', () => {
  const watch = (body: AsyncIterable<Uint8Array>): HttpResponse => ({ status: 200, headers: { 'content-type': 'application/json' }, body })

  it('reach the client line by line, before they end', async () => {
    const events = source()
    const answer = await client(await start(async () => watch(events.body)))('GET', '/?watch=1')
    const lines = (answer.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    for (const line of ['one\n', 'two\n']) {
      events.say(line)
      expect(Buffer.from((await lines.next()).value as Uint8Array).toString()).toBe(line)
    }
    await lines.return?.()
  })

  it('end at the source, and abort the request, when the client goes', async () => {
    const events = source()
    let signal: AbortSignal | undefined
    const ask = client(
      await start(async request => {
        signal = request.signal
        return watch(events.body)
      }),
    )
    const stop = new AbortController()
    const answer = await ask('GET', '/', { signal: stop.signal })
    stop.abort()
    await expect(read(answer)).rejects.toThrow()
    await events.ended
    expect(signal?.aborted).toBe(true)
  })

  it('are held back while the client does not read', async () => {
    let made = 0
    const chunk = new Uint8Array(64 * 1024)
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; made < 10_000; made++) yield chunk
    }
    const serving = await start(async () => watch(endless()), { times: { drain: 50 } })
    const socket = connect(serving.port, '127.0.0.1')
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    // The client never reads: production must come to a halt long before the source's end.
    let before = -1
    for (let turn = 0; turn < 2_000 && before !== made; turn++) {
      before = made
      for (let i = 0; i < 50; i++) await new Promise(resolve => setImmediate(resolve))
      if (made === 0) before = -1
    }
    expect(made).toBeGreaterThan(0)
    expect(made).toBeLessThan(1_000)
    socket.destroy()
  })

  it('break off, rather than end well, when their source fails', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      throw new Error('lost')
    }
    await expect(read(await client(await start(async () => watch(failing())))('GET', '/'))).rejects.toThrow()
  })
})

describe('close()', () => {
  it('ends streams well, lets a request in flight finish, and is over then', async () => {
    const events = source()
    let finish = (_: HttpResponse): void => {}
    let arrived = () => {}
    const inFlight = new Promise<void>(resolve => {
      arrived = resolve
    })
    const serving = await start(async request => {
      if (request.url === '/watch') return { status: 200, headers: {}, body: events.body }
      arrived()
      return new Promise(resolve => {
        finish = resolve
      })
    })
    const ask = client(serving)
    const watching = await ask('GET', '/watch')
    const slow = ask('GET', '/slow')
    await inFlight
    const closed = serving.close()
    expect(await read(watching)).toBe('')
    finish(text('done'))
    expect(await read(await slow)).toBe('done')
    await closed
    await expect(client(serving)('GET', '/')).rejects.toMatchObject({ code: 'net/unreachable' })
  })

  it('cuts at its deadline what does not finish', async () => {
    let arrived = () => {}
    const inFlight = new Promise<void>(resolve => {
      arrived = resolve
    })
    const serving = await start(
      () => {
        arrived()
        return new Promise<HttpResponse>(() => {})
      },
      { times: { drain: 50 } },
    )
    const never = client(serving)('GET', '/')
    await inFlight
    const [, outcome] = await Promise.all([serving.close(), never.catch(error => error.code)])
    expect(outcome).toBe('net/unreachable')
  })
})
