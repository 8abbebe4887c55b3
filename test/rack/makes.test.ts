import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import { type Answer, type Body, lab } from './lab.ts'

const messageOf = ({ body }: Answer): string => body.error['@Message.ExtendedInfo'][0].MessageId

describe('dell', () => {
  const system = '/redfish/v1/Systems/System.Embedded.1'

  it('makes a job of BIOS settings, one at a time, which is done after a reset', async () => {
    const { call, get, pass } = lab({ make: 'dell' })
    const settings = `${system}/Bios/Settings`
    const wanted = { Attributes: { LogicalProc: 'Disabled' }, '@Redfish.SettingsApplyTime': { ApplyTime: 'OnReset' } }
    const first = await call('PATCH', settings, wanted)
    expect([first.status, first.headers['location']]).toEqual([202, '/redfish/v1/TaskService/TaskMonitors/JID_1'])
    expect((await call('GET', first.headers['location']!)).status).toBe(404)
    await pass(seconds(4))
    expect((await call('GET', first.headers['location']!)).status).toBe(202)
    expect(messageOf(await call('PATCH', settings, wanted))).toBe('IDRAC.2.8.SYS518')
    await call('POST', `${system}/Actions/ComputerSystem.Reset`, { ResetType: 'On' })
    await pass(minutes(1))
    expect((await get(`${system}/Bios`)).Attributes.LogicalProc).toBe('Disabled')
    expect((await get('/redfish/v1/TaskService/Tasks/JID_1')).TaskState).toBe('Completed')
    await pass(minutes(11))
    expect((await call('GET', '/redfish/v1/TaskService/Tasks/JID_1')).status).toBe(404)
  })

  it('keeps settings without an apply time as drafts until somebody makes a job of them', async () => {
    const { call, get, pass } = lab({ make: 'dell' })
    await call('PATCH', `${system}/Bios/Settings`, { Attributes: { LogicalProc: 'Disabled' } })
    await call('POST', `${system}/Actions/ComputerSystem.Reset`, { ResetType: 'On' })
    await pass(minutes(5))
    expect((await get(`${system}/Bios`)).Attributes.LogicalProc).toBe('Enabled')
    const jobs = (await get(`${system}/Bios/Settings`)).Oem.Dell.Jobs['@odata.id']
    expect((await call('POST', jobs, { TargetSettingsURI: `${system}/Bios/Settings` })).status).toBe(202)
    await call('POST', `${system}/Actions/ComputerSystem.Reset`, { ResetType: 'ForceRestart' })
    await pass(minutes(1))
    expect((await get(`${system}/Bios`)).Attributes.LogicalProc).toBe('Disabled')
  })

  it('answers 409 to a reset into the present state, 412 to If-Match on an action, and has its accounts in slots', async () => {
    const { call, get } = lab({ make: 'dell' })
    const reset = `${system}/Actions/ComputerSystem.Reset`
    expect((await call('POST', reset, { ResetType: 'ForceOff' })).status).toBe(409)
    expect((await call('POST', reset, { ResetType: 'On' }, { 'if-match': '*' })).status).toBe(412)
    const accounts = '/redfish/v1/AccountService/Accounts'
    expect((await call('POST', accounts, { UserName: 'x', Password: 'longenough' })).status).toBe(405)
    expect((await get(accounts)).Members).toHaveLength(16)
    expect((await call('PATCH', `${accounts}/3`, { RoleId: 'Operator' })).status).toBe(400)
    expect((await call('PATCH', `${accounts}/3`, { UserName: 'x', Password: 'longenough', RoleId: 'Operator' })).status).toBe(204)
  })

  it('takes the boot order only in the settings object, and shows one drive under Systems and Managers', async () => {
    const { call, get } = lab({ make: 'dell' })
    const order = { Boot: { BootOrder: ['Boot0001', 'Boot0002'] } }
    expect((await call('PATCH', system, order)).status).toBe(400)
    expect((await call('PATCH', `${system}/Settings`, order)).status).toBe(204)
    expect((await get(system)).Boot.BootOrder).toEqual(['Boot0001', 'Boot0002'])
    await call('POST', `${system}/VirtualMedia/1/Actions/VirtualMedia.InsertMedia`, { Image: 'http://files/a.iso' })
    expect((await get('/redfish/v1/Managers/iDRAC.Embedded.1/VirtualMedia/CD')).Image).toBe('http://files/a.iso')
  })
})

