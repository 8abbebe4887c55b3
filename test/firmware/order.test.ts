import { afterEach, describe, expect, it } from 'vitest'
import { jobs, serverBioses } from '../../src/controllers/firmware/resources.ts'
import { servers } from '../../src/controllers/metal/resources.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { type FirmwareWorld, firmwareWorld, manager } from './world.ts'

let world: FirmwareWorld
const open = async (...given: Parameters<typeof firmwareWorld>): Promise<FirmwareWorld> => (world = await firmwareWorld(...given))
afterEach(() => world.stop())
const inSync = (object: {
  readonly status?: { readonly conditions?: readonly { type: string; status: string; reason: string; message: string }[] }
}) => object.status?.conditions?.find(({ type }) => type === 'InSync')

describe('ServerBIOS', () => {
  it('FW-038 FW-041 FW-042 FW-043 FW-044 FW-014 FW-015 is scanned by a job that writes what it found, and when, and takes its name off', async () => {
    const { server, bios, biosNow, passes } = await open()
    const machine = await server('s1')
    machine.settings = { Virt: 'Enabled', Other: 1 }
    await bios('b1', 's1', { version: '1.0.0', settings: { Virt: 'Enabled' } })
    await passes(seconds(5))
    const { status } = await biosNow('b1')
    expect(status).toMatchObject({ bios: { version: '1.0.0', settings: { Virt: 'Enabled' } }, lastJob: { outcome: 'Succeeded' } })
    expect(status?.lastScanTime).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(status?.runningJob).toBeUndefined()
    expect(inSync(await biosNow('b1'))?.status).toBe('True')
    expect(machine.ran).toEqual(['bios-scan'])
  })

  it('FW-018 holds no setting in its status that its spec does not, also after one left the spec (T-31)', async () => {
    const { server, bios, biosNow, passes, kube } = await open()
    const machine = await server('s1')
    machine.settings = { A: 1, B: 2, C: 3 }
    await bios('b1', 's1', { settings: { A: 1, B: 2 } })
    await passes(seconds(5))
    expect((await biosNow('b1')).status?.bios?.settings).toEqual({ A: 1, B: 2 })
    await kube.patch(serverBioses, { name: 'b1' }, { merge: { spec: { bios: { settings: { A: null } } } } })
    await passes(seconds(1))
    expect((await biosNow('b1')).status?.bios?.settings).toEqual({ B: 2 })
    expect(machine.ran).toEqual(['bios-scan'])
  })

  it('FW-016 FW-040 FW-049 FW-053 names its Job while there is one, and only then', async () => {
    const { server, bios, biosNow, jobsNow, passes } = await open()
    const machine = await server('s1')
    machine.script = [{ takes: minutes(2) }, { takes: minutes(2) }, { takes: minutes(2) }]
    await bios('b1', 's1', { version: '2.0.0', settings: { A: true } })
    for (const program of ['bios-scan', 'bios-version-update', 'bios-settings-update']) {
      await passes(seconds(30))
      const { runningJob } = (await biosNow('b1')).status ?? {}
      expect(machine.ran.at(-1)).toBe(program)
      expect((await jobsNow()).map(({ metadata }) => metadata.name)).toContain(runningJob?.name)
      expect(runningJob?.namespace).toBe(manager)
      await passes(minutes(2))
    }
    await passes(minutes(1))
    expect((await biosNow('b1')).status?.runningJob).toBeUndefined()
    expect(inSync(await biosNow('b1'))?.status).toBe('True')
  })

  it('FW-047 FW-048 FW-050 FW-051 FW-052 FW-054 sets the version right before the settings, each by a job of its own', async () => {
    const { server, bios, biosNow, passes } = await open()
    const machine = await server('s1')
    machine.settings = { Quiet: false }
    await bios('b1', 's1', { version: '1.10.0', settings: { Quiet: 'true' } })
    await passes(minutes(10))
    expect(machine.ran).toEqual(['bios-scan', 'bios-version-update', 'bios-settings-update'])
    expect((await biosNow('b1')).status?.bios).toEqual({ version: '1.10.0', settings: { Quiet: 'true' } })
    expect(inSync(await biosNow('b1'))?.status).toBe('True')
    await passes(minutes(20))
    expect(machine.ran.filter(program => program !== 'bios-scan')).toHaveLength(2)
  })

  it('T-35 takes a lower version for an explicit wish', async () => {
    const { server, bios, passes } = await open()
    const machine = await server('s1')
    machine.version = '2.0.0'
    await bios('b1', 's1', { version: '1.9.0' })
    await passes(minutes(5))
    expect(machine.version).toBe('1.9.0')
  })

  it('FW-039 FW-045 FW-046 scans a server that is not Available, then stops and says so', async () => {
    const { server, bios, biosNow, passes, kube } = await open()
    const machine = await server('s1', {}, { state: 'Reserved' })
    await bios('b1', 's1', { version: '2.0.0' })
    await passes(minutes(5))
    expect(machine.ran).toEqual(['bios-scan'])
    expect(inSync(await biosNow('b1'))).toMatchObject({ status: 'False', reason: 'ServerNotAvailable' })
    expect(inSync(await biosNow('b1'))?.message).toContain('server s1 is Reserved')
    await kube.patch(servers, { name: 's1' }, { merge: { status: { state: 'Available' } } }, { subresource: 'status' })
    await passes(minutes(5))
    expect(machine.ran).toContain('bios-version-update')
  })

  it('T-38 waits for a running job before it scans', async () => {
    const { server, bios, passes, kube } = await open()
    const machine = await server('s1')
    machine.script = [{ takes: 0 }, { takes: minutes(90) }]
    await bios('b1', 's1', { version: '2.0.0' })
    await passes(minutes(1))
    expect(machine.ran).toEqual(['bios-scan', 'bios-version-update'])
    await kube.patch(serverBioses, { name: 'b1' }, { merge: { spec: { scanPeriodMinutes: 60 } } })
    await passes(minutes(88))
    expect(machine.ran).toEqual(['bios-scan', 'bios-version-update'])
    await passes(minutes(3))
    expect(machine.ran.slice(0, 3)).toEqual(['bios-scan', 'bios-version-update', 'bios-scan'])
  })

  it('FW-013 T-29 scans again after its period, every time', async () => {
    const { server, bios, passes } = await open()
    const machine = await server('s1')
    await bios('b1', 's1', {}, { scanPeriodMinutes: '10m' })
    await passes(minutes(61))
    expect(machine.ran.length).toBeGreaterThanOrEqual(7)
    expect(machine.ran.length).toBeLessThanOrEqual(9)
  })

  it('T-39 I26 an unchanged scan writes the Job, runningJob and lastScanTime, and nothing else: job and host included', async () => {
    const { server, bios, passes, writes, asked } = await open({}, {})
    const machine = await server('s1')
    await bios('b1', 's1', { version: '1.0.0' }, { scanPeriodMinutes: 30 })
    await passes(minutes(61))
    const before = machine.ran.length
    const from = writes().length
    await passes(minutes(30))
    const scans = machine.ran.length - before
    const told = writes()
      .slice(from)
      .map(({ method, path, body }) => {
        const what = path
          .replace(/^.*\/(jobs|serverbioses)/, '$1')
          .replace(/sbios-[^/?]*|b1/, '*')
          .replace(/\?.*/, '')
        return `${method} ${what} ${Object.keys((body as { status?: object } | undefined)?.status ?? {}).toSorted()}`
      })
    expect(scans).toBe(1)
    expect(told.toSorted()).toEqual([
      'DELETE jobs/* ',
      'PATCH jobs/*/status active,completionTime,conditions,ready,startTime,succeeded',
      'PATCH serverbioses/*/status bios,lastJob,lastScanTime,runningJob',
      'PATCH serverbioses/*/status jobs,observedGeneration,runningJob',
      'POST jobs ',
    ])
    expect(asked.length).toBeGreaterThan(0)
  })

  it('scans at once when somebody asks for it', async () => {
    const { server, bios, biosNow, passes, kube } = await open()
    const machine = await server('s1')
    await bios('b1', 's1', { version: '1.0.0' })
    await passes(seconds(5))
    await kube.patch(serverBioses, { name: 'b1' }, { merge: { metadata: { annotations: { 'metal.ironcore.dev/operation': 'scan' } } } })
    await passes(seconds(5))
    expect(machine.ran).toEqual(['bios-scan', 'bios-scan'])
    expect((await biosNow('b1')).metadata.annotations?.['metal.ironcore.dev/operation']).toBeUndefined()
  })

  it('FW-017 X-016 is referred to by its server, and not after it is deleted', async () => {
    const { server, bios, firmware, serverNow, kube, passes } = await open()
    await server('s1')
    await bios('b1', 's1')
    await firmware('f1', 's1')
    await passes(seconds(5))
    expect((await serverNow('s1')).spec).toMatchObject({ biosRef: { name: 'b1' }, firmwareRef: { name: 'f1' } })
    await kube.delete(serverBioses, { name: 'b1' })
    await passes(seconds(5))
    expect((await serverNow('s1')).spec.biosRef).toBeUndefined()
    expect(await kube.find(serverBioses, { name: 'b1' })).toBeUndefined()
  })

  it('FW-010 FW-011 is about one server for good: a changed serverRef is refused, the server of before is given back, and the new one is not touched', async () => {
    const { server, bios, biosNow, serverNow, kube, passes } = await open()
    const machines = [await server('s1'), await server('s2')]
    machines[0]!.script = [{ takes: 0 }, { takes: minutes(10) }]
    await bios('b1', 's1', { version: '2.0.0' })
    await passes(minutes(1))
    expect((await serverNow('s1')).spec.updateRef?.name).toBe('b1')
    await kube.patch(serverBioses, { name: 'b1' }, { merge: { spec: { serverRef: { name: 's2' } } } })
    await passes(minutes(15))
    const told = (await biosNow('b1')).status?.conditions?.find(({ type }) => type === 'Accepted')
    expect(told).toMatchObject({ status: 'False', reason: 'ServerRefChanged', message: expect.stringContaining('made for server s1') })
    expect((await serverNow('s1')).spec.updateRef).toBeUndefined()
    expect((await serverNow('s2')).spec).not.toHaveProperty('updateRef')
    expect((await serverNow('s2')).spec).not.toHaveProperty('biosRef')
    await kube.patch(serverBioses, { name: 'b1' }, { merge: { spec: { serverRef: { name: 's1' } } } })
    await passes(minutes(15))
    expect(inSync(await biosNow('b1'))?.status).toBe('True')
    await kube.patch(serverBioses, { name: 'b1' }, { merge: { spec: { serverRef: { name: 's2' } } } })
    await kube.delete(serverBioses, { name: 'b1' })
    await passes(minutes(1))
    expect(await kube.find(serverBioses, { name: 'b1' })).toBeUndefined()
    expect((await serverNow('s1')).spec).not.toHaveProperty('biosRef')
  })

  it('FW-010 X-016 X-035 of two for one server the older counts; the other says so and begins when that one is gone', async () => {
    const { server, bios, biosNow, kube, passes } = await open()
    const machine = await server('s1')
    await bios('b1', 's1', { version: '1.0.0' })
    await passes(seconds(5))
    await bios('b2', 's1', { version: '2.0.0' })
    await passes(minutes(2))
    const told = (await biosNow('b2')).status?.conditions?.find(({ type }) => type === 'Accepted')
    expect(told).toMatchObject({ status: 'False', reason: 'AnotherIsOlder' })
    expect(told?.message).toContain('b1 is older')
    expect(machine.version).toBe('1.0.0')
    await kube.delete(serverBioses, { name: 'b1' })
    await passes(minutes(2))
    expect(machine.version).toBe('2.0.0')
  })
})

