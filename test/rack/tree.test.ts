import { describe, expect, it } from 'vitest'
import { personalities } from '../../src/sim/personalities/index.ts'
import { type Body, lab } from './lab.ts'

/** Every link in a resource, wherever it stands; fragments lead into the same resource. */
function links(value: Body): string[] {
  if (Array.isArray(value)) return value.flatMap(links)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => {
    const isAddress = ['@odata.id', '@Redfish.ActionInfo', 'Members@odata.nextLink', 'Uri'].includes(key)
    return isAddress && typeof one === 'string' ? [one.split('#')[0]!] : links(one)
  })
}

describe.each(personalities.map(({ name }) => name))('the tree of %s', make => {
  it('answers every link that it has, with an address, a type, an id and a name', async () => {
    const { call } = lab({ make })
    const login = await call('POST', '/redfish/v1/SessionService/Sessions', { UserName: 'admin', Password: 'rackwright' })
    const token = { 'x-auth-token': login.headers['x-auth-token']! }
    const seen = new Set<string>()
    const queue = ['/redfish/v1/']
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (seen.has(path)) continue
      seen.add(path)
      const { status, body, headers } = await call('GET', path, undefined, token)
      expect(`${path} ${status}`).toBe(`${path} 200`)
      expect(headers['odata-version']).toBe('4.0')
      if (!path.includes('?') && body['@odata.id'])
        expect(body['@odata.id'].replace(/\/$/, '').toLowerCase()).toBe(path.replace(/\/$/, '').toLowerCase())
      if (!Array.isArray(body.Members)) expect([typeof body.Id, typeof body.Name], path).toEqual(['string', 'string'])
      queue.push(...links(body))
    }
    expect(seen.size).toBeGreaterThan(60)
  })

  it('lists its targets, its reset types and its media where a client looks for them', async () => {
    const { get, call, rack } = lab({ make })
    const login = await call('POST', '/redfish/v1/SessionService/Sessions', { UserName: 'admin', Password: 'rackwright' })
    const token = { 'x-auth-token': login.headers['x-auth-token']! }
    const { ids, boot } = rack.personality('s1')
    const system = (await call('GET', `/redfish/v1/Systems/${ids.system}`, undefined, token)).body
    const settings = boot.settings?.listsTargets
      ? (await call('GET', system['@Redfish.Settings'].SettingsObject['@odata.id'], undefined, token)).body
      : system
    expect(settings.Boot['BootSourceOverrideTarget@Redfish.AllowableValues']).toContain('Pxe')
    const reset = system.Actions['#ComputerSystem.Reset']
    const values =
      reset['ResetType@Redfish.AllowableValues'] ??
      (await call('GET', reset['@Redfish.ActionInfo'], undefined, token)).body.Parameters[0].AllowableValues
    expect(values).toContain('ForceRestart')
    void get
  })
})

describe('a Redfish service', () => {
  it('shows only its root to strangers, and says how to log in', async () => {
    const { rack } = lab()
    const ask = (url: string) => rack.handle('s1', { method: 'GET', url, headers: {} })
    expect((await ask('/redfish')).status).toBe(200)
    expect((await ask('/redfish/v1/')).status).toBe(200)
    const refused = await ask('/redfish/v1/Systems')
    expect(refused.status).toBe(401)
    expect(refused.headers['www-authenticate']).toContain('Basic')
  })

  it('expands, selects, pages and refuses what it does not know', async () => {
    const { call, get } = lab({ make: 'generic' })
    expect((await get('/redfish/v1/Systems?$expand=.($levels=1)')).Members[0].SerialNumber).toBe('SIM0000000')
    expect(Object.keys(await get('/redfish/v1/Systems/1?$select=PowerState')).filter(key => !key.startsWith('@'))).toEqual(['PowerState'])
    const first = await get('/redfish/v1/Systems/1/Memory?$top=3')
    expect(first).toMatchObject({ 'Members@odata.count': 8, 'Members@odata.nextLink': '/redfish/v1/Systems/1/Memory?$skip=3' })
    expect((await get(first['Members@odata.nextLink'])).Members).toHaveLength(5)
    expect((await call('GET', '/redfish/v1/Systems?$orderby=Id')).status).toBe(501)
    const dell = lab({ make: 'dell' })
    const page = await dell.get('/redfish/v1/UpdateService/FirmwareInventory')
    expect(page.Members).toHaveLength(50)
    expect(page['Members@odata.nextLink']).toBe('/redfish/v1/UpdateService/FirmwareInventory?$skip=50')
  })

  it('takes a change with the present ETag and refuses it with another', async () => {
    const { call } = lab()
    const path = '/redfish/v1/Systems/1'
    const { headers } = await call('GET', path)
    expect((await call('PATCH', path, { AssetTag: 'a' }, { 'if-match': headers['etag']! })).status).toBe(204)
    const stale = await call('PATCH', path, { AssetTag: 'b' }, { 'if-match': headers['etag']! })
    expect(stale.status).toBe(412)
    expect(stale.body.error['@Message.ExtendedInfo'][0].MessageId).toMatch(/PreconditionFailed$/)
  })

  it('says with a 405 what it allows, with a 404 where nothing is, and with a 400 which property it does not take', async () => {
    const { call } = lab()
    const wrong = await call('DELETE', '/redfish/v1/Systems/1')
    expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'GET, HEAD, PATCH'])
    expect((await call('GET', '/redfish/v1/Nowhere')).status).toBe(404)
    const bad = await call('PATCH', '/redfish/v1/Systems/1', { SerialNumber: 'x' })
    expect(bad.status).toBe(400)
    expect(bad.body.error['@Message.ExtendedInfo'][0]).toMatchObject({
      MessageArgs: ['SerialNumber'],
      RelatedProperties: ['#/SerialNumber'],
    })
  })

  it('limits its sessions, ends idle ones, and locks after wrong passwords', async () => {
    const { call, pass, rack } = lab({ make: 'dell' })
    const path = '/redfish/v1/SessionService/Sessions'
    const login = (Password: string) => call('POST', path, { UserName: 'admin', Password }, { 'x-auth-token': 'none' })
    for (let n = 0; n < 8; n++) expect((await login('rackwright')).status).toBe(201)
    const full = await login('rackwright')
    expect([full.status, full.body.error['@Message.ExtendedInfo'][0].MessageId]).toEqual([503, 'IDRAC.2.8.RAC0218'])
    await pass(1_801_000)
    expect((await login('rackwright')).status).toBe(201)
    expect(rack.counts('s1')).toMatchObject({ opened: 9, closed: 8, sessions: 1 })
    for (let n = 0; n < 5; n++) expect((await login('wrong')).status).toBe(401)
    expect((await login('rackwright')).status).toBe(401)
    await pass(601_000)
    expect((await login('rackwright')).status).toBe(201)
  })
})
