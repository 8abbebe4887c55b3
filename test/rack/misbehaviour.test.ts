import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import { catalogue, type FaultName } from '../../src/sim/misbehaviour/catalogue.ts'
import { type Answer, type Lab, type LabOptions, lab } from './lab.ts'

const system = '/redfish/v1/Systems/1'
const reset = `${system}/Actions/ComputerSystem.Reset`
const sessions = '/redfish/v1/SessionService/Sessions'
const cd = '/redfish/v1/Managers/BMC/VirtualMedia/Cd'
const simpleUpdate = '/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate'
const inventory = '/redfish/v1/UpdateService/FirmwareInventory'
const http = { BootSourceOverrideTarget: 'UefiHttp', BootSourceOverrideEnabled: 'Once', HttpBootUri: 'http://boot/x.efi' }
const world = { fetch: async () => ({ status: 200, headers: {}, body: Buffer.from('sim-firmware: BIOS 2.0.0') }) }

const messageOf = ({ body }: Answer): string => body.error['@Message.ExtendedInfo'][0].MessageId.split('.').at(-1)

/** Whether the promise is settled after `ms` of simulated time. */
async function settledWithin({ pass }: Lab, promise: Promise<unknown>, ms: number): Promise<boolean> {
  let settled = false
  const note = (): void => {
    settled = true
  }
  void promise.then(note, note)
  await pass(ms)
  return settled
}

const power = async (on: Lab, type: string): Promise<Answer> => on.call('POST', reset, { ResetType: type })

async function bootOnce(on: Lab): Promise<readonly string[]> {
  await on.call('PATCH', system, { Boot: http })
  await power(on, 'On')
  await on.pass(minutes(10))
  return on.happened.flatMap(event => (event.what === 'boots' ? [event.from] : []))
}

async function update(on: Lab): Promise<Answer> {
  return on.call('POST', simpleUpdate, { ImageURI: 'http://files/BIOS-2.0.0.bin' })
}