describe('ServerFirmware', () => {
  const nic = { name: 'nic', manufacturer: 'Intel', version: '1.9' }

  it('FW-055 FW-056 FW-057 FW-058 FW-059 FW-023 FW-024 FW-025 is scanned by a job that writes what it found', async () => {
    const { server, firmware, firmwareNow, passes } = await open()
    const machine = await server('s1', {}, { state: 'Reserved' })
    machine.firmware = [nic, { name: 'ssd', manufacturer: 'ACME', version: '7' }]
    machine.script = [{ takes: minutes(1) }]
    await firmware('f1', 's1', [nic])
    await passes(seconds(30))
    expect((await firmwareNow('f1')).status?.runningJob?.name).toMatch(/^sfw-f1-/)
    await passes(minutes(2))
    const { status } = await firmwareNow('f1')
    expect(status?.firmwares).toEqual([nic, { name: 'ssd', manufacturer: 'ACME', version: '7' }])
    expect(status?.lastScanTime).toMatch(/Z$/)
    expect(status?.runningJob).toBeUndefined()
    expect(inSync(await firmwareNow('f1'))?.status).toBe('True')
  })

  it('FW-060 FW-062 FW-063 FW-064 FW-065 is updated by a job where something differs and the server is Available', async () => {
    const { server, firmware, firmwareNow, passes } = await open()
    const machine = await server('s1')
    machine.firmware = [nic]
    machine.script = [{ takes: 0 }, { takes: minutes(1) }]
    await firmware('f1', 's1', [{ ...nic, version: '1.10' }])
    await passes(seconds(40))
    expect((await firmwareNow('f1')).status?.runningJob?.name).toContain('-update-')
    await passes(minutes(2))
    expect((await firmwareNow('f1')).status?.firmwares).toEqual([{ ...nic, version: '1.10' }])
    expect(machine.ran).toEqual(['firmware-scan', 'firmware-update'])
    expect((await firmwareNow('f1')).status?.runningJob).toBeUndefined()
  })

  it('FW-061 stops where the server is not Available', async () => {
    const { server, firmware, firmwareNow, passes } = await open()
    const machine = await server('s1', {}, { state: 'Maintenance' })
    machine.firmware = [nic]
    await firmware('f1', 's1', [{ ...nic, version: '2.0' }])
    await passes(minutes(3))
    expect(machine.ran).toEqual(['firmware-scan'])
    expect(inSync(await firmwareNow('f1'))?.message).toContain('server s1 is Maintenance')
  })

  it('T-40 lets the job fail once for a component that is not there, and does not go on for ever', async () => {
    const { server, firmware, firmwareNow, passes } = await open()
    const machine = await server('s1')
    machine.script = [{ takes: 0 }, { exit: 2, message: 'there is no nic of Intel' }]
    await firmware('f1', 's1', [nic])
    await passes(minutes(20))
    expect(machine.ran.filter(program => program === 'firmware-update')).toHaveLength(1)
    expect(inSync(await firmwareNow('f1'))).toMatchObject({ status: 'False', reason: 'GaveUp' })
    expect(inSync(await firmwareNow('f1'))?.message).toContain('there is no nic of Intel')
  })
})

