import { hours, type Instant } from '../../core/duration.ts'
import { type Credential, createAuthority, createServerCertificate } from '../../net/certificates.ts'
import type { ServerTls } from '../../net/server.ts'
import { addressOf, perBlock } from './addresses.ts'

export interface RackCertificates {
  /** PEM of the authority that signed them all. */
  readonly authority: string
  /** For the address of the rack itself. */
  readonly own: ServerTls
  of(number: number): ServerTls
  /** What a BMC shows after its certificate changed. */
  readonly other: ServerTls
}

export async function rackCertificates(servers: number, now: Instant): Promise<RackCertificates> {
  const life = { now, lasts: hours(24 * 365) }
  const authority = await createAuthority({ commonName: 'rackwright simulated rack' }, life)
  const named = (names: readonly string[]): Promise<Credential> =>
    createServerCertificate(authority, { commonName: 'simulated BMC' }, names, life)
  const blocks: ServerTls[] = []
  for (let first = 0; first < servers; first += perBlock)
    blocks.push(await named(Array.from({ length: Math.min(perBlock, servers - first) }, (_, n) => addressOf(first + n))))
  const own = await named(['127.0.0.1', 'localhost'])
  return {
    authority: authority.certificate,
    own,
    of: number => blocks[Math.floor(number / perBlock)] ?? own,
    other: await createServerCertificate(
      await createAuthority({ commonName: 'somebody else' }, life),
      { commonName: 'new BMC' },
      ['127.0.0.1'],
      life,
    ),
  }
}