/** What each switch does, shown on a machine by the book. Every name of the catalogue has to be here. */
const shows: Readonly<Record<Exclude<FaultName, 'certificate-changed' | 'tls-1.1-only'>, (on: Lab) => Promise<void>>> = {
  'no-answer': async on => {
    expect(await settledWithin(on, on.call('GET', system), minutes(60))).toBe(false)
  },
  'flapping-link': async on => {
    expect(await settledWithin(on, on.call('GET', system), 0)).toBe(true)
    await on.pass(seconds(11))
    expect(await settledWithin(on, on.call('GET', system), 0)).toBe(false)
    await on.pass(seconds(10))
    expect(await settledWithin(on, on.call('GET', system), 0)).toBe(true)
  },
  'reset-mid-body': async on => {
    await expect(on.call('GET', system)).rejects.toThrow('broke off')
  },
  'chunk-error': async on => {
    const answer = await on.rack.handle('s1', { method: 'GET', url: '/redfish/v1', headers: {} })
    expect(answer.headers['content-length']).toBeUndefined()
    expect(answer.body).not.toBeInstanceOf(Uint8Array)
  },
  hold: async on => {
    const held = power(on, 'On')
    expect(await settledWithin(on, held, seconds(60))).toBe(false)
    await on.pass(seconds(10))
    expect((await held).status).toBe(204)
    expect(on.rack.machine('s1').power).toBe('On')
  },
  'truncated-json': async on => expect(typeof (await on.get(system))).toBe('string'),
  'duplicated-json': async on => expect(await on.get('/redfish')).toBe('{"v1":"/redfish/v1/"}{"v1":"/redfish/v1/"}'),
  'wrong-content-type': async on => expect((await on.call('GET', system)).headers['content-type']).toBe('text/html'),
  'huge-body': async on => {
    const { body } = await on.rack.handle('s1', { method: 'GET', url: '/redfish/v1', headers: {} })
    let bytes = 0
    for await (const part of body as AsyncIterable<Uint8Array>) bytes += part.length
    expect(bytes).toBeGreaterThan(100_000_000)
  },
  'deep-json': async on => {
    let depth = 0
    for (let at = await on.get(system); typeof at === 'object'; at = at.a) depth++
    expect(depth).toBe(10_000)
  },
  'million-members': async on => expect((await on.get('/redfish/v1/Systems')).Members).toHaveLength(1_000_000),
  'cyclic-links': async on => {
    const page = await on.get('/redfish/v1/Systems')
    expect(page['Members@odata.nextLink']).toBe(page['@odata.id'])
  },
  'wrong-types': async on => expect((await on.get(system)).MemorySummary.TotalSystemMemoryGiB).toBe('256'),
  'proto-keys': async on => expect(Object.hasOwn(await on.get(system), '__proto__')).toBe(true),
  'stale-session': async on => {
    const { headers } = await on.call('POST', sessions, { UserName: 'admin', Password: 'rackwright' })
    const answer = await on.call('GET', system, undefined, { 'x-auth-token': headers['x-auth-token']! })
    expect([answer.status, on.rack.counts('s1').sessions]).toEqual([401, 1])
  },
  'session-cap': async on => {
    expect((await on.call('POST', sessions, { UserName: 'admin', Password: 'rackwright' })).status).toBe(503)
  },
  'login-throttle': async on => {
    for (let n = 0; n < 4; n++) expect((await on.call('GET', system)).status).toBe(200)
    expect((await on.call('GET', system)).status).toBe(503)
    await on.pass(minutes(1))
    expect((await on.call('GET', system)).status).toBe(200)
  },
  'too-many-requests': async on => {
    const { status, headers } = await on.call('GET', system)
    expect([status, headers['retry-after']]).toEqual([429, '10'])
  },
  'server-error': async on => expect((await on.call('GET', system)).status).toBe(500),
  'secure-boot-500': async on => {
    expect((await on.call('PATCH', `${system}/SecureBoot`, { SecureBootEnable: true })).status).toBe(500)
    expect((await on.call('GET', system)).status).toBe(200)
  },
  'conflict-after-off': async on => {
    on.rack.heal('s1')
    await power(on, 'On')
    await on.pass(minutes(5))
    on.rack.fault('s1', 'conflict-after-off')
    await power(on, 'ForceOff')
    await on.pass(seconds(5))
    expect((await power(on, 'On')).status).toBe(409)
    await on.pass(seconds(15))
    expect((await power(on, 'On')).status).toBe(204)
  },
  'refuses-during-post': async on => {
    await power(on, 'On')
    await on.pass(seconds(30))
    expect(messageOf(await on.call('PATCH', system, { Boot: http }))).toBe('UnableToModifyDuringSystemPOST')
    await on.pass(minutes(5))
    expect((await on.call('PATCH', system, { Boot: http })).status).toBe(204)
  },
  'weak-etag': async on => {
    const etag = (await on.call('GET', system)).headers['etag']!
    expect(etag).toMatch(/^W\//)
    expect((await on.call('PATCH', system, { AssetTag: 'x' }, { 'if-match': etag })).status).toBe(412)
    expect((await on.call('PATCH', system, { AssetTag: 'x' }, { 'if-match': etag.slice(2) })).status).toBe(204)
  },
  'empty-etag': async on => {
    const { headers, body } = await on.call('GET', system)
    expect([headers['etag'], body['@odata.etag']]).toEqual(['', ''])
    expect((await on.call('PATCH', system, { AssetTag: 'x' }, { 'if-match': '' })).status).toBe(412)
    expect((await on.call('PATCH', system, { AssetTag: 'x' })).status).toBe(204)
  },
  'changed-etag': async on => {
    const etag = (await on.call('GET', system)).headers['etag']!
    expect((await on.call('PATCH', system, { AssetTag: 'x' }, { 'if-match': etag })).status).toBe(412)
  },
  'finished-task-gone': async on => {
    const task = (await update(on)).body['@odata.id']
    await on.pass(minutes(1))
    expect((await on.call('GET', task)).status).toBe(200)
    await on.pass(minutes(5))
    expect((await on.call('GET', task)).status).toBe(404)
  },
  'no-location': async on => {
    const { status, headers, body } = await update(on)
    expect([status, headers['location'], body]).toEqual([202, undefined, {}])
  },
  'redirects-elsewhere': async on => {
    const { status, headers } = await on.call('GET', system)
    expect([status, headers['location']]).toEqual([301, `https://elsewhere.example${system}`])
  },
  'power-null': async on => expect((await on.get(system)).PowerState).toBeNull(),
  'power-unknown': async on => expect((await on.get(system)).PowerState).toBe('Hibernating'),
  'power-flapping': async on => {
    const seen = new Set<string>()
    for (let n = 0; n < 8; n++) {
      seen.add((await on.get(system)).PowerState)
      await on.pass(seconds(1))
    }
    expect([...seen].toSorted()).toEqual(['Off', 'On'])
  },
  'power-lagging': async on => {
    await power(on, 'On')
    await on.pass(seconds(10))
    expect((await on.get(system)).PowerState).toBe('Off')
    await on.pass(seconds(40))
    expect((await on.get(system)).PowerState).toBe('On')
  },
  'reset-ignored': async on => {
    expect((await power(on, 'On')).status).toBe(204)
    await on.pass(minutes(10))
    expect((await on.get(system)).PowerState).toBe('Off')
  },
  'override-reverts': async on => {
    expect((await on.call('PATCH', system, { Boot: http })).status).toBe(204)
    expect((await on.get(system)).Boot.BootSourceOverrideEnabled).toBe('Disabled')
  },
  'override-not-honoured': async on => expect(await bootOnce(on)).toEqual(['UefiShell']),
  'once-not-consumed': async on => {
    expect(await bootOnce(on)).toEqual(['UefiHttp'])
    expect((await on.get(system)).Boot.BootSourceOverrideEnabled).toBe('Once')
  },
  'once-consumed-early': async on => {
    await on.call('PATCH', system, { Boot: http })
    await power(on, 'On')
    expect((await on.get(system)).Boot.BootSourceOverrideEnabled).toBe('Disabled')
    await on.pass(minutes(10))
    expect(on.rack.machine('s1').source).toBe('UefiShell')
  },
  'persistent-unsupported': async on => {
    expect((await on.call('PATCH', system, { Boot: { ...http, BootSourceOverrideEnabled: 'Continuous' } })).status).toBe(400)
    expect((await on.call('PATCH', system, { Boot: http })).status).toBe(204)
  },
  'uefihttp-becomes-pxe': async on => {
    expect((await on.call('PATCH', system, { Boot: http })).status).toBe(204)
    expect((await on.get(system)).Boot.BootSourceOverrideTarget).toBe('Pxe')
  },
  'inserted-lies': async on => {
    expect((await on.get(cd)).Inserted).toBe(true)
    await on.call('POST', `${cd}/Actions/VirtualMedia.InsertMedia`, { Image: 'http://files/a.iso' })
    expect(await on.get(cd)).toMatchObject({ Inserted: false, Image: 'http://files/a.iso' })
  },
  'slow-eject': async on => {
    await on.call('POST', `${cd}/Actions/VirtualMedia.InsertMedia`, { Image: 'http://files/a.iso' })
    expect((await on.call('POST', `${cd}/Actions/VirtualMedia.EjectMedia`, {})).status).toBe(204)
    expect((await on.get(cd)).Inserted).toBe(true)
    await on.pass(seconds(31))
    expect((await on.get(cd)).Inserted).toBe(false)
  },
  'members-reordered': async on => {
    const ids = (await on.get(inventory)).Members.map((member: { '@odata.id': string }) => member['@odata.id'].split('/').at(-1))
    expect(ids).toEqual(['NIC.1', 'BMC', 'BIOS'])
  },
  'members-renamed': async on => {
    expect((await on.get(inventory)).Members[0]['@odata.id']).toMatch(/BIOS$/)
    await update(on)
    await on.pass(minutes(5))
    expect((await on.get(inventory)).Members[0]['@odata.id']).toMatch(/BIOS-1$/)
    expect((await on.get(`${inventory}/BIOS-1`)).Version).toBe('2.0.0')
  },
  'duplicate-uuid': async on => expect((await on.get(system, 's1')).UUID).toBe((await on.get(system, 's2')).UUID),
  'duplicate-mac': async on => {
    const nic = `${system}/EthernetInterfaces/NIC.1`
    expect((await on.get(nic, 's1')).MACAddress).toBe((await on.get(nic, 's2')).MACAddress)
  },
  'bmc-reboots-mid-update': async on => {
    const task = (await update(on)).body['@odata.id']
    await on.pass(minutes(2))
    await expect(on.call('GET', task)).rejects.toThrow('restarts')
    await on.pass(minutes(5))
    expect((await on.call('GET', task)).status).toBe(404)
    expect((await on.get(`${inventory}/BIOS`)).Version).toBe('2.0.0')
  },
  'task-lost': async on => {
    const task = (await update(on)).body['@odata.id']
    await on.pass(minutes(2))
    expect((await on.call('GET', task)).status).toBe(404)
    await on.pass(minutes(5))
    expect((await on.get(`${inventory}/BIOS`)).Version).toBe('2.0.0')
  },
  'stuck-at-99': async on => {
    const task = (await update(on)).body['@odata.id']
    await on.pass(minutes(600))
    expect(await on.get(task)).toMatchObject({ TaskState: 'Running', PercentComplete: 99 })
    expect((await on.get(`${inventory}/BIOS`)).Version).toBe('1.0.0')
  },
  'old-version': async on => {
    const task = (await update(on)).body['@odata.id']
    await on.pass(minutes(5))
    expect((await on.get(task)).TaskState).toBe('Completed')
    expect((await on.get(`${inventory}/BIOS`)).Version).toBe('1.0.0')
  },
  rollback: async on => {
    await update(on)
    await on.pass(minutes(5))
    expect((await on.get(system)).BiosVersion).toBe('2.0.0')
    await power(on, 'On')
    await on.pass(minutes(1))
    expect((await on.get(system)).BiosVersion).toBe('1.0.0')
  },
  'two-jobs': async on => {
    await update(on)
    expect((await on.get('/redfish/v1/TaskService/Tasks')).Members).toHaveLength(2)
  },
  'clock-reset': async on => expect((await on.get('/redfish/v1/Managers/BMC')).DateTime).toMatch(/^1970/),
}

describe('the misbehaviour switch', () => {
  const options: LabOptions = { servers: [{ name: 's1' }, { name: 's2' }], world }
  for (const [name, show] of Object.entries(shows))
    it(`${name} ${catalogue[name as FaultName].says}`, async () => {
      const on = lab(options)
      on.rack.fault('s1', name as FaultName)
      await show(on)
    })

  it('works as often as it was told to, for the calls it was told to, and until healed otherwise', async () => {
    const { rack, call } = lab(options)
    rack.fault('s1', 'server-error', { times: 2, method: 'GET', path: '/Bios' })
    expect((await call('GET', system)).status).toBe(200)
    expect((await call('GET', `${system}/Bios`)).status).toBe(500)
    expect((await call('GET', `${system}/Bios`)).status).toBe(500)
    expect((await call('GET', `${system}/Bios`)).status).toBe(200)
    expect(rack.faults('s1')).toEqual([])
    rack.fault('s1', 'server-error')
    expect((await call('GET', system)).status).toBe(500)
    expect((await call('GET', system, undefined, {}, 's2')).status).toBe(200)
    rack.heal('s1', 'server-error')
    expect((await call('GET', system)).status).toBe(200)
  })
})