describe('hpe', () => {
  const system = '/redfish/v1/Systems/1/'

  it('refuses changes during POST, the target None, actions without a body, and identity encoding of its registry', async () => {
    const { call, pass, get } = lab({ make: 'hpe' })
    expect((await call('PATCH', system, { Boot: { BootSourceOverrideTarget: 'None' } })).status).toBe(400)
    const media = '/redfish/v1/Managers/1/VirtualMedia/2/Actions/VirtualMedia.EjectMedia/'
    expect((await call('POST', media)).status).toBe(400)
    expect((await call('POST', media, {})).status).toBe(204)
    await call('POST', `${system}Actions/ComputerSystem.Reset/`, { ResetType: 'On' })
    await pass(seconds(30))
    const change = await call('PATCH', system, { Boot: { BootSourceOverrideTarget: 'Pxe', BootSourceOverrideEnabled: 'Once' } })
    expect([change.status, messageOf(change)]).toEqual([400, 'iLO.2.15.UnableToModifyDuringSystemPOST'])
    const [file] = (await get('/redfish/v1/Registries/')).Members.slice(-1)
    const { Uri } = (await get(file['@odata.id'])).Location[0]
    expect((await call('GET', Uri, undefined, { 'accept-encoding': 'identity' })).status).toBe(406)
    expect((await get(Uri)).RegistryEntries.Attributes[0].ResetRequired).toBeUndefined()
  })

  it('links in lower case and with slashes, shows all settings as pending, numbers its firmware, and answers updates like errors', async () => {
    const { call, get } = lab({ make: 'hpe' })
    const bios = (await get(system)).Bios['@odata.id']
    expect(bios).toBe('/redfish/v1/systems/1/bios/')
    const current = await get(bios)
    const pending = await get(current['@Redfish.Settings'].SettingsObject['@odata.id'])
    expect(pending.Attributes).toEqual(current.Attributes)
    expect((await get('/redfish/v1/UpdateService/FirmwareInventory/1/')).Name).toBe('iLO 5')
    const update = await call('POST', '/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate/', {
      ImageURI: 'http://f/BIOS-2.60.bin',
    })
    expect([update.status, messageOf(update)]).toEqual([202, 'Base.1.13.Success'])
  })
})

describe('lenovo', () => {
  const system = '/redfish/v1/Systems/1'

  it('takes media by PATCH only, overrides for one boot only, and no HTTP boot', async () => {
    const { call, get } = lab({ make: 'lenovo' })
    const slot = `${system}/VirtualMedia/EXT1`
    const { body, headers } = await call('GET', slot)
    expect(body.Actions).toBeUndefined()
    expect((await call('PATCH', slot, { Image: 'http://files/a.iso', Inserted: true }, { 'if-match': headers['etag']! })).status).toBe(204)
    expect((await get(slot)).Inserted).toBe(true)
    expect((await call('PATCH', slot, { Image: null })).status).toBe(204)
    const arm = (target: string, lasts: string) =>
      call('PATCH', system, { Boot: { BootSourceOverrideTarget: target, BootSourceOverrideEnabled: lasts } })
    expect((await arm('Pxe', 'Continuous')).status).toBe(400)
    expect((await arm('UefiHttp', 'Once')).status).toBe(400)
    expect((await arm('Pxe', 'Once')).status).toBe(204)
    expect((await call('POST', `${system}/Actions/ComputerSystem.Reset`, { ResetType: 'On' }, { 'if-match': '*' })).status).toBe(412)
  })

  it('turns an update into a job, forgets a finished task when its monitor is read, and shows waiting firmware beside', async () => {
    const { call, get, pass } = lab({ make: 'lenovo' })
    await call('POST', `${system}/Actions/ComputerSystem.Reset`, { ResetType: 'On' })
    await pass(minutes(5))
    const { body, headers } = await call('POST', '/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate', {
      ImageURI: 'http://f/UEFI-1.50.bin',
    })
    const message = (await get(body['@odata.id'])).Messages[0]
    expect(message.MessageId).toMatch(/OperationTransitionedToJob$/)
    expect((await get(message.MessageArgs[0])).JobState).toBe('Running')
    await pass(minutes(5))
    expect((await get(message.MessageArgs[0])).JobState).toBe('Completed')
    expect((await get('/redfish/v1/UpdateService/FirmwareInventory/UEFI-Pending')).Version).toBe('1.50')
    expect((await call('GET', headers['location']!)).status).toBe(200)
    expect((await call('GET', headers['location']!)).status).toBe(404)
  })
})

