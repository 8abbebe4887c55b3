import { afterEach, describe, expect, it } from 'vitest'
import { joined } from '../../src/boot/facts.ts'
import { configurations } from '../../src/controllers/metal/resources.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { type BootWorld, bootWorld, type Circumstances, content, home, stranger, uuid } from './world.ts'

const worlds: BootWorld[] = []
const given = async (circumstances?: Circumstances): Promise<BootWorld> => {
  const world = await bootWorld(circumstances)
  worlds.push(world)
  return world
}
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.end()
})
const down = (world: BootWorld): void => world.through(() => Promise.reject(new Error('connection refused')))

describe('while the API is away', () => {
  it('an attempt that is known to be open goes on being served, and what was seen is written afterwards', async () => {
    const world = await given()
    down(world)
    const fetching = world.ask(`${world.ticket()}/os.efi`)
    await world.clock.advance(seconds(30))
    const answer = await fetching
    expect([answer.status, answer.bytes.equals(content.uki)]).toEqual([200, true])
    expect(await world.served()).toBeUndefined()
    world.through(undefined)
    await world.clock.advance(minutes(1))
    expect(await world.served()).toMatchObject({ attempt: 1, fetches: [{ what: 'uki', from: home, done: expect.any(String) }] })
  })
  it('an address that fetched something stays bound, written or not', async () => {
    const world = await given()
    down(world)
    const fetching = world.ask(`${world.ticket()}/os.efi`)
    await world.clock.advance(seconds(30))
    await fetching
    expect((await world.ask(`${world.ticket()}/os.efi`, { from: stranger })).status).toBe(403)
  })
  it('an attempt still expires', async () => {
    const world = await given()
    down(world)
    await world.clock.advance(minutes(61))
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(403)
  })
  it('a report is not answered well before it is on record', async () => {
    const world = await given()
    down(world)
    const report = { method: 'POST', body: { systemUUID: uuid, booted: true } }
    const posting = world.ask(`${world.ticket()}/bootstate`, report)
    await world.clock.advance(seconds(10))
    expect((await posting).status).toBe(503)
    world.through(undefined)
    await world.clock.advance(minutes(1))
    expect((await world.ask(`${world.ticket()}/bootstate`, report)).status).toBe(200)
    expect((await world.served())?.reports).toEqual([{ state: 'Booted', time: expect.any(String) }])
  })
  it('user data is not served: it is kept nowhere but in its Secret', async () => {
    const world = await given()
    down(world)
    expect((await world.ask(`${world.ticket()}/ignition`)).status).toBe(503)
  })
  it('a boot server that begins then serves nothing', async () => {
    const world = await given()
    down(world)
    await world.boot.stop()
    world.boot = await world.another()
    expect([world.boot.ready, (await world.ask('/healthz')).status, (await world.ask(`${world.ticket()}/os.efi`)).status]).toEqual([
      false,
      503,
      503,
    ])
  })
})

