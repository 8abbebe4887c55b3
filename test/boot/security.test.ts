import { connect } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { withoutTicket } from '../../src/boot/ticket.ts'
import { serve } from '../../src/net/server.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import type { Log } from '../../src/ports/index.ts'
import { type BootWorld, baseUrl, bootWorld, type Circumstances, content, digestOf, home, secretText, stranger, uuid } from './world.ts'

const worlds: BootWorld[] = []
const given = async (circumstances?: Circumstances): Promise<BootWorld> => {
  const world = await bootWorld(circumstances)
  worlds.push(world)
  return world
}
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.end()
})
const install = [content.uki, content.kernel, content.initramfs, content.squashfs, content.iso]
/** Whether an answer gives away anything that needs a ticket. */
const gives = (text: string): boolean => text.includes(secretText) || install.some(bytes => text.includes(bytes.toString('utf8', 0, 8)))

describe('S7 no address of the boot server leads anywhere but to what is open', () => {
  const places = [
    '/../../etc/passwd',
    '/boot/../../../etc/passwd',
    '/boot/%2e%2e/%2e%2e/etc/passwd',
    '/boot/%252e%252e/x',
    '/artifacts/sha256-../../../etc/passwd/os.efi',
    '/artifacts/..%2f..%2fetc/passwd',
    '/artifacts/sha256-%00/os.efi',
    '/boot//os.efi',
    '//boot/x/os.efi',
    'http://evil.example/boot/x/os.efi',
    '*',
    '',
    '/ipxe/..',
    '/ipxe/%00',
    `/ipxe/${'a'.repeat(5_000)}`,
    '/ignition/../secrets',
    '/ignition/ü',
    `/${'a/'.repeat(5_000)}`,
    '/register/../bootstate',
    '/httpboot/../httpboot.efi',
    '\\boot\\x',
  ]
  for (const path of places)
    it(`not ${JSON.stringify(path.slice(0, 60))}`, async () => {
      const world = await given()
      for (const from of [home, stranger]) {
        const answer = await world.ask(path, { from })
        expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
        expect(gives(answer.text)).toBe(false)
      }
    })
  it('nor anything that chance writes', async () => {
    const world = await given()
    const piece = fc.oneof(
      fc.constantFrom(
        'boot',
        'artifacts',
        'ipxe',
        'ignition',
        'httpboot.efi',
        'register',
        'bootstate',
        '..',
        '.',
        '%2e%2e',
        'os.efi',
        'kernel',
        uuid,
        `sha256-${'a'.repeat(64)}`,
      ),
      fc.string({ maxLength: 30 }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 6 }),
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'TRACE'),
        async (pieces, method) => {
          const answer = await world.ask(`/${pieces.join('/')}`, { from: stranger, method })
          expect(gives(answer.text)).toBe(false)
          expect([200, 400, 403, 404, 405, 413]).toContain(answer.status)
        },
      ),
      { numRuns: 300 },
    )
  })
  it('nor a method that is not for reading', async () => {
    const world = await given()
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT'])
      for (const name of ['os.efi', 'ignition']) expect((await world.ask(`${world.ticket()}/${name}`, { method })).status).toBe(405)
  })
  it('and a range beyond the file, or a hundred of them, gives no more than the file', async () => {
    const world = await given()
    for (const range of [
      'bytes=0-999999999999',
      'bytes=-999999999999',
      `bytes=${'0-,'.repeat(1_000)}0-`,
      'bytes=9-1',
      'lines=1-2',
      'bytes=1-1\r\nx: y',
    ]) {
      const answer = await world.ask(`${world.ticket()}/kernel`, { headers: { range } })
      expect(answer.bytes.length).toBeLessThanOrEqual(content.kernel.length)
      expect(answer.status).toBeLessThan(500)
    }
  })
})

describe('S9 a ticket', () => {
  it('cannot be forged, stretched or joined from two', async () => {
    const world = await given()
    const [good = '', signature = ''] = world.ticket().replace('/boot/', '').split('.')
    const changed = (at: number, to: number): string => {
      const bytes = Buffer.from(good, 'base64url')
      bytes[at] = to
      return bytes.toString('base64url')
    }
    const forged = [
      `${changed(9, 2)}.${signature}`,
      `${changed(10, 255)}.${signature}`,
      `${changed(1, 0)}x.${signature}`,
      `${good}AA.${signature}`,
      `${good}.${'A'.repeat(22)}`,
      `${good}.`,
      `.${signature}`,
      good,
      `${good}.${signature}.${signature}`,
    ]
    for (const ticket of forged) {
      const answer = await world.ask(`/boot/${ticket}/os.efi`)
      expect([403, 404], ticket).toContain(answer.status)
    }
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(200)
  })
  it('of one server opens nothing of another', async () => {
    const world = await given()
    const other = await given()
    expect((await world.ask(`${other.ticket()}/os.efi`)).status).toBe(403)
  })
  it('that was given without user data never gets any, also by another address of the server', async () => {
    const world = await given({ method: 'Pxe', addresses: [] })
    const { printTicket, readTicket } = await import('../../src/boot/ticket.ts')
    const { key } = await import('./world.ts')
    const checked = readTicket(world.ticket().replace('/boot/', ''), key)
    expect(checked.good).toBe(true)
    if (!checked.good) return
    const limited = printTicket({ ...checked.ticket, withoutUserData: true }, key)
    for (const from of [home, stranger]) expect((await world.ask(`/boot/${limited}/ignition`, { from })).status).toBe(403)
    expect((await world.ask(`/boot/${limited}/kernel`)).status).toBe(200)
  })
  it('replayed after the end of its attempt, or by a later one, opens nothing', async () => {
    const world = await given()
    await world.note({ attempt: 2 })
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(403)
    await world.note({ attempt: 3, step: 'Ended' })
    for (const attempt of [1, 2, 3]) expect((await world.ask(`${world.ticket({ attempt })}/ignition`)).status).toBe(403)
  })
})

