import { expect, it } from 'vitest'
import { silent } from '../ports/index.ts'
import { httpTransport } from './client.ts'
import { serve } from './server.ts'
import { wallClock } from './wall-clock.ts'

it.each([1, 2, 100])('a stream of %i chunks that ends in the turn it began arrives whole', async count => {
  async function* body(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < count; i++) yield Buffer.from(`line ${i}\n`)
  }
  const serving = await serve({
    handler: async () => ({ status: 200, headers: {}, body: body() }),
    host: '127.0.0.1',
    port: 0,
    log: silent,
    clock: wallClock,
  })
  const transport = httpTransport({ baseUrl: serving.url })
  const response = await transport({ method: 'GET', url: '/', headers: {} })
  let text = ''
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) text += Buffer.from(chunk).toString()
  expect(text.split('\n')).toHaveLength(count + 1)
  await transport.close()
  await serving.close()
})