describe('a server that a job works on', () => {
  it('T-03 I11 names the job before the Job is there, and is given back when nothing is written any more', async () => {
    const { server, bios, serverNow, passes, kube } = await open()
    const machine = await server('s1')
    machine.script = [{ takes: 0 }, { takes: minutes(3) }]
    await bios('b1', 's1', { version: '2.0.0' })
    await passes(minutes(1))
    const { updateRef } = (await serverNow('s1')).spec
    expect(updateRef).toMatchObject({ kind: 'ServerBIOS', name: 'b1' })
    expect(await kube.find(jobs, { name: updateRef?.job ?? '', namespace: manager })).toBeDefined()
    machine.tasks = ['7']
    await passes(minutes(10))
    expect((await serverNow('s1')).spec.updateRef, 'while its BMC is at work').toBeDefined()
    machine.tasks = []
    await passes(minutes(2))
    expect((await serverNow('s1')).spec.updateRef).toBeUndefined()
  })

  it('I11 is worked on by one job at a time, whoever wants it', async () => {
    const { server, bios, firmware, firmwareNow, passes } = await open()
    const machine = await server('s1')
    machine.firmware = [{ name: 'nic', manufacturer: 'Intel', version: '1' }]
    machine.script = [{ takes: 0 }, { takes: 0 }, { takes: minutes(5) }]
    await bios('b1', 's1', { version: '2.0.0' })
    await firmware('f1', 's1', [{ name: 'nic', manufacturer: 'Intel', version: '2' }])
    await passes(minutes(2))
    expect(machine.ran.filter(program => program.endsWith('-update'))).toHaveLength(1)
    expect(inSync(await firmwareNow('f1'))?.reason).toBe('ServerUpdated')
    await passes(minutes(10))
    expect(machine.ran.filter(program => program.endsWith('-update')).toSorted()).toEqual(['bios-version-update', 'firmware-update'])
  })
})