describe('X-015 BP-003 a machine that nobody told to boot', () => {
  it('is not let in by a header that says where it comes from', async () => {
    const world = await given()
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'client-ip'])
      expect((await world.ask('/httpboot.efi', { from: stranger, headers: { [name]: home } })).status, name).toBe(403)
  })
  it('is not let in by the address of another server that boots', async () => {
    const world = await given({ method: 'Pxe' })
    expect((await world.ask('/ipxe/11111111-2222-3333-4444-555555555555', { from: home })).text).toContain('It stops here.')
  })
  it('is never told whether a server exists', async () => {
    const world = await given()
    await world.note({ step: 'Ended' })
    const one = await world.ask(`/ignition/${uuid}`, { from: stranger })
    const none = await world.ask('/ignition/11111111-2222-3333-4444-555555555555', { from: stranger })
    expect([one.status, one.text]).toEqual([none.status, none.text])
  })
})

describe('S17 CVE-2026-46447 a boot script', () => {
  it('holds nothing that a user wrote but what the grammar lets through', async () => {
    const world = await given({ method: 'Pxe', userData: false, kernelArguments: [{ name: 'console', value: 'ttyS1' }] })
    const { text } = await world.ask(`/ipxe/${uuid}`)
    expect(text).toMatch(/^#!ipxe\nkernel \S+ [^\n$]+\ninitrd --name initramfs \S+\nboot\n$/)
    expect(text).toContain(' console=ttyS1')
  })
})

describe('I30 S10 S11 over a socket', () => {
  it('neither logs nor answers nor events nor metrics hold a ticket or user data, and odd requests are refused', async () => {
    const lines: string[] = []
    const note = (what: string, about?: unknown): void => void lines.push(JSON.stringify([what, about]))
    const log: Log = { debug: note, info: note, warn: note, error: note }
    const world = await given({ log })
    const serving = await serve({
      host: '127.0.0.1',
      port: 0,
      clock: wallClock,
      log,
      logged: withoutTicket,
      handler: request => world.boot.handler(request, { address: home }),
    })
    const raw = (text: string): Promise<string> =>
      new Promise(resolve => {
        const socket = connect(serving.port, '127.0.0.1', () => socket.end(text))
        let heard = ''
        socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')))
        socket.on('error', () => resolve(heard))
        socket.on('close', () => resolve(heard))
      })
    const ask = (path: string): Promise<string> => raw(`GET ${path} HTTP/1.1\r\nHost: boot.example\r\nConnection: close\r\n\r\n`)
    expect(await ask(`${world.ticket()}/kernel`)).toContain('a kernel')
    expect(await ask(`${world.ticket()}/ignition`)).toContain(secretText)
    await world.note({ step: 'Ended' })
    const refusedAnswer = await ask(`${world.ticket()}/ignition`)
    expect(refusedAnswer).toMatch(/^HTTP\/1\.1 403 /)
    const odd = [
      'GET http://evil.example/boot/x/os.efi HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET /ipxe HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /',
      `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ]
    for (const text of odd) expect(await raw(text)).not.toMatch(/^HTTP\/1\.1 200/)
    await serving.close()
    const [, ticket = ''] = world.ticket().split('/boot/')
    const seen = [...lines, refusedAnswer, world.boot.metrics(), ...(await world.said()), JSON.stringify(await world.configuration())].join(
      '\n',
    )
    expect(lines.some(line => line.includes('<ticket>'))).toBe(true)
    for (const secret of [ticket, ticket.split('.')[1]!, secretText]) expect(seen).not.toContain(secret)
    expect(seen).not.toContain(baseUrl + world.ticket())
  })
})

describe('I13 S16 a cache', () => {
  it('never serves bytes under a digest that they do not have', async () => {
    const world = await given()
    const { memoryBlobs } = await import('../../src/boot/blobs/memory.ts')
    const { verified } = await import('../../src/oci/verify.ts')
    const blobs = memoryBlobs(verified)
    async function* spoiled(): AsyncGenerator<Uint8Array> {
      yield Buffer.concat([content.uki.subarray(0, -1), Buffer.from('!')])
    }
    await expect(blobs.put(digestOf(content.uki), content.uki.length, spoiled())).rejects.toMatchObject({ code: 'image/digest-differs' })
    await world.boot.stop()
    world.boot = await world.another({ blobs })
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(503)
  })
})
