import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { discCheck } from '../../src/cli/compose/disc-check.ts'
import { wallClock } from '../../src/net/wall-clock.ts'

let server: Server
let asked = 0
beforeAll(async () => {
  server = createServer((request, response) => {
    asked++
    if (request.url === '/whole') return void response.end(Buffer.alloc(40_000))
    if (request.url === '/short') return void response.writeHead(416).end()
    response.writeHead(206).end(request.url === '/disc.iso' ? Buffer.from('\u0001CD001', 'latin1') : Buffer.from('<html>'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())

it('asks nobody on this computer, whoever names the address', async () => {
  const { port } = server.address() as { port: number }
  const check = discCheck(wallClock)
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::ffff:127.0.0.1]:${port}`])
    expect(await check.of(`http://${host}/a.iso`, AbortSignal.timeout(5_000))).toBe('unknown')
  expect(asked).toBe(0)
})

it.each([
  ['/disc.iso', 'iso'],
  ['/page', 'other'],
  ['/short', 'other'],
  // A server that knows no ranges: it is not read whole for this.
  ['/whole', 'unknown'],
])('T-81 what lies at %s is taken for: %s', async (path, is) => {
  const { port } = server.address() as { port: number }
  const check = discCheck(wallClock, () => true)
  expect(await check.of(`http://127.0.0.1:${port}${path}`, AbortSignal.timeout(5_000))).toBe(is)
})
