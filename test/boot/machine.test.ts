import { afterEach, describe, expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { type DemoContent, installerProgram, probeProgram } from '../../src/sim/images/demo.ts'
import { uuidOf } from '../../src/sim/machine/identity.ts'
import { bootServerWorld } from '../../src/sim/machine/world-boot.ts'
import { openRack, type RackEvent } from '../../src/sim/rack.ts'
import { type BootWorld, baseUrl, bootWorld, type Circumstances } from './world.ts'

const worlds: BootWorld[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.end()
})

const file = (lines: readonly string[]): Buffer => Buffer.from(['a file', ...lines.map(line => `sim: ${line}`), ''].join('\n'))

/** A simulated machine, its BMC, and the boot server that it finds on its network. */
async function given(content: DemoContent, circumstances: Circumstances) {
  const world = await bootWorld({
    systemUUID: uuidOf(0),
    files: Object.fromEntries(Object.entries(content).map(([role, lines]) => [role, file(lines)])),
    ...circumstances,
  })
  worlds.push(world)
  const network = bootServerWorld({ baseUrl, handler: () => world.boot.handler })
  const rack = openRack({ clock: world.clock, ids: randomIds, servers: [{ name: 'srv-1' }], world: network })
  const events: RackEvent[] = []
  rack.onEvent(event => void events.push(event))
  const bmc = async (method: string, url: string, body: object): Promise<void> => {
    const authorization = `Basic ${Buffer.from(`${rack.username}:${rack.password('srv-1')}`).toString('base64')}`
    const headers = { authorization, 'content-type': 'application/json' }
    const answering = rack.handle('srv-1', { method, url, headers, body: Buffer.from(JSON.stringify(body)) })
    await world.clock.settle()
    expect((await answering).status).toBeLessThan(300)
  }
  const system = '/redfish/v1/Systems/1'
  return {
    world,
    rack,
    events,
    boots: async (target: string, uri?: string, time = minutes(15)): Promise<void> => {
      const boot = {
        BootSourceOverrideEnabled: 'Once',
        BootSourceOverrideTarget: target,
        ...(uri === undefined ? {} : { HttpBootUri: uri }),
      }
      await bmc('PATCH', system, { Boot: boot })
      await bmc('POST', `${system}/Actions/ComputerSystem.Reset`, { ResetType: 'On' })
      await world.clock.advance(time)
    },
  }
}

describe('a simulated machine', () => {
  it('BP-053 boots the discovery image by PXE and registers, which says that it runs, too', async () => {
    const { world, boots, events } = await given(
      { kernel: probeProgram, initramfs: [] },
      { method: 'Pxe', purpose: 'Discovery', userData: false, addresses: [] },
    )
    await boots('Pxe')
    expect(events.map(({ what }) => what)).toContain('runs')
    const served = await world.served()
    expect(served?.fetches?.map(({ what }) => what)).toEqual(['script', 'kernel', 'initramfs'])
    expect(served?.reports).toBeUndefined()
    expect(served?.registration).toMatchObject({
      systemUUID: uuidOf(0),
      serialNumber: 'SIM0000000',
      totalSystemMemory: '262144Mi',
      networkInterfaces: [{ name: 'eth0', macAddress: '02:5c:00:00:00:00', ips: ['10.64.0.1'], neighbors: [{ systemName: 'leaf-1' }] }, {}],
    })
  })
  it('BP-013 BP-043 boots a UKI by its ticketed address, installs, says so, and restarts from its disk', async () => {
    const { world, boots, events } = await given({ uki: installerProgram('os-1') }, { method: 'UefiHttp' })
    await boots('UefiHttp', `${baseUrl}${world.ticket()}/os.efi`)
    expect(events.filter(({ what }) => what === 'installed')).toHaveLength(1)
    const served = await world.served()
    expect(served?.fetches?.map(({ what, done }) => [what, done !== undefined])).toEqual([
      ['uki', true],
      ['ignition', true],
    ])
    expect(served?.reports?.map(({ state }) => state)[0]).toBe('Installed')
  })
  it('X-015 that restarts from the network during its attempt is not installed again', async () => {
    const { world, rack, events, boots } = await given(
      { kernel: ['install os-1', 'wait 90', 'reboot'], initramfs: [] },
      { method: 'Pxe', userData: false, addresses: [] },
    )
    const machine = rack.machine('srv-1')
    machine.order = machine.model.bootEntries.filter(({ kind }) => kind === 'Pxe').map(({ reference }) => reference)
    await boots('Pxe')
    await world.clock.advance(minutes(30))
    expect(events.filter(({ what }) => what === 'installed')).toHaveLength(1)
    expect(events.filter(({ what }) => what === 'boot-failed').length).toBeGreaterThan(0)
  })
  it('BP-003 X-015 that starts by itself outside an attempt boots nothing of ours', async () => {
    const { world, boots, events } = await given({ kernel: ['install os-1'], initramfs: [] }, { method: 'Pxe', userData: false })
    await world.note({ step: 'Ended' })
    await boots('Pxe')
    expect(events.filter(({ what }) => what === 'installed' || what === 'runs')).toEqual([])
    expect(await world.served()).toBeUndefined()
  })
  it('waits for user data while the API is away, and goes on', async () => {
    const { world, boots, events } = await given({ uki: installerProgram('os-1') }, { method: 'UefiHttp' })
    world.through((request, onward) => (request.url.includes('/secrets/') ? Promise.reject(new Error('away')) : onward(request)))
    await boots('UefiHttp', `${baseUrl}${world.ticket()}/os.efi`, minutes(10))
    expect(events.filter(({ what }) => what === 'runs')).toHaveLength(1)
    expect(events.filter(({ what }) => what === 'installed')).toEqual([])
    world.through(undefined)
    await world.clock.advance(minutes(10))
    expect(events.filter(({ what }) => what === 'installed')).toHaveLength(1)
  })
})