describe('supermicro', () => {
  const system = '/redfish/v1/Systems/1'

  it('offers HTTP boot only after a BIOS setting and a reset, and wants Enabled and Mode in every change', async () => {
    const { call, get, pass } = lab({ make: 'supermicro' })
    const values = async () => (await get(system)).Boot['BootSourceOverrideTarget@Redfish.AllowableValues']
    expect(await values()).not.toContain('UefiHttp')
    expect((await get(`${system}/Bios/SD`)).Attributes).toBeUndefined()
    await call('PATCH', `${system}/Bios/SD`, { Attributes: { IPv4HTTPSupport_0F1B: 'Enabled' } })
    await call('POST', `${system}/Actions/ComputerSystem.Reset`, { ResetType: 'On' })
    await pass(minutes(1))
    expect(await values()).toContain('UefiHttp')
    expect((await call('PATCH', system, { Boot: { BootSourceOverrideTarget: 'UefiHttp' } })).status).toBe(400)
    const whole = { BootSourceOverrideTarget: 'UefiHttp', BootSourceOverrideEnabled: 'Once', BootSourceOverrideMode: 'UEFI' }
    expect((await call('PATCH', system, { Boot: whole })).status).toBe(204)
  })

  it('boots virtual media as UsbCd and not as Cd, refuses spare parameters, and shows eject only while something is in', async () => {
    const world = { fetch: async () => ({ status: 200, headers: {}, body: Buffer.from('') }) }
    const { rack, call, get, pass } = lab({ make: 'supermicro', world })
    const slot = '/redfish/v1/Managers/1/VirtualMedia/VirtualMedia1'
    const insert = `${slot}/Actions/VirtualMedia.InsertMedia`
    expect((await call('POST', insert, { Image: 'http://f/a.iso', Inserted: true })).status).toBe(400)
    expect((await get(slot)).Actions['#VirtualMedia.EjectMedia']).toBeUndefined()
    expect((await call('POST', insert, { Image: 'http://f/a.iso' })).status).toBe(204)
    expect((await get(slot)).Actions['#VirtualMedia.EjectMedia']).toBeDefined()
    rack.machine('s1').order = ['Boot0018']
    const arm = (target: string) =>
      call('PATCH', system, {
        Boot: { BootSourceOverrideTarget: target, BootSourceOverrideEnabled: 'Once', BootSourceOverrideMode: 'UEFI' },
      })
    await arm('Cd')
    await call('POST', `${system}/Actions/ComputerSystem.Reset`, { ResetType: 'On' })
    await pass(minutes(10))
    expect(rack.machine('s1').source).toBe('UefiShell')
    await arm('UsbCd')
    await call('POST', `${system}/Actions/ComputerSystem.Reset`, { ResetType: 'ForceRestart' })
    await pass(minutes(10))
    expect(rack.machine('s1').source).toBe('Cd')
  })

  it('orders boots through its own resource, and updates in two phases whose task stands in a message', async () => {
    const { call, get } = lab({ make: 'supermicro' })
    expect((await call('PATCH', system, { Boot: { BootOrder: ['Boot0018'] } })).status).toBe(400)
    const fixed = (await get(system)).Oem.Supermicro.FixedBootOrder['@odata.id']
    expect((await call('PATCH', fixed, { FixedBootOrder: ['UEFI AP:UEFI: Built-in EFI Shell', 'UEFI Hard Disk'] })).status).toBe(204)
    expect((await get(system)).Boot.BootOrder).toEqual(['Boot0018', 'Boot001B'])
    const service: Body = await get('/redfish/v1/UpdateService')
    expect((await call('POST', service.Actions['#UpdateService.StartUpdate'].target, {})).status).toBe(400)
    const update = await call('POST', service.Actions['#UpdateService.SimpleUpdate'].target, { ImageURI: 'http://f/BIOS-1.5.bin' })
    expect(update.headers['location']).toBeUndefined()
    expect((await get(update.body.Accepted.MessageArgs[0])).TaskState).toBe('Running')
  })
})

