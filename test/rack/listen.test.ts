import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpTransport } from '../../src/net/client.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { type HttpResponse, silent } from '../../src/ports/index.ts'
import { openRack, type Rack } from '../../src/sim/rack.ts'
import { type Listening, listen } from '../../src/sim/redfish/listen.ts'

const authorization = `Basic ${Buffer.from('admin:rackwright').toString('base64')}`
const text = (answer: HttpResponse): string => Buffer.from(answer.body as Uint8Array).toString('utf8')

async function whole(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
}

/** One call on a connection of its own. */
async function ask(url: string, authority: string, path: string, headers: Record<string, string> = { authorization }, body?: unknown) {
  const transport = httpTransport({ baseUrl: url, tls: { authority } })
  try {
    const sent = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }
    const answer = await transport({ method: body === undefined ? 'GET' : 'POST', url: path, headers, ...sent })
    return { ...answer, body: answer.body instanceof Uint8Array ? answer.body : await whole(answer.body) }
  } finally {
    await transport.close()
  }
}

describe.each(['address', 'port'] as const)('a rack over HTTPS, told apart by %s', by => {
  let rack: Rack
  let listening: Listening
  beforeAll(async () => {
    rack = openRack({
      clock: wallClock,
      ids: randomIds,
      servers: Array.from({ length: 300 }, (_, n) => ({ name: `s${n}` })).slice(0, by === 'port' ? 3 : 300),
    })
    listening = await listen(rack, { clock: wallClock, log: silent, port: 0, adminToken: 'secret', by })
  })
  afterAll(() => listening.close())

  it('answers each BMC at its own place, with a certificate for that place', async () => {
    for (const server of rack.servers.filter((_, n) => n % 149 === 1)) {
      const answer = await ask(listening.url(server), listening.authority, '/redfish/v1/Systems/1')
      expect(JSON.parse(text(answer)).SerialNumber).toBe(`SIM${server.slice(1).padStart(7, '0')}`)
    }
  })

  it('breaks connections as it is told to, and only those', async () => {
    rack.fault('s1', 'reset-mid-body', { times: 1 })
    rack.fault('s1', 'chunk-error', { times: 1 })
    await expect(ask(listening.url('s1'), listening.authority, '/redfish/v1')).rejects.toMatchObject({ code: expect.anything() })
    await expect(ask(listening.url('s1'), listening.authority, '/redfish/v1')).rejects.toThrow()
    expect((await ask(listening.url('s1'), listening.authority, '/redfish/v1')).status).toBe(200)
  })

  it('shows another certificate, or speaks an old TLS, at one BMC and not at the next', async () => {
    rack.fault('s1', 'certificate-changed')
    await expect(ask(listening.url('s1'), listening.authority, '/redfish/v1')).rejects.toMatchObject({ code: 'net/untrusted' })
    expect((await ask(listening.url('s2'), listening.authority, '/redfish/v1')).status).toBe(200)
    rack.heal('s1')
    rack.fault('s1', 'tls-1.1-only')
    await expect(ask(listening.url('s1'), listening.authority, '/redfish/v1')).rejects.toMatchObject({ code: 'net/unreachable' })
    rack.heal('s1')
    expect((await ask(listening.url('s1'), listening.authority, '/redfish/v1')).status).toBe(200)
  })

  it('switches faults for whoever has the token', async () => {
    const order = { server: 's2', fault: 'server-error', times: 1 }
    const headers = { 'content-type': 'application/json' }
    expect((await ask(listening.admin, listening.authority, '/sim/faults', headers, order)).status).toBe(401)
    const allowed = { ...headers, authorization: 'Bearer secret' }
    const wrong = await ask(listening.admin, listening.authority, '/sim/faults', allowed, { ...order, fault: 'nonsense' })
    expect([wrong.status, text(wrong)]).toEqual([400, expect.stringContaining('no-answer')])
    expect((await ask(listening.admin, listening.authority, '/sim/faults', allowed, { ...order, server: 'nobody' })).status).toBe(404)
    expect((await ask(listening.admin, listening.authority, '/sim/faults', allowed, order)).status).toBe(200)
    expect((await ask(listening.url('s2'), listening.authority, '/redfish/v1')).status).toBe(500)
    expect((await ask(listening.url('s2'), listening.authority, '/redfish/v1')).status).toBe(200)
    const servers = JSON.parse(text(await ask(listening.admin, listening.authority, '/sim/servers', allowed))).servers
    expect(servers[2]).toMatchObject({ name: 's2', make: 'generic', power: 'Off', faults: [] })
  })
})

const elsewhere = Object.values(networkInterfaces())
  .flat()
  .find(one => one?.family === 'IPv4' && !one.internal)?.address

it.skipIf(elsewhere === undefined)('a rack hears nobody outside this machine, although it listens on every address', async () => {
  const rack = openRack({ clock: wallClock, ids: randomIds, servers: [{ name: 's1' }] })
  const listening = await listen(rack, { clock: wallClock, log: silent, port: 0, adminToken: 'secret', by: 'address' })
  const { port } = new URL(listening.admin)
  await expect(ask(`https://${elsewhere}:${port}`, listening.authority, '/redfish/v1')).rejects.toMatchObject({ code: 'net/unreachable' })
  expect((await ask(listening.url('s1'), listening.authority, '/redfish/v1')).status).toBe(200)
  await listening.close()
})
