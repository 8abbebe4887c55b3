import { createHash, X509Certificate } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type Credential, createAuthority, createServerCertificate } from '../../src/net/certificates.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { type BmcAccess, silent } from '../../src/ports/index.ts'
import { openBmc } from '../../src/redfish/index.ts'
import { fakeBmc } from './fake.ts'
import { faultOf } from './open.ts'
import { anyAccess } from './recorded.ts'

const life = { now: Date.now() - 60_000, lasts: 3_600_000 }
const open: Server[] = []
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    await new Promise(done => server.close(done))
  }
})

const fingerprint = ({ certificate }: Credential): string => createHash('sha256').update(new X509Certificate(certificate).raw).digest('hex')

/** The fake BMC behind a real certificate. */
async function served(certificate: Credential, options: { readonly flood?: number; readonly versions?: 'old' } = {}): Promise<string> {
  const fake = fakeBmc()
  const old = options.versions === 'old' ? ({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const) : {}
  const server = createServer({ cert: certificate.certificate, key: certificate.key, ...old }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (options.flood && request.url?.endsWith('/Systems')) {
        response.writeHead(200, { 'content-length': options.flood })
        const more = (): void => {
          while (response.write(Buffer.alloc(65_536, 0x20))) if (response.destroyed) return
        }
        response.on('drain', more).on('error', () => {})
        more()
        return
      }
      const body = Buffer.concat(chunks)
      void fake
        .transport({
          method: request.method!,
          url: request.url!,
          headers: request.headers as Record<string, string>,
          ...(body.length > 0 ? { body } : {}),
        })
        .then(answer => {
          response.writeHead(answer.status, answer.headers)
          response.end(answer.body)
        })
    })
  })
  open.push(server)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const state = async (access: Partial<BmcAccess>): Promise<string> => {
  const bmc = await openBmc(anyAccess(access), { clock: wallClock, log: silent })
  try {
    return await bmc.power.state()
  } finally {
    await bmc.close()
  }
}

describe('S13 trust in a BMC', () => {
  it('X-036 by its authority refuses another authority, another name and no authority at all', async () => {
    const ours = await createAuthority({ commonName: 'ours' }, life)
    const theirs = await createAuthority({ commonName: 'theirs' }, life)
    const address = await served(await createServerCertificate(ours, { commonName: 'bmc' }, ['127.0.0.1'], life))
    expect(await state({ address, tls: { ca: ours.certificate } })).toBe('Off')
    expect(await faultOf(state({ address, tls: { ca: theirs.certificate } }))).toMatchObject({
      code: 'bmc/untrusted',
      retry: 'when-changed',
    })
    expect(await faultOf(state({ address, tls: { trust: 'System' } }))).toMatchObject({ code: 'bmc/untrusted' })
    const named = await served(await createServerCertificate(ours, { commonName: 'bmc' }, ['other.test'], life))
    expect(await faultOf(state({ address: named, tls: { ca: ours.certificate } }))).toMatchObject({ code: 'bmc/untrusted' })
    const expired = await served(
      await createServerCertificate(ours, { commonName: 'bmc' }, ['127.0.0.1'], { now: Date.now() - 7_200_000, lasts: 3_600_000 }),
    )
    expect(await faultOf(state({ address: expired, tls: { ca: ours.certificate } }))).toMatchObject({ code: 'bmc/untrusted' })
  })

  it('X-036 by fingerprint refuses a changed certificate', async () => {
    const authority = await createAuthority({ commonName: 'self' }, life)
    const certificate = await createServerCertificate(authority, { commonName: 'bmc' }, ['bmc.test'], life)
    const another = await createServerCertificate(authority, { commonName: 'bmc' }, ['bmc.test'], life)
    const address = await served(certificate)
    expect(await state({ address, tls: { fingerprint: fingerprint(certificate) } })).toBe('Off')
    expect(await faultOf(state({ address, tls: { fingerprint: fingerprint(another) } }))).toMatchObject({
      code: 'bmc/untrusted',
      retry: 'when-changed',
    })
  })

  it('X-036 on first use asks, with the fingerprint, for every new connection', async () => {
    const authority = await createAuthority({ commonName: 'self' }, life)
    const certificate = await createServerCertificate(authority, { commonName: 'bmc' }, ['bmc.test'], life)
    const address = await served(certificate)
    let kept: string | undefined
    const seen = async (found: string): Promise<boolean> => {
      kept ??= found
      return kept === found
    }
    expect(await state({ address, tls: { trust: 'OnFirstUse', seen } })).toBe('Off')
    expect(kept).toBe(fingerprint(certificate))
    const changed = await served(await createServerCertificate(authority, { commonName: 'bmc' }, ['bmc.test'], life))
    expect(await faultOf(state({ address: changed, tls: { trust: 'OnFirstUse', seen } }))).toMatchObject({
      code: 'bmc/untrusted',
      retry: 'when-changed',
    })
    const failing = async (): Promise<boolean> => {
      throw new Error('the store is away')
    }
    expect(await faultOf(state({ address, tls: { trust: 'OnFirstUse', seen: failing } }))).toMatchObject({
      code: 'bmc/untrusted',
      retry: 'backoff',
    })
  })

  it('is not given to TLS 1.1', async () => {
    const authority = await createAuthority({ commonName: 'self' }, life)
    const certificate = await createServerCertificate(authority, { commonName: 'bmc' }, ['127.0.0.1'], life)
    const address = await served(certificate, { versions: 'old' })
    expect(await faultOf(state({ address, tls: { fingerprint: fingerprint(certificate) } }))).toMatchObject({
      code: expect.stringMatching(/^bmc\/(untrusted|unreachable)$/),
    })
  })
})

it('a body of 100 MB over a real connection costs a few, whatever length it announces', async () => {
  const authority = await createAuthority({ commonName: 'self' }, life)
  const certificate = await createServerCertificate(authority, { commonName: 'bmc' }, ['127.0.0.1'], life)
  const address = await served(certificate, { flood: 100 * 1024 * 1024 })
  const before = process.memoryUsage().rss
  expect(await faultOf(state({ address, tls: { ca: authority.certificate } }))).toMatchObject({ code: 'bmc/too-large' })
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
})
