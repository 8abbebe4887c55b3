import { BlockList, isIP } from 'node:net'

/** What is no place of the public Internet (IANA's registries of special addresses), with the lengths of the prefixes. */
const special = {
  ipv4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  ipv6: [
    '::/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
    'fc00::/7',
    'fe80::/10',
    'fec0::/10',
    'ff00::/8',
  ],
} as const

/**
 * Says whether an address is one of the public Internet. Addresses that carry another one inside them (mapped, translated, 6to4,
 * Teredo) are not: whoever uses them wants to hide it.
 */
export function publicAddresses(): (address: string) => boolean {
  const list = new BlockList()
  for (const family of ['ipv4', 'ipv6'] as const)
    for (const subnet of special[family]) {
      const [network = '', prefix = ''] = subnet.split('/')
      list.addSubnet(network, Number(prefix), family)
    }
  return address => {
    const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
    const version = isIP(plain)
    if (version === 0) return false
    if (version === 6 && /^::ffff:/i.test(plain)) return false
    return !list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}