describe('openbmc', () => {
  it('has few targets, a registry without a name, media over https only, and monitors under the task', async () => {
    const { call, get } = lab({ make: 'openbmc' })
    const system = await get('/redfish/v1/Systems/system')
    expect(system.Boot['BootSourceOverrideTarget@Redfish.AllowableValues']).not.toContain('UefiHttp')
    expect((await get('/redfish/v1/Systems/system/Bios')).AttributeRegistry).toBeNull()
    const media = '/redfish/v1/Managers/bmc/VirtualMedia'
    expect((await get(`${media}/Slot_0`)).Actions).toBeUndefined()
    const insert = `${media}/Slot_2/Actions/VirtualMedia.InsertMedia`
    expect((await call('POST', insert, { Image: 'http://f/a.iso' })).status).toBe(400)
    expect((await call('POST', insert, { Image: 'https://f/a.iso', Inserted: false })).status).toBe(400)
    expect((await call('POST', insert, { Image: 'https://f/a.iso', Inserted: true, TransferMethod: 'Stream' })).status).toBe(204)
    const { headers } = await call('POST', '/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate', {
      ImageURI: 'http://f/BIOS-2.0.bin',
    })
    expect(headers['location']).toBe('/redfish/v1/TaskService/Tasks/JID_1/Monitor')
    expect((await call('GET', headers['location']!)).status).toBe(202)
  })
})

describe('ami', () => {
  it('takes boot settings only in SD, with If-Match and all three fields, and credentials with media', async () => {
    const { call } = lab({ make: 'ami' })
    const login = await call('POST', '/redfish/v1/SessionService/Sessions', { UserName: 'admin', Password: 'rackwright' })
    const token = { 'x-auth-token': login.headers['x-auth-token']! }
    const system = '/redfish/v1/Systems/Self'
    const boot = { BootSourceOverrideTarget: 'UefiHttp', BootSourceOverrideEnabled: 'Once', BootSourceOverrideMode: 'UEFI' }
    const patch = async (path: string, body: Body, match: Record<string, string> = { 'if-match': '*' }) =>
      (await call('PATCH', path, { Boot: body }, { ...token, ...match })).status
    expect(await patch(system, boot)).toBe(400)
    expect(await patch(`${system}/SD`, boot, {})).toBe(428)
    expect(await patch(`${system}/SD`, { BootSourceOverrideTarget: 'Pxe' })).toBe(400)
    expect(await patch(`${system}/SD`, boot)).toBe(204)
    expect((await call('GET', system, undefined, token)).body.Boot).toMatchObject({
      BootSourceOverrideTarget: 'UefiHttp',
      BootSourceOverrideMode: null,
    })
    const insert = '/redfish/v1/Managers/Self/VirtualMedia/CD1/Actions/VirtualMedia.InsertMedia'
    expect((await call('POST', insert, { Image: 'http://f/a.iso' }, token)).status).toBe(400)
    const all = { Image: 'http://f/a.iso', TransferProtocolType: 'HTTP', UserName: 'x', Password: 'x' }
    expect((await call('POST', insert, all, token)).status).toBe(204)
  })
})
