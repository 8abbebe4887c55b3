import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import { type Lab, lab } from './lab.ts'

const authorization = `Basic ${Buffer.from('admin:rackwright').toString('base64')}`
const inventory = '/redfish/v1/UpdateService/FirmwareInventory'

/** A multipart push as the specification draws it. */
async function push({ rack }: Lab, url: string, file: string, targets: readonly string[] = []): Promise<number> {
  const boundary = 'a-boundary-of-ours'
  const part = (head: string, body: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
  const body = Buffer.from(
    `${part('name="UpdateParameters"', JSON.stringify({ Targets: targets }))}${part('name="UpdateFile"; filename="image.bin"', file)}--${boundary}--\r\n`,
  )
  const headers = { authorization, 'content-type': `multipart/form-data; boundary=${boundary}` }
  return (await rack.handle('s1', { method: 'POST', url, headers, body })).status
}

describe('firmware', () => {
  it('is pushed in two parts, told by what the image says, and runs after the next reset', async () => {
    const on = lab()
    await on.call('POST', '/redfish/v1/Systems/1/Actions/ComputerSystem.Reset', { ResetType: 'On' })
    await on.pass(minutes(5))
    expect(await push(on, '/redfish/v1/UpdateService/upload', 'sim-firmware: BIOS 3.1.4\nbytes')).toBe(202)
    await on.pass(minutes(4))
    expect((await on.get(`${inventory}/BIOS`)).Version).toBe('1.0.0')
    await on.call('POST', '/redfish/v1/Systems/1/Actions/ComputerSystem.Reset', { ResetType: 'ForceRestart' })
    expect((await on.get('/redfish/v1/Systems/1')).BiosVersion).toBe('3.1.4')
  })

  it('goes to the part that is named as the target', async () => {
    const on = lab()
    await push(on, '/redfish/v1/UpdateService/upload', 'sim-firmware: anything 21.0', [`${inventory}/NIC.1`])
    await on.pass(minutes(4))
    expect((await on.get(`${inventory}/NIC.1`)).Version).toBe('21.0')
  })

  it('of the BMC itself takes effect with its restart, during which nothing answers and after which sessions are gone', async () => {
    const on = lab()
    const login = await on.call('POST', '/redfish/v1/SessionService/Sessions', { UserName: 'admin', Password: 'rackwright' })
    await push(on, '/redfish/v1/UpdateService/upload', 'sim-firmware: BMC 2.0.0')
    await on.pass(minutes(3) + seconds(1))
    await expect(on.get('/redfish/v1')).rejects.toThrow('restarts')
    await on.pass(minutes(2))
    expect((await on.get('/redfish/v1/Managers/BMC')).FirmwareVersion).toBe('2.0.0')
    const token = { 'x-auth-token': login.headers['x-auth-token']! }
    expect((await on.call('GET', '/redfish/v1/Systems', undefined, token)).status).toBe(401)
    expect(on.rack.counts('s1')).toMatchObject({ opened: 1, closed: 1, sessions: 0 })
  })

  it('that cannot be fetched, or is none for this machine, ends its task with an exception', async () => {
    const world = {
      fetch: async ({ url }: { url: string }) => ({ status: url.includes('gone') ? 404 : 200, headers: {}, body: Buffer.from('?') }),
    }
    const on = lab({ world })
    for (const image of ['http://f/gone/BIOS-2.0.bin', 'http://f/holiday.jpg', 'http://f/TOASTER-2.0.bin']) {
      const { body } = await on.call('POST', '/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate', { ImageURI: image })
      await on.pass(seconds(10))
      expect(await on.get(body['@odata.id'])).toMatchObject({ TaskState: 'Exception', TaskStatus: 'Critical' })
    }
    expect((await on.get(`${inventory}/BIOS`)).Version).toBe('1.0.0')
  })

  it('of a Supermicro machine is uploaded first and started then', async () => {
    const on = lab({ make: 'supermicro' })
    expect(await push(on, '/redfish/v1/UpdateService/upload', 'sim-firmware: BIOS 1.5')).toBe(202)
    expect((await on.get('/redfish/v1/TaskService/Tasks')).Members).toEqual([])
    const started = await on.call('POST', '/redfish/v1/UpdateService/Actions/UpdateService.StartUpdate', {})
    expect(started.status).toBe(202)
    await on.pass(minutes(4))
    expect((await on.get(`${inventory}/BIOS`)).Version).toBe('1.5')
  })
})