describe('what was seen', () => {
  it('is written with nothing else of the status, and leaves what others write alone', async () => {
    const world = await given()
    await world.kube.patch(
      configurations,
      { name: 'c1', namespace: 'default' },
      { merge: { status: { observedGeneration: 1 } } },
      { subresource: 'status' },
    )
    await world.ask(`${world.ticket()}/kernel`)
    const written = world.writes().map(({ path, body }) => [path.replace(/\?.*/, ''), Object.keys((body as { status: object }).status)])
    expect([...new Set(written.map(line => JSON.stringify(line)))]).toEqual([
      JSON.stringify(['/apis/metal.ironcore.dev/v1alpha1/namespaces/default/serverbootconfigurations/c1/status', ['served']]),
    ])
    expect((await world.configuration()).status).toMatchObject({ state: 'Ready', observedGeneration: 1 })
  })
  it('by two replicas comes together', async () => {
    const world = await given()
    const other = await world.another()
    const { askOf } = await import('./world.ts')
    await Promise.all([world.ask(`${world.ticket()}/kernel`), askOf(other, `${world.ticket()}/initramfs`, { from: home })])
    expect((await world.served())?.fetches?.map(({ what }) => what).toSorted()).toEqual(['initramfs', 'kernel'])
    await other.stop()
  })
  it('S9 two who ask two replicas at once for the same: one is served', async () => {
    const world = await given()
    const other = await world.another()
    const { askOf } = await import('./world.ts')
    const answers = await Promise.all([world.ask(`${world.ticket()}/kernel`), askOf(other, `${world.ticket()}/kernel`, { from: stranger })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
    await other.stop()
  })
  it('of an earlier attempt is replaced by the next', async () => {
    const world = await given()
    await world.ask(`${world.ticket()}/register`, { method: 'POST', body: { systemUUID: uuid, data: {} } })
    await world.ask(`${world.ticket()}/kernel`)
    await world.note({ attempt: 2 })
    await world.ask(`${world.ticket({ attempt: 2 })}/initramfs`)
    expect(await world.served()).toEqual({ attempt: 2, fetches: [expect.objectContaining({ what: 'initramfs' })] })
  })
  it('is joined whatever came first, and the first who fetched stays the first', () => {
    const a = {
      attempt: 1,
      fetches: [{ what: 'kernel' as const, first: '2026-01-01T00:00:00Z', from: 'a' }],
      reports: [{ state: 'Booted', time: 't' }],
    }
    const b = {
      attempt: 1,
      fetches: [{ what: 'kernel' as const, first: '2026-01-01T00:00:01Z', done: '2026-01-01T00:00:02Z', from: 'b' }],
      refused: 10,
    }
    expect(joined(a, b)).toEqual({
      ...a,
      refused: 10,
      fetches: [{ what: 'kernel', first: '2026-01-01T00:00:00Z', done: '2026-01-01T00:00:02Z', from: 'a' }],
    })
    expect(joined(a, { attempt: 2 })).toEqual({ attempt: 2 })
    expect(joined({ attempt: 2 }, a)).toEqual({ attempt: 2 })
  })
})

describe('a report', () => {
  const upstream = {
    systemUUID: uuid.toUpperCase(),
    data: {
      systemInfo: {
        biosInformation: { vendor: 'AMI', version: '2.1' },
        systemInformation: { manufacturer: 'Lenovo', productName: 'SR650', serialNumber: 'J1', skuNumber: '7Z', uuid },
      },
      cpu: [{ id: 0, totalCores: 32, totalHardwareThreads: 64, vendor: 'GenuineIntel', model: 'Xeon' }],
      networkInterfaces: [{ name: 'eth0', ipAddresses: ['10.0.0.5/24'], macAddress: '02:5C:00:00:00:01', carrierStatus: 'up' }],
      lldp: [
        {
          Neighbors: [
            { InterfaceName: 'eth0', Neighbors: [{ ChassisID: 'aa:bb:cc:dd:ee:ff', PortID: 'Ethernet1', SystemName: 'leaf-1' }] },
          ],
        },
      ],
      storage: [{ Path: '/dev/nvme0n1', Name: 'nvme0n1', Rotational: false, Vendor: 'X', Model: 'P', Size: 960197124096 }],
      memory: [{ size: 137438953472 }, { size: 137438953472 }],
    },
  }
  it('BP-053 of the upstream probe becomes an inventory, durable before it is answered', async () => {
    const world = await given({ purpose: 'Discovery', method: 'Pxe' })
    expect((await world.ask(`${world.ticket()}/register`, { method: 'POST', body: upstream })).status).toBe(201)
    expect((await world.served())?.registration).toEqual({
      systemUUID: uuid.toUpperCase(),
      time: expect.any(String),
      manufacturer: 'Lenovo',
      model: 'SR650',
      sku: '7Z',
      serialNumber: 'J1',
      biosVersion: '2.1',
      totalSystemMemory: '262144Mi',
      processors: [{ id: 'CPU0', type: 'CPU', manufacturer: 'GenuineIntel', model: 'Xeon', totalCores: 32, totalThreads: 64 }],
      networkInterfaces: [
        {
          name: 'eth0',
          macAddress: '02:5c:00:00:00:01',
          ips: ['10.0.0.5'],
          carrierStatus: 'up',
          neighbors: [{ macAddress: 'aa:bb:cc:dd:ee:ff', portID: 'Ethernet1', systemName: 'leaf-1' }],
        },
      ],
      storages: [{ name: 'disks', drives: [{ name: 'nvme0n1', mediaType: 'SSD', capacity: '960197124096', vendor: 'X', model: 'P' }] }],
    })
  })
  it('that says the same again writes nothing', async () => {
    const world = await given()
    await world.ask(`${world.ticket()}/register`, { method: 'POST', body: upstream })
    const before = world.writes().length
    await world.clock.advance(seconds(30))
    expect((await world.ask(`${world.ticket()}/register`, { method: 'POST', body: upstream })).status).toBe(201)
    expect(world.writes().length).toBe(before)
  })
  it('without a ticket is taken inside the window, from where the machine is', async () => {
    const world = await given()
    expect((await world.ask('/register', { method: 'POST', body: upstream })).status).toBe(201)
    expect((await world.ask('/bootstate', { method: 'POST', body: { systemUUID: uuid, booted: true } })).status).toBe(200)
    await world.note({ step: 'Ended' })
    expect((await world.ask('/register', { method: 'POST', body: upstream })).status).toBe(403)
  })
  it('S9 of one server with the ticket of another is refused', async () => {
    const world = await given()
    const body = { systemUUID: '11111111-2222-3333-4444-555555555555', data: {} }
    expect((await world.ask(`${world.ticket()}/register`, { method: 'POST', body })).status).toBe(403)
  })
  const broken: readonly (readonly [what: string, body: string, status: number])[] = [
    ['no JSON', '{', 400],
    ['no object', '[]', 400],
    ['no system', '{}', 400],
    ['no data', JSON.stringify({ systemUUID: uuid }), 400],
    ['too much', JSON.stringify({ systemUUID: uuid, data: { x: 'x'.repeat(2 << 20) } }), 413],
    [
      'a list in place of text',
      JSON.stringify({ systemUUID: uuid, data: { networkInterfaces: [{ name: ['x'], macAddress: {} }, 7, null] } }),
      201,
    ],
    ['__proto__', `{"systemUUID":"${uuid}","data":{"__proto__":{"manufacturer":"x"}}}`, 400],
  ]
  for (const [what, body, status] of broken)
    it(`with ${what} is answered ${status}`, async () => {
      const world = await given()
      expect((await world.ask(`${world.ticket()}/register`, { method: 'POST', body })).status).toBe(status)
    })
  it('of a machine that has too much of everything is cut', async () => {
    const world = await given()
    const many = Array.from({ length: 2_000 }, (_, i) => ({ name: `e${i}`, macAddress: '02:5c:00:00:00:01', model: '\u0000\n' }))
    const body = { systemUUID: uuid, data: { networkInterfaces: many, cpu: many, storage: many } }
    expect((await world.ask(`${world.ticket()}/register`, { method: 'POST', body })).status).toBe(201)
    const { registration } = (await world.served())!
    expect([registration?.networkInterfaces?.length, registration?.storages?.[0]?.drives?.length]).toEqual([64, 256])
  })
  it('keeps each state once, in the order in which they came', async () => {
    const world = await given()
    for (const state of ['Installing', 'Installed', 'Installing'])
      await world.ask(`${world.ticket()}/bootstate`, { method: 'POST', body: { systemUUID: uuid, state } })
    expect((await world.served())?.reports?.map(({ state }) => state)).toEqual(['Installing', 'Installed'])
  })
})

it('a boot by PXE with small files costs four writes: script, kernel, initramfs, user data', async () => {
  const world = await given({ method: 'Pxe' })
  const before = world.writes().length
  await world.ask(`/ipxe/${uuid}`)
  for (const name of ['kernel', 'initramfs', 'ignition']) await world.ask(`${world.ticket()}/${name}`)
  expect(world.writes().length - before).toBe(4)
  expect((await world.served())?.fetches?.every(({ done }) => done !== undefined)).toBe(true)
})
