import { describe, expect, it } from 'vitest'
import { openDiscovery } from './configs.ts'

const open = () => openDiscovery({ baseUrl: 'https://boot.example', key: Buffer.alloc(32, 'k') })
const uid = '0f8fad5b-d9cb-469f-a165-70867728950e'
const content = { ignition: { version: '3.1.0' } }
const path = (url: string): string => url.slice('https://boot.example'.length)
const get = (serving: ReturnType<typeof open>, url: string, method = 'GET') => serving.handler({ method, url, headers: {} } as never)

describe('a configuration of an assisted agent', () => {
  it('is served to whoever knows its address, and to nobody else', () => {
    const serving = open()
    const url = path(serving.keep(uid, content))
    expect(JSON.parse(Buffer.from(get(serving, url)?.body as Uint8Array).toString())).toEqual(content)
    expect(get(serving, url, 'HEAD')).toMatchObject({ status: 200, body: new Uint8Array() })
    expect(get(serving, url.replace(/key=.*/, `key=${'0'.repeat(32)}`))?.status).toBe(404)
    expect(get(serving, url.split('?')[0]!)?.status).toBe(404)
    expect(get(serving, '/discovery/../etc')?.status).toBe(404)
    expect(get(serving, '/host-images/x')).toBeUndefined()
    expect(get(serving, url, 'POST')?.status).toBe(405)
  })
  it('has its secret behind the question mark, where it is told nowhere', () => {
    const [shown, hidden] = open().keep(uid, content).split('?')
    expect(shown).toBe(`https://boot.example/discovery/${uid}/config.ign`)
    expect(hidden).toMatch(/^v=[0-9a-f]{16}&key=[0-9a-f]{32}$/)
  })
  it('is at the same address after a restart; another content is at another, and the one before leads there', () => {
    const before = open().keep(uid, content)
    const serving = open()
    expect(serving.keep(uid, content)).toBe(before)
    const after = serving.keep(uid, { ignition: { version: '3.2.0' } })
    expect(after).not.toBe(before)
    expect(Buffer.from(get(serving, path(before))?.body as Uint8Array).toString()).toContain('3.2.0')
    serving.drop(uid)
    expect(get(serving, path(after))?.status).toBe(404)
  })
  it('I14 is not served any more where its InfraEnv is seen to be gone: whoever does not act any longer is told by nobody to drop it', () => {
    const serving = open()
    let isThere = true
    const url = path(serving.keep(uid, content, () => isThere))
    expect(get(serving, url)?.status).toBe(200)
    isThere = false
    expect(get(serving, url)?.status).toBe(404)
  })
})
