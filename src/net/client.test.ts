import { afterEach, describe, expect, it } from 'vitest'
import { type HttpRequest, type HttpResponse, silent } from '../ports/index.ts'
import { type HttpTransportOptions, httpTransport } from './client.ts'
import { serve } from './server.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A server that remembers what it was asked, and a client for it. */
async function pair(answer: (request: HttpRequest) => Promise<HttpResponse>, more: Partial<HttpTransportOptions> = {}, path = '') {
  const seen: HttpRequest[] = []
  const serving = await serve({
    handler: request => {
      seen.push(request)
      return answer(request)
    },
    host: '127.0.0.1',
    port: 0,
    log: silent,
    clock: { now: () => 0 },
    times: { drain: 50 },
  })
  const transport = httpTransport({ baseUrl: serving.url + path, ...more })
  open.push(
    () => serving.close(),
    () => transport.close(),
  )
  return { seen, transport, serving }
}
const empty = async (): Promise<HttpResponse> => ({ status: 204, headers: {}, body: new Uint8Array() })
const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({ method: 'GET', url, headers: {}, ...more })

describe('httpTransport()', () => {
  it('keeps the path of its base, and asks for its headers anew each time', async () => {
    let token = 0
    const { seen, transport } = await pair(empty, { headers: async () => ({ authorization: `Bearer ${++token}` }) }, '/clusters/one/')
    await transport(get('/api?x=1'))
    await transport(get('/api', { headers: { authorization: 'mine' } }))
    await transport(get('/api'))
    expect(seen.map(r => r.url)).toEqual(['/clusters/one/api?x=1', '/clusters/one/api', '/clusters/one/api'])
    expect(seen.map(r => r.headers['authorization'])).toEqual(['Bearer 1', 'mine', 'Bearer 3'])
  })

  it('reads answers of known length whole, and hands chunks on as they come', async () => {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a')
    }
    const { transport } = await pair(async ({ url }) => ({
      status: 200,
      headers: { 'x-a': 'b' },
      body: url === '/whole' ? Buffer.from('w') : chunks(),
    }))
    const whole = await transport(get('/whole'))
    expect(whole.body).toBeInstanceOf(Uint8Array)
    expect(whole.headers['x-a']).toBe('b')
    const streamed = await transport(get('/stream'))
    expect(streamed.body).not.toBeInstanceOf(Uint8Array)
    for await (const chunk of streamed.body as AsyncIterable<Uint8Array>) expect(Buffer.from(chunk).toString()).toBe('a')
  })

  it('rejects with the reason of its signal, whether that came before or during the request', async () => {
    const stop = new AbortController()
    const { transport } = await pair(() => {
      stop.abort(new Error('deadline'))
      return new Promise(() => {})
    })
    await expect(transport(get('/', { signal: stop.signal }))).rejects.toThrow('deadline')
    await expect(transport(get('/', { signal: stop.signal }))).rejects.toThrow('deadline')
  })

  it('says whom it could not reach', async () => {
    const { serving, transport } = await pair(empty)
    await serving.close()
    await expect(transport(get('/'))).rejects.toMatchObject({
      code: 'net/unreachable',
      retry: 'backoff',
      message: expect.stringContaining(serving.url),
    })
  })
})
