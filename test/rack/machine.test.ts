import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import type { BootWorld } from '../../src/sim/machine/world.ts'
import { lab } from './lab.ts'

const system = '/redfish/v1/Systems/1'
const reset = `${system}/Actions/ComputerSystem.Reset`

/** A boot server of one file per path, and a list of who asked for what. */
function files(contents: Readonly<Record<string, string>>, dhcp?: string): { world: BootWorld; asked: string[] } {
  const asked: string[] = []
  const world: BootWorld = {
    async fetch({ method, url, headers }) {
      asked.push(`${method} ${url} ${headers['user-agent']}`)
      const found = contents[url]
      return { status: found === undefined ? 404 : 200, headers: {}, body: Buffer.from(found ?? '') }
    },
    ...(dhcp === undefined ? {} : { dhcp: () => dhcp }),
  }
  return { world, asked }
}

describe('a simulated machine', () => {
  it('takes its time to power on, goes through POST and stops in the shell where the disk is empty', async () => {
    const { rack, pass, call, get, happened } = lab()
    expect((await call('POST', reset, { ResetType: 'On' })).status).toBe(204)
    expect((await get(system)).PowerState).toBe('PoweringOn')
    await pass(seconds(10))
    expect(await get(system)).toMatchObject({
      PowerState: 'On',
      BootProgress: { LastState: 'PrimaryProcessorInitializationStarted' },
    })
    await pass(minutes(1))
    expect((await get(system)).BootProgress.LastState).toBe('SecondaryProcessorInitializationStarted')
    await pass(minutes(5))
    expect(rack.machine('s1').stage).toBe('shell')
    expect(happened.at(-1)).toMatchObject({ what: 'stops-in', place: 'shell' })
  })

  it('keeps an override for one boot until firmware picks a boot source, and then it is gone whether or not it booted', async () => {
    const { world } = files({})
    const { pass, call, get, happened } = lab({ world })
    const boot = { BootSourceOverrideTarget: 'UefiHttp', BootSourceOverrideEnabled: 'Once', HttpBootUri: 'http://boot/x.efi' }
    expect((await call('PATCH', system, { Boot: boot })).status).toBe(204)
    await call('POST', reset, { ResetType: 'On' })
    await pass(seconds(100))
    expect((await get(system)).Boot).toMatchObject({ BootSourceOverrideEnabled: 'Once', HttpBootUri: 'http://boot/x.efi' })
    await pass(minutes(3))
    expect((await get(system)).Boot).toMatchObject({ BootSourceOverrideEnabled: 'Disabled', BootSourceOverrideTarget: 'None' })
    expect(happened).toContainEqual(expect.objectContaining({ what: 'boot-failed', from: 'UefiHttp' }))
    expect(happened.at(-1)).toMatchObject({ what: 'stops-in', place: 'shell' })
  })

  it('boots over HTTP, installs, phones home, reboots itself and then runs from its disk', async () => {
    const { world, asked } = files({
      'http://boot/x.efi': 'sim: fetch http://boot/ignition\nsim: install debian-13\nsim: reboot\nsim: disk\nsim: post http://boot/up {}\n',
      'http://boot/ignition': '{}',
      'http://boot/up': 'ok',
    })
    const { rack, pass, call, happened } = lab({ world })
    await call('PATCH', system, {
      Boot: { BootSourceOverrideTarget: 'UefiHttp', BootSourceOverrideEnabled: 'Once', HttpBootUri: 'http://boot/x.efi' },
    })
    await call('POST', reset, { ResetType: 'On' })
    await pass(minutes(15))
    expect(asked).toEqual([
      'HEAD http://boot/x.efi UefiHttpBoot/1.0',
      'GET http://boot/x.efi UefiHttpBoot/1.0',
      'GET http://boot/ignition rackwright-sim-os/1.0',
      'POST http://boot/up rackwright-sim-os/1.0',
    ])
    expect(rack.machine('s1')).toMatchObject({ stage: 'running', source: 'Hdd', disk: { os: 'debian-13' } })
    expect(happened.filter(({ what }) => what === 'boots').map(event => 'from' in event && event.from)).toEqual(['UefiHttp', 'Hdd'])
  })

  it('boots by PXE through an iPXE script to a kernel', async () => {
    const { world, asked } = files(
      {
        'http://boot/start': `#!ipxe\nset base http://boot/k\nchain --replace \${base}/menu?uuid=\${uuid} || shell\n`,
        'http://boot/k/menu?uuid=5111ac4e-9e37-4000-879b-000000000000': '#!ipxe\nkernel vmlinuz console=ttyS0\ninitrd initrd\nboot\n',
        'http://boot/k/vmlinuz': 'kernel',
        'http://boot/k/initrd': 'sim: power-off',
      },
      'http://boot/start',
    )
    const { rack, pass, call } = lab({ world })
    await call('PATCH', system, { Boot: { BootSourceOverrideTarget: 'Pxe', BootSourceOverrideEnabled: 'Once' } })
    await call('POST', reset, { ResetType: 'On' })
    await pass(minutes(10))
    expect(asked.map(line => line.split(' ')[1])).toContain('http://boot/k/initrd')
    expect(rack.machine('s1').power).toBe('Off')
  })

  it('follows an override that lasts at every boot', async () => {
    const { world } = files({ 'http://boot/x.efi': '' })
    const { pass, call, get, happened } = lab({ world })
    const boot = { BootSourceOverrideTarget: 'UefiHttp', BootSourceOverrideEnabled: 'Continuous', HttpBootUri: 'http://boot/x.efi' }
    await call('PATCH', system, { Boot: boot })
    await call('POST', reset, { ResetType: 'On' })
    await pass(minutes(5))
    await call('POST', reset, { ResetType: 'ForceRestart' })
    await pass(minutes(5))
    expect(happened.filter(({ what }) => what === 'runs')).toHaveLength(2)
    expect((await get(system)).Boot.BootSourceOverrideEnabled).toBe('Continuous')
  })

  it('forgets what it was doing when the power is cut', async () => {
    const { world } = files({ 'http://boot/x.efi': 'sim: install too-late' })
    const { rack, pass, call } = lab({ world })
    await call('PATCH', system, {
      Boot: { BootSourceOverrideTarget: 'UefiHttp', BootSourceOverrideEnabled: 'Once', HttpBootUri: 'http://boot/x.efi' },
    })
    await call('POST', reset, { ResetType: 'On' })
    await pass(minutes(4))
    await call('POST', reset, { ResetType: 'ForceOff' })
    await pass(minutes(30))
    expect(rack.machine('s1')).toMatchObject({ power: 'Off', stage: 'off', disk: undefined })
  })

  it('does not stop in the shell with Secure Boot on, nor where the disk has a start-up script', async () => {
    const { rack, pass, call, happened } = lab()
    rack.machine('s1').order = ['Boot0000', 'Boot0001']
    rack.machine('s1').disk = { os: 'old', steps: [], startupScript: true }
    await call('POST', reset, { ResetType: 'On' })
    await pass(minutes(5))
    expect(rack.machine('s1').stage).toBe('running')
    await call('PATCH', `${system}/SecureBoot`, { SecureBootEnable: true })
    await call('POST', reset, { ResetType: 'ForceRestart' })
    await pass(minutes(5))
    expect(happened).toContainEqual(expect.objectContaining({ what: 'boot-failed', from: 'UefiShell' }))
    expect(rack.machine('s1')).toMatchObject({ secureBoot: true, source: 'Hdd' })
  })

  it('lets an operating system take its time to shut down, or not listen at all', async () => {
    const { rack, pass, call, get } = lab()
    rack.machine('s1').disk = { os: 'deaf', steps: [{ do: 'ignore-power-button' }] }
    await call('POST', reset, { ResetType: 'On' })
    await pass(minutes(5))
    await call('POST', reset, { ResetType: 'GracefulShutdown' })
    await pass(minutes(5))
    expect((await get(system)).PowerState).toBe('On')
    rack.machine('s1').deaf = false
    await call('POST', reset, { ResetType: 'GracefulShutdown' })
    expect((await get(system)).PowerState).toBe('PoweringOff')
    await pass(seconds(30))
    expect((await get(system)).PowerState).toBe('Off')
  })
})
