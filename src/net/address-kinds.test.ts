import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { publicAddresses } from './address-kinds.ts'
import { httpTransport } from './client.ts'

const isPublic = publicAddresses()

describe('publicAddresses()', () => {
  for (const address of ['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '[2a00:1450::1]', '223.255.255.1'])
    it(`knows ${address} as public`, () => expect(isPublic(address)).toBe(true))
  const hidden = [
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '[::1]',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:8.8.8.8',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    '2001:0:1::',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '2001:db8::1',
    'localhost',
    '',
    '1.2.3',
  ]
  for (const address of hidden) it(`S5 takes "${address}" for no public address`, () => expect(isPublic(address)).toBe(false))
})

describe('httpTransport() with admits', () => {
  it('S5 sends no packet to an address that is not admitted, by name or by number', async () => {
    let connections = 0
    const server = createServer((_, response) => response.end('reached'))
    server.on('connection', () => connections++)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '0177.0.0.1', '[::ffff:127.0.0.1]']) {
      const transport = httpTransport({ baseUrl: `http://${host}:${port}`, admits: isPublic })
      await expect(transport({ method: 'GET', url: '/', headers: {} }), host).rejects.toMatchObject({ code: 'net/address-refused' })
      await transport.close()
    }
    expect(connections).toBe(0)
    const open = httpTransport({ baseUrl: `http://localhost:${port}`, admits: () => true })
    expect((await open({ method: 'GET', url: '/', headers: {} })).status).toBe(200)
    await open.close()
    await new Promise(resolve => server.close(resolve))
  })
})
