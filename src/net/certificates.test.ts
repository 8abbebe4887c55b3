import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { silent } from '../ports/index.ts'
import { certificateNames } from './certificate-names.ts'
import { type Credential, createAuthority, createClientCertificate, createServerCertificate } from './certificates.ts'
import { type ClientTls, httpTransport } from './client.ts'
import type { Peer } from './peer.ts'
import { serve } from './server.ts'

const day = 86_400_000
const life = { now: Date.now(), lasts: 30 * day }
const authority = await createAuthority({ commonName: 'test-authority' }, { now: Date.now(), lasts: 365 * day })
const names = ['localhost', '127.0.0.1', '::1', 'kubernetes.default.svc']
const server = await createServerCertificate(authority, { commonName: 'kubernetes' }, names, life)
const tricky = { commonName: 'eve, O=system:masters\nO=system:masters', organizations: ['a,b', 'group two'] }

const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

describe('certificates', () => {
  const noOpenssl = spawnSync('openssl', ['version']).status !== 0
  it.skipIf(noOpenssl)('satisfy openssl in its strictest mode, each for its purpose only', async () => {
    const client = await createClientCertificate(authority, tricky, life)
    const check = (credential: Credential, purpose: string) =>
      spawnSync('openssl', [
        'verify',
        '-x509_strict',
        '-CAfile',
        file('ca.pem', authority.certificate),
        '-purpose',
        purpose,
        file('leaf.pem', credential.certificate),
      ]).status
    expect(check(server, 'sslserver')).toBe(0)
    expect(check(client, 'sslclient')).toBe(0)
    expect(check(server, 'sslclient')).not.toBe(0)
    expect(check(client, 'sslserver')).not.toBe(0)
    expect(
      execFileSync('openssl', ['x509', '-noout', '-checkhost', 'localhost', '-in', file('s.pem', server.certificate)]).toString(),
    ).toContain('does match')
  })

  it('carry host names and addresses, and never outlive their authority', async () => {
    const parsed = new X509Certificate(server.certificate)
    expect(names.filter(name => parsed.checkHost(name) ?? parsed.checkIP(name))).toEqual(names)
    const long = new X509Certificate(
      (await createServerCertificate(authority, { commonName: 'x' }, [], { ...life, lasts: 9_999 * day })).certificate,
    )
    expect(long.validTo).toBe(new X509Certificate(authority.certificate).validTo)
  })

  it('keep commas and line breaks of a name inside that name', async () => {
    const { certificate } = await createClientCertificate(authority, tricky, life)
    expect(certificateNames(new X509Certificate(certificate).raw)).toEqual(tricky)
  })
})

describe('TLS', () => {
  async function ask(tls: ClientTls): Promise<Peer | undefined> {
    let seen: Peer | undefined
    const serving = await serve({
      handler: async (_request, peer) => {
        seen = peer
        return { status: 200, headers: {}, body: new Uint8Array() }
      },
      host: '127.0.0.1',
      port: 0,
      log: silent,
      clock: { now: () => 0 },
      tls: { ...server, clientAuthority: authority.certificate },
    })
    const transport = httpTransport({ baseUrl: serving.url, tls })
    try {
      await transport({ method: 'GET', url: '/', headers: {} })
      return seen
    } finally {
      await transport.close()
      await serving.close()
    }
  }
  const trusting = { authority: authority.certificate }

  it('hands over who a client certificate of our authority speaks for', async () => {
    const credential = await createClientCertificate(authority, tricky, life)
    expect((await ask({ ...trusting, ...credential }))?.certificate).toMatchObject(tricky)
  })

  it('hands over nothing for no certificate, a stranger’s, a server’s and an expired one', async () => {
    const stranger = await createAuthority({ commonName: 'test-authority' }, life)
    const others = [
      {},
      await createClientCertificate(stranger, { commonName: 'admin', organizations: ['system:masters'] }, life),
      server,
      await createClientCertificate(authority, { commonName: 'old' }, { now: Date.now() - 3 * day, lasts: day }),
    ]
    for (const credential of others) expect(await ask({ ...trusting, ...credential })).not.toHaveProperty('certificate')
  })

  it('refuses a server that our authority did not sign, and says what to do', async () => {
    const stranger = await createAuthority({ commonName: 'other' }, life)
    await expect(ask({ authority: stranger.certificate })).rejects.toMatchObject({ code: 'net/untrusted', hint: expect.any(String) })
  })

  it('accepts exactly the pinned certificate', async () => {
    const fingerprint = createHash('sha256').update(new X509Certificate(server.certificate).raw).digest('hex')
    expect(await ask({ fingerprint: fingerprint.toUpperCase().replace(/..(?!$)/g, '$&:') })).toBeDefined()
    await expect(ask({ fingerprint: fingerprint.replace(/./g, '0') })).rejects.toMatchObject({ code: 'net/not-pinned' })
  })

  it('shows the renewed certificate to those who connect afterwards', async () => {
    const serving = await serve({
      handler: async () => ({ status: 200, headers: {}, body: new Uint8Array() }),
      host: '127.0.0.1',
      port: 0,
      log: silent,
      clock: { now: () => 0 },
      tls: server,
    })
    const other = await createAuthority({ commonName: 'other' }, life)
    serving.renew(await createServerCertificate(other, { commonName: 'x' }, ['127.0.0.1'], life))
    const transport = httpTransport({ baseUrl: serving.url, tls: { authority: other.certificate } })
    expect((await transport({ method: 'GET', url: '/', headers: {} })).status).toBe(200)
    await transport.close()
    await serving.close()
  })
})
