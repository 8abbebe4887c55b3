import { afterEach, describe, expect, it } from 'vitest'
import {
  type ServerBIOSSet,
  type ServerFirmwareSet,
  serverBioses,
  serverBiosSets,
  serverFirmwareSets,
  serverFirmwares,
} from '../../src/controllers/firmware/resources.ts'
import { servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { type FirmwareWorld, firmwareWorld } from './world.ts'

let world: FirmwareWorld
afterEach(() => world.stop())

async function fleetOf(count: number, spec: object = {}, prepare: () => unknown = () => {}): Promise<void> {
  world = await firmwareWorld()
  for (let n = 1; n <= count; n++) {
    await world.server(`s${n}`)
    await world.kube.patch(servers, { name: `s${n}` }, { merge: { metadata: { labels: { rack: 'a' } } } })
  }
  await prepare()
  await apply(spec, '2.0.0')
}

const apply = async (spec: object, version: string): Promise<void> => {
  await world.kube.create(serverBiosSets, {
    apiVersion: 'metal.ironcore.dev/v1alpha1',
    kind: 'ServerBIOSSet',
    metadata: { name: 'all' },
    spec: {
      serverSelector: { matchLabels: { rack: 'a' } },
      template: { spec: { scanPeriodMinutes: 999_999, bios: { version } } },
      ...spec,
    },
  } as unknown as ServerBIOSSet)
  await world.clock.settle()
}
const setNow = () => world.kube.get(serverBiosSets, { name: 'all' })
const stateOf = async (server: string) => (await setNow()).status?.servers?.find(({ name }) => name === server)
const versions = () => [...world.machines.values()].map(({ version }) => version)

describe('a ServerBIOSSet', () => {
  it('FW-004 FW-007 has an object for every server that it selects and brings all of them to one version', async () => {
    await fleetOf(5, { rollout: { maxUnavailable: 2 } })
    await world.passes(minutes(10))
    expect(versions()).toEqual(Array(5).fill('2.0.0'))
    expect((await setNow()).status).toMatchObject({ phase: 'Done', selected: 5, inSync: 5, failed: 0, servers: [] })
    expect((await world.kube.list(serverBioses)).items).toHaveLength(5)
  })

  it('I21 works on one first, and then never on more at once than it may', async () => {
    await fleetOf(8, { rollout: { canary: 1, maxUnavailable: 3 } }, () => {
      for (const machine of world.machines.values()) machine.script = [{ takes: 0 }, { takes: minutes(10) }]
    })
    let most = 0
    const seen: number[] = []
    for (let n = 0; n < 80; n++) {
      await world.passes(minutes(1))
      const now = (await world.kube.list(servers)).items.filter(({ spec }) => spec.updateRef).length
      most = Math.max(most, now)
      seen.push(now)
    }
    expect(most).toBe(3)
    expect(Math.max(...seen.slice(0, 8)), 'while the first is tried').toBe(1)
    expect(versions()).toEqual(Array(8).fill('2.0.0'))
  })

  it('stops when the first fails, says why, and goes on when somebody says so', async () => {
    await fleetOf(6, { rollout: { canary: 1, maxUnavailable: 3 } }, () => {
      for (const machine of world.machines.values()) machine.script = [{ takes: 0 }, { exit: 2, message: 'wrong digest' }]
    })
    await world.passes(minutes(20))
    const { status } = await setNow()
    expect(status).toMatchObject({
      phase: 'Paused',
      failed: 1,
      paused: { reason: 's1 failed among those that go first: nothing more is started' },
    })
    expect(await stateOf('s1')).toMatchObject({ state: 'Failed', message: 'wrong digest' })
    expect(versions()).toEqual(Array(6).fill('1.0.0'))
    for (const machine of world.machines.values()) machine.script = []
    await world.kube.patch(
      serverBiosSets,
      { name: 'all' },
      { merge: { metadata: { annotations: { 'metal.ironcore.dev/operation': 'resume' } } } },
    )
    await world.passes(minutes(20))
    expect(versions()).toEqual(['1.0.0', ...Array(5).fill('2.0.0')])
    expect((await setNow()).metadata.annotations?.['metal.ironcore.dev/operation']).toBeUndefined()
  })

  it('I21 stays stopped when scans fail and work again meanwhile', async () => {
    const failing = [{ exit: 2, message: 'wrong digest' }, ...Array.from({ length: 2 }, () => ({ exit: 2, message: 'the BMC is away' }))]
    const template = { spec: { scanPeriodMinutes: 10, bios: { version: '2.0.0' } } }
    await fleetOf(3, { rollout: { canary: 1 }, template }, () => {
      for (const machine of world.machines.values()) machine.script = [{ takes: 0 }, ...failing]
    })
    await world.passes(minutes(90))
    expect((await setNow()).status).toMatchObject({ phase: 'Paused', failed: 1 })
    const updates = [...world.machines.values()].flatMap(({ ran }) => ran).filter(program => program === 'bios-version-update')
    expect(updates).toHaveLength(1)
  })

  it('FW-013 has its members scanned as often as it says now, and begins nothing anew for that', async () => {
    await fleetOf(3, { rollout: { maxUnavailable: 3 } }, () => {
      world.machines.get('s3')!.refuses = 'bios-version-update'
    })
    await world.passes(minutes(10))
    const { status } = await setNow()
    await world.kube.patch(serverBiosSets, { name: 'all' }, { merge: { spec: { template: { spec: { scanPeriodMinutes: 20 } } } } })
    await world.passes(minutes(120))
    const periods = (await world.kube.list(serverBioses)).items.map(({ spec }) => [spec.serverRef.name, spec.scanPeriodMinutes])
    expect(Object.fromEntries(periods), 's3 would be tried again').toEqual({ s1: 20, s2: 20, s3: 999_999 })
    for (const name of ['s1', 's2']) {
      const ran = world.machines.get(name)!.ran
      expect(ran.filter(program => program === 'bios-scan').length).toBeGreaterThanOrEqual(6)
    }
    const updates = [...world.machines.values()].map(({ ran }) => ran.filter(program => program === 'bios-version-update').length)
    expect(updates).toEqual([1, 1, 1])
    const { phase, revision, canaries, paused } = (await setNow()).status ?? {}
    expect({ phase, revision, canaries, paused }).toEqual({
      phase: 'Paused',
      revision: status?.revision,
      canaries: status?.canaries,
      paused: status?.paused,
    })
  })

  it('T-41 FW-007 leaves a server to the object that somebody made for it', async () => {
    await fleetOf(3)
    await world.passes(minutes(1))
    await world.bios('mine', 's2', { version: '1.5.0' })
    await world.passes(minutes(10))
    expect(versions()).toEqual(['2.0.0', '1.5.0', '2.0.0'])
    expect(await stateOf('s2')).toMatchObject({ state: 'Overridden', message: 'mine says what is wanted of it' })
    expect((await world.kube.list(serverBioses)).items.map(({ spec }) => spec.serverRef.name).toSorted()).toEqual(['s1', 's2', 's3'])
  })

  it('I11 T-35 takes nobody back to an older version unless it says so', async () => {
    await fleetOf(2, {}, () => {
      world.machines.get('s1')!.version = '3.0.0'
    })
    await world.passes(minutes(10))
    expect(versions()).toEqual(['3.0.0', '2.0.0'])
    expect(await stateOf('s1')).toMatchObject({ state: 'Held' })
    expect((await stateOf('s1'))?.message).toContain('3.0.0 to 2.0.0; allowDowngrade is not set')
    await world.kube.patch(serverBiosSets, { name: 'all' }, { merge: { spec: { allowDowngrade: true } } })
    await world.passes(minutes(10))
    expect(versions()).toEqual(['2.0.0', '2.0.0'])
  })

  it('T-34 lets claimed servers wait, and updates them when they are free', async () => {
    await fleetOf(2, {}, async () => {
      const claim = { serverClaimRef: { namespace: 'default', name: 'c', uid: 'u' } }
      await world.kube.patch(servers, { name: 's1' }, { merge: { spec: claim } })
      await world.kube.patch(servers, { name: 's1' }, { merge: { status: { state: 'Reserved' } } }, { subresource: 'status' })
    })
    await world.passes(minutes(10))
    expect(versions()[0]).toBe('1.0.0')
    await world.kube.patch(servers, { name: 's1' }, { merge: { spec: { serverClaimRef: null } } })
    await world.kube.patch(servers, { name: 's1' }, { merge: { status: { state: 'Available' } } }, { subresource: 'status' })
    await world.passes(minutes(10))
    expect(versions()).toEqual(['2.0.0', '2.0.0'])
  })

  it('rolls out a changed wish anew, and takes its objects with it when it goes', async () => {
    await fleetOf(3, { rollout: { maxUnavailable: 3 } })
    await world.passes(minutes(10))
    await world.kube.patch(serverBiosSets, { name: 'all' }, { merge: { spec: { template: { spec: { bios: { version: '2.1.0' } } } } } })
    await world.passes(minutes(10))
    expect(versions()).toEqual(Array(3).fill('2.1.0'))
    await world.kube.delete(serverBiosSets, { name: 'all' })
    await world.passes(minutes(2))
    expect((await world.kube.list(serverBioses)).items).toEqual([])
  })
})

describe('a ServerFirmwareSet', () => {
  const nic = (version: string) => ({ name: 'nic', manufacturer: 'ACME', version })
  const fleet = async (count: number, prepare: () => unknown = () => {}): Promise<void> => {
    world = await firmwareWorld()
    for (let n = 1; n <= count; n++) {
      const machine = await world.server(`s${n}`)
      machine.firmware = [nic('1.0.0'), { name: 'disk', manufacturer: 'ACME', version: '7' }]
      await world.kube.patch(servers, { name: `s${n}` }, { merge: { metadata: { labels: { rack: 'a' } } } })
    }
    await prepare()
    await world.kube.create(serverFirmwareSets, {
      apiVersion: 'metal.ironcore.dev/v1alpha1',
      kind: 'ServerFirmwareSet',
      metadata: { name: 'all' },
      spec: {
        serverSelector: { matchLabels: { rack: 'a' } },
        rollout: { canary: 1, maxUnavailable: 2 },
        template: { spec: { scanPeriodMinutes: 999_999, firmwares: [nic('2.0.0')] } },
      },
    } as unknown as ServerFirmwareSet)
    await world.clock.settle()
  }
  const now = () => world.kube.get(serverFirmwareSets, { name: 'all' })
  const nics = () => [...world.machines.values()].map(({ firmware }) => firmware.find(({ name }) => name === 'nic')?.version)

  it('I21 FW-004 scans all, works on one first, then on two at once, until every component is as wanted; others are left alone', async () => {
    await fleet(5, () => {
      for (const machine of world.machines.values()) machine.script = [{ takes: 0 }, { takes: minutes(10) }]
    })
    const seen: number[] = []
    for (let n = 0; n < 50; n++) {
      await world.passes(minutes(1))
      seen.push((await world.kube.list(servers)).items.filter(({ spec }) => spec.updateRef).length)
    }
    expect(Math.max(...seen.slice(0, 8)), 'while the first is tried').toBe(1)
    expect(Math.max(...seen)).toBe(2)
    expect(nics()).toEqual(Array(5).fill('2.0.0'))
    expect((await now()).status).toMatchObject({ phase: 'Done', selected: 5, inSync: 5, failed: 0 })
    const { items } = await world.kube.list(serverFirmwares)
    expect(items.map(({ status }) => status?.firmwares)).toEqual(
      Array(5).fill([{ name: 'disk', manufacturer: 'ACME', version: '7' }, nic('2.0.0')]),
    )
    expect([...world.machines.values()].map(({ ran }) => ran)).toEqual(Array(5).fill(['firmware-scan', 'firmware-update']))
  })

  it('I21 stops when the one that goes first does not take it, and says so', async () => {
    await fleet(5, () => {
      for (const machine of world.machines.values()) machine.refuses = 'firmware-update'
    })
    await world.passes(minutes(30))
    expect([...world.machines.values()].flatMap(({ ran }) => ran).filter(program => program === 'firmware-update')).toHaveLength(1)
    expect((await now()).status).toMatchObject({
      phase: 'Paused',
      failed: 1,
      paused: { reason: expect.stringMatching(/^s\d failed among those that go first/) },
    })
  })
})
