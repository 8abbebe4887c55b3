import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { certificateNames } from '../../net/certificate-names.ts'
import { silent } from '../../ports/index.ts'
import { openPki, writeKubeconfig } from './pki.ts'

const day = 86_400_000
const start = 1_800_000_000_000
let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pki-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))
const folder = () => join(home, 'data', 'pki')
const at = (days: number, names: readonly string[] = []) => openPki({ home, clock: { now: () => start + days * day }, log: silent, names })
const file = (name: string) => join(folder(), name)

describe('openPki()', () => {
  it('S12 makes an authority, a server certificate, an administrator and a token key, for this user’s eyes only', async () => {
    const pki = await at(0)
    expect(readdirSync(folder()).sort()).toEqual(['admin.crt', 'admin.key', 'ca.crt', 'ca.key', 'sa.key', 'server.crt', 'server.key'])
    for (const name of readdirSync(folder())) expect(statSync(file(name)).mode & 0o777, name).toBe(0o600)
    expect(statSync(folder()).mode & 0o777).toBe(0o700)
    const server = new X509Certificate(pki.server.certificate)
    for (const host of ['localhost', 'kubernetes.default.svc']) expect(server.checkHost(host), host).toBeDefined()
    for (const address of ['127.0.0.1', '::1']) expect(server.checkIP(address), address).toBeDefined()
    expect(certificateNames(new X509Certificate(pki.admin.certificate).raw)).toEqual({
      commonName: 'rackwright-admin',
      organizations: ['system:masters'],
    })
  })

  it('changes nothing while everything is good', async () => {
    const first = await at(0)
    expect(await at(200)).toEqual(first)
  })

  it('renews leaves before they expire, under the same authority and token key', async () => {
    const first = await at(0)
    const later = await at(300)
    expect(later.authority).toBe(first.authority)
    expect(later.tokenKey).toBe(first.tokenKey)
    expect(later.server).not.toEqual(first.server)
    expect(later.admin).not.toEqual(first.admin)
    expect(new X509Certificate(later.server.certificate).validToDate.getTime()).toBeGreaterThan(start + 600 * day)
  })

  it('makes a new server certificate when it must answer to another name', async () => {
    const first = await at(0)
    const named = await at(1, ['rack.example.org', '192.0.2.7'])
    expect(named.admin).toEqual(first.admin)
    expect(new X509Certificate(named.server.certificate).checkIP('192.0.2.7')).toBeDefined()
    expect((await at(2, ['rack.example.org'])).server).toEqual(named.server)
  })

  it('makes leaves anew where their files are damaged, missing or of another authority', async () => {
    const first = await at(0)
    writeFileSync(file('server.crt'), 'nonsense')
    rmSync(file('admin.key'))
    const second = await at(1)
    expect(second.authority).toBe(first.authority)
    expect(new X509Certificate(second.server.certificate).verify(new X509Certificate(first.authority).publicKey)).toBe(true)
  })

  it('refuses an expired authority and says what to do', async () => {
    await at(0)
    await expect(at(3_651)).rejects.toMatchObject({ code: 'pki/authority-expired', hint: expect.stringContaining('Move') })
  })

  it('refuses a damaged authority or token key rather than lock everybody out', async () => {
    for (const break_ of [
      () => writeFileSync(file('ca.crt'), 'nonsense'),
      () => writeFileSync(file('ca.key'), readFileSync(file('server.key'))),
      () => rmSync(file('ca.key')),
      () => rmSync(file('ca.crt')),
      () => writeFileSync(file('sa.key'), ''),
    ]) {
      rmSync(home, { recursive: true })
      await at(0)
      break_()
      await expect(at(1)).rejects.toMatchObject({ code: 'pki/damaged', hint: expect.stringContaining('backup') })
    }
  })

  it('starts over where the very first start was cut short', async () => {
    mkdirSync(folder(), { recursive: true })
    writeFileSync(file('ca.key'), 'half')
    await expect(at(0)).resolves.toBeDefined()
  })

  it('says what to do where the folder cannot be made', async () => {
    writeFileSync(join(home, 'data'), '')
    await expect(at(0)).rejects.toMatchObject({ code: 'pki/cannot-write', hint: expect.stringContaining('RACKWRIGHT_HOME') })
  })
})

describe('writeKubeconfig()', () => {
  it('writes everything a client needs into one private file, and only when something changed', async () => {
    const pki = await at(0)
    const path = await writeKubeconfig(home, pki, 'https://127.0.0.1:6443')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const config = parse(readFileSync(path, 'utf8'))
    expect(config.clusters[0].cluster.server).toBe('https://127.0.0.1:6443')
    expect(Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64').toString()).toBe(pki.authority)
    expect(Buffer.from(config.users[0].user['client-key-data'], 'base64').toString()).toBe(pki.admin.key)
    const { ino } = statSync(path)
    await writeKubeconfig(home, pki, 'https://127.0.0.1:6443')
    expect(statSync(path).ino).toBe(ino)
    await writeKubeconfig(home, pki, 'https://127.0.0.1:7443')
    expect(readFileSync(path, 'utf8')).toContain(':7443')
  })
})
