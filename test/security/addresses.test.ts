import { describe, expect, it } from 'vitest'
import { publicAddresses } from '../../src/net/address-kinds.ts'
import { httpTransport } from '../../src/net/client.ts'

/** Places that are nobody's business: this machine, its neighbours, the metadata service of clouds. */
const hidden = ['127.0.0.1', '10.0.0.1', '172.16.5.4', '192.168.0.10', '169.254.169.254', '100.64.0.1', '0.0.0.0', '198.18.0.1']
const hidden6 = ['::1', '::', 'fe80::1', 'fc00::1', 'fd00:ec2::254', '2001:db8::1', 'ff02::1', 'fec0::1', '100::1']

const numbers = (address: string): readonly [number, number, number, number] =>
  address.split('.').map(Number) as unknown as readonly [number, number, number, number]
const hex = (n: number, width = 2): string => n.toString(16).padStart(width, '0')

/** One IPv4 address in every way that some program reads as one. */
function spellings(address: string): readonly string[] {
  const [a, b, c, d] = numbers(address)
  const whole = ((a << 24) >>> 0) + (b << 16) + (c << 8) + d
  const low = `${hex((a << 8) + b, 4)}:${hex((c << 8) + d, 4)}`
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole, 8)}`,
    `0${whole.toString(8)}`,
    [a, b, c, d].map(n => `0${n.toString(8)}`).join('.'),
    [a, b, c, d].map(n => `0x${hex(n)}`).join('.'),
    `${a}.${b}.${(c << 8) + d}`,
    `${a}.${(b << 16) + (c << 8) + d}`,
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    `[::ffff:${address}]`,
    `[::ffff:${low}]`,
    `[::FFFF:${address}]`,
    `[::${address}]`,
    `[64:ff9b::${low}]`,
    `[64:ff9b:1::${low}]`,
    `[2002:${low}::]`,
    `[2002:${low}::1]`,
    `[0:0:0:0:0:ffff:${low}]`,
    `[2001:0:${low}::1]`,
    `user:pass@${address}`,
    `8.8.8.8@${address}`,
    address.replaceAll('.', '。'),
  ]
}
const vectors = [
  ...hidden.flatMap(spellings),
  ...hidden6.flatMap(address => [`[${address}]`, `user@[${address}]`]),
  'localhost',
  'LOCALHOST',
]

describe('places that nobody listed', () => {
  it('S5 more than 200 ways to write them are tried', () => expect(new Set(vectors).size).toBeGreaterThan(200))
  for (const scheme of ['http', 'https'])
    it(`S5 are not spoken to over ${scheme}, however they are written`, async () => {
      let tried = 0
      for (const host of new Set(vectors)) {
        const url = `${scheme}://${host}:9/x`
        // What is no address at all cannot be spoken to either.
        if (!URL.canParse(url)) continue
        const transport = httpTransport({ baseUrl: url, admits: publicAddresses() })
        // A connection that was begun would be refused by this machine's port 9, and say that instead.
        await expect(transport({ method: 'GET', url: '/', headers: {} }), host).rejects.toMatchObject({ code: 'net/address-refused' })
        await transport.close()
        tried++
      }
      expect(tried).toBeGreaterThan(200)
    })
})
