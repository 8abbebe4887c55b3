import { afterEach, describe, expect, it } from 'vitest'
import { events } from '../../src/boot/kinds.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { type BootWorld, baseUrl, bootWorld, type Circumstances, content, home, secretText, stranger, uuid } from './world.ts'

const worlds: BootWorld[] = []
const given = async (circumstances?: Circumstances): Promise<BootWorld> => {
  const world = await bootWorld(circumstances)
  worlds.push(world)
  return world
}
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.end()
})

describe('a ticketed artefact', () => {
  it('BP-013 X-015 is served whole, and on record before its last byte', async () => {
    const world = await given()
    const answer = await world.ask(`${world.ticket()}/os.efi`)
    expect({ status: answer.status, type: answer.headers['content-type'] }).toEqual({ status: 200, type: 'application/efi' })
    expect(answer.bytes.equals(content.uki)).toBe(true)
    expect(await world.served()).toMatchObject({ attempt: 1, fetches: [{ what: 'uki', from: home, done: expect.any(String) }] })
  })
  it('S9 HEAD, ranges and repeats are free while the attempt is open', async () => {
    const world = await given()
    const path = `${world.ticket()}/os.efi`
    const head = await world.ask(path, { method: 'HEAD' })
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(content.uki.length), ''])
    expect(await world.served()).toBeUndefined()
    expect((await world.ask(path, { headers: { range: 'bytes=0-9' } })).bytes.equals(content.uki.subarray(0, 10))).toBe(true)
    expect((await world.served())?.fetches?.[0]?.done).toBeUndefined()
    for (let i = 0; i < 3; i++) expect((await world.ask(path)).status).toBe(200)
  })
  it('counts as fetched whole when its ranges add up to the whole', async () => {
    const world = await given()
    const path = `${world.ticket()}/os.efi`
    const middle = 1_000_000
    await world.ask(path, { headers: { range: `bytes=${middle}-` } })
    expect((await world.served())?.fetches?.[0]?.done).toBeUndefined()
    await world.ask(path, { headers: { range: `bytes=0-${middle - 1}` } })
    expect((await world.served())?.fetches?.[0]?.done).toBeDefined()
  })
  it('writes nothing for a repeat', async () => {
    const world = await given()
    await world.ask(`${world.ticket()}/kernel`)
    const before = world.writes().length
    await world.ask(`${world.ticket()}/kernel`)
    expect(world.writes().length).toBe(before)
  })
  it('S9 is bound to the address that fetched it first, each by itself', async () => {
    const world = await given()
    await world.ask(`${world.ticket()}/os.efi`)
    expect((await world.ask(`${world.ticket()}/os.efi`, { from: stranger })).status).toBe(403)
    expect((await world.ask(`${world.ticket()}/os.iso`, { from: stranger })).status).toBe(200)
    expect(await world.said()).toEqual([expect.stringContaining(`${stranger} asks for the uki that ${home} fetched first`)])
  })
  it('S9 stays bound after a restart', async () => {
    const world = await given()
    await world.ask(`${world.ticket()}/os.efi`)
    await world.restart()
    expect((await world.ask(`${world.ticket()}/os.efi`, { from: stranger })).status).toBe(403)
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(200)
  })
  it('takes an IPv4 address for the same one when it comes dressed as IPv6', async () => {
    const world = await given()
    await world.ask(`${world.ticket()}/os.efi`)
    expect((await world.ask(`${world.ticket()}/os.efi`, { from: `::ffff:${home}` })).status).toBe(200)
  })
  it('asks to come again while the image is not in the cache', async () => {
    const world = await given()
    await world.boot.stop()
    const { memoryBlobs } = await import('../../src/boot/blobs/memory.ts')
    const { verified } = await import('../../src/oci/verify.ts')
    world.boot = await world.another({ blobs: memoryBlobs(verified) })
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(503)
    expect(await world.served()).toBeUndefined()
  })
})

describe('a ticket', () => {
  const refusals: readonly (readonly [what: string, more: object])[] = [
    ['of another attempt', { attempt: 2 }],
    ['of another server', { serverUID: 'somebody-else' }],
    ['of another configuration', { configurationUID: 'another' }],
    ['of another generation', { generation: 2 }],
  ]
  for (const [what, more] of refusals)
    it(`S9 ${what} is refused`, async () => {
      const world = await given()
      for (const name of ['os.efi', 'kernel', 'ignition']) expect((await world.ask(`${world.ticket(more)}/${name}`)).status, name).toBe(403)
    })
  it('S9 I14 is void once the attempt has ended', async () => {
    const world = await given()
    await world.note({ step: 'Ended' })
    for (const name of ['os.efi', 'ignition']) expect((await world.ask(`${world.ticket()}/${name}`)).status).toBe(403)
    expect((await world.ask(`${world.ticket()}/bootstate`, { method: 'POST', body: { systemUUID: uuid, booted: true } })).status).toBe(403)
  })
  it('S9 is void once the attempt has expired', async () => {
    const world = await given()
    await world.clock.advance(minutes(61))
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(403)
  })
  it('I28 is neither ended nor prolonged by a wall clock that jumps', async () => {
    const world = await given()
    world.clock.jump(minutes(120))
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(200)
    world.clock.jump(minutes(-240))
    await world.clock.advance(minutes(61))
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(403)
  })
  it('S9 is void once what is booted is gone', async () => {
    const world = await given()
    const { configurations } = await import('../../src/controllers/metal/resources.ts')
    await world.kube.delete(configurations, { name: 'c1', namespace: 'default' })
    await world.clock.settle()
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(403)
  })
  it('of an attempt that the watch has not told yet is looked up', async () => {
    const world = await given()
    world.hold()
    await world.note({ attempt: 2 })
    expect((await world.ask(`${world.ticket({ attempt: 2 })}/os.efi`)).status).toBe(200)
    expect((await world.ask(`${world.ticket({ attempt: 1 })}/os.efi`)).status).toBe(403)
    world.release()
  })
})

describe('the second boot of an attempt', () => {
  it('T-82 gets no install artefact a minute after the first fetched it whole', async () => {
    const world = await given()
    await world.ask(`${world.ticket()}/os.efi`)
    await world.clock.advance(seconds(50))
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(200)
    await world.clock.advance(seconds(20))
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(403)
    expect(await world.said()).toEqual([expect.stringContaining('this is another boot')])
  })
  it('T-82 nor after a restart of the boot server', async () => {
    const world = await given()
    await world.ask(`${world.ticket()}/os.efi`)
    await world.clock.advance(seconds(70))
    await world.restart()
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(403)
  })
  it('gets one as long as none was fetched whole', async () => {
    const world = await given()
    await world.ask(`${world.ticket()}/os.efi`, { headers: { range: 'bytes=0-99' } })
    await world.clock.advance(minutes(10))
    expect((await world.ask(`${world.ticket()}/os.efi`)).status).toBe(200)
  })
  const later: readonly (readonly [what: string, make: (world: BootWorld) => Promise<unknown>])[] = [
    ['its system fetched its configuration', world => world.ask(`${world.ticket()}/ignition`)],
    [
      'its system reported',
      world => world.ask(`${world.ticket()}/bootstate`, { method: 'POST', body: { systemUUID: uuid, booted: true } }),
    ],
    ['the controller says so', world => world.note({ serves: false })],
  ]
  for (const [what, make] of later)
    it(`T-82 gets no install artefact once ${what}`, async () => {
      const world = await given({ method: 'Pxe' })
      await make(world)
      for (const name of ['os.efi', 'kernel', 'initramfs']) expect((await world.ask(`${world.ticket()}/${name}`)).status, name).toBe(403)
      expect((await world.ask(`/ipxe/${uuid}`)).text).toContain('It stops here.')
    })
  it('still reads a medium that its system runs from', async () => {
    const world = await given()
    await world.ask(`${world.ticket()}/os.iso`)
    await world.ask(`${world.ticket()}/ignition`)
    await world.clock.advance(minutes(10))
    expect((await world.ask(`${world.ticket()}/os.iso`, { headers: { range: 'bytes=0-1' } })).status).toBe(206)
  })
})

describe('a boot by iPXE', () => {
  it('begins with a script that asks again with the UUID', async () => {
    const world = await given({ method: 'Pxe' })
    expect((await world.ask('/ipxe')).text).toBe(`#!ipxe\nchain --replace --autofree ${baseUrl}/ipxe/\${uuid}\n`)
  })
  it('BP-013 BP-024 gets a script with ticketed addresses from a known address, and everything that they name', async () => {
    const world = await given({ method: 'Pxe' })
    const script = (await world.ask(`/ipxe/${uuid}`)).text
    const lines = script.split('\n')
    expect(lines[0]).toBe('#!ipxe')
    for (const [name, role] of [
      ['kernel', 'kernel'],
      ['initramfs', 'initramfs'],
      ['squashfs', 'squashfs'],
    ] as const) {
      const path = new RegExp(`${baseUrl}(/boot/[^ ]+/${name})\\b`).exec(script)?.[1]
      expect((await world.ask(path ?? '')).bytes.equals(content[role]), name).toBe(true)
    }
    const ignition = /ignition\.config\.url=https:\/\/boot\.example([^ ]+)/.exec(script)?.[1]
    expect((await world.ask(ignition ?? '')).text).toContain(secretText)
  })
  it('is told the same by any spelling of its UUID, and by its hardware address', async () => {
    const world = await given({ method: 'Pxe' })
    for (const name of [uuid.toUpperCase(), '55759438-4277-4834-3784-823347823834', '02-5c-00-00-00-01'])
      expect((await world.ask(`/ipxe/${name}`)).text, name).toContain('/boot/')
  })
  it('X-015 BP-003 is stopped where no boot was commanded', async () => {
    const world = await given({ method: 'Pxe' })
    await world.note({ step: 'Ended' })
    const answer = await world.ask(`/ipxe/${uuid}`)
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('It stops here.')])
    expect(await world.served()).toBeUndefined()
  })
  it('is stopped while its power-on was not commanded', async () => {
    const world = await given({ method: 'Pxe', step: 'Arming' })
    expect((await world.ask(`/ipxe/${uuid}`)).text).toContain('It stops here.')
  })
  it('BP-005 is stopped where another way to boot was commanded', async () => {
    const world = await given({ method: 'UefiHttp' })
    expect((await world.ask(`/ipxe/${uuid}`)).text).toContain('It stops here.')
    expect(await world.said()).toEqual([expect.stringContaining('it was told to boot by UefiHttp, and asks by PXE')])
  })
  it('from an address that is not known gets no user data, so it is stopped where it needs some', async () => {
    const world = await given({ method: 'Pxe' })
    expect((await world.ask(`/ipxe/${uuid}`, { from: stranger })).text).toContain('It stops here.')
  })
  it('from an address that is not known boots where it needs no user data, and binds that address', async () => {
    const world = await given({ method: 'Pxe', userData: false, addresses: [] })
    expect((await world.ask(`/ipxe/${uuid}`, { from: stranger })).text).toContain('/boot/')
    expect((await world.ask(`/ipxe/${uuid}`, { from: '10.9.9.8' })).text).toContain('It stops here.')
  })
  it('by window gets user data only where that was allowed', async () => {
    const world = await given({ method: 'Pxe', addresses: [], allowUserDataByWindow: true })
    const script = (await world.ask(`/ipxe/${uuid}`, { from: stranger })).text
    const ignition = /ignition\.config\.url=https:\/\/boot\.example([^ ]+)/.exec(script)?.[1]
    expect((await world.ask(ignition ?? '', { from: stranger })).text).toContain(secretText)
  })
})

describe('a boot by UEFI HTTP without a ticket', () => {
  it('is let in from an address that is known for the server, by its stable address or by what DHCP says', async () => {
    const world = await given()
    const { digestOf } = await import('./world.ts')
    for (const path of [`/artifacts/${digestOf(content.uki).replace(':', '-')}/os.efi`, '/httpboot.efi', `/httpboot/${uuid}.efi`])
      expect((await world.ask(path)).bytes.equals(content.uki), path).toBe(true)
  })
  it('is refused from elsewhere', async () => {
    const world = await given()
    const { digestOf } = await import('./world.ts')
    for (const path of [`/artifacts/${digestOf(content.uki).replace(':', '-')}/os.efi`, '/httpboot.efi'])
      expect((await world.ask(path, { from: stranger })).status, path).toBe(403)
    expect(await world.said()).toEqual([])
    expect(world.boot.metrics()).toContain('rackwright_boot_refused_total{host="unknown"} 2')
  })
  it('is refused once the attempt has ended', async () => {
    const world = await given()
    await world.note({ step: 'Ended' })
    expect((await world.ask('/httpboot.efi')).status).toBe(403)
  })
})

describe('a refusal', () => {
  it('is told once per server and ten minutes', async () => {
    const world = await given()
    await world.note({ step: 'Ended' })
    for (let i = 0; i < 50; i++) await world.ask(`${world.ticket()}/os.efi`)
    await world.clock.settle()
    expect(await world.said()).toEqual([expect.stringContaining('BootRefused ×1')])
    await world.clock.advance(minutes(11))
    await world.ask(`${world.ticket()}/os.efi`)
    await world.clock.settle()
    expect(await world.said()).toEqual([expect.stringContaining('BootRefused ×51')])
  })
  it('is told anew where its Event has expired meanwhile, and counted from there', async () => {
    const world = await given()
    await world.note({ step: 'Ended' })
    const refused = async (times: number): Promise<readonly string[]> => {
      for (let i = 0; i < times; i++) await world.ask(`${world.ticket()}/os.efi`)
      await world.clock.settle()
      return world.said()
    }
    await refused(50)
    for (const { metadata } of (await world.kube.list(events)).items)
      await world.kube.delete(events, { name: metadata.name, namespace: 'default' })
    await world.clock.advance(minutes(11))
    expect(await refused(1)).toEqual([expect.stringContaining('BootRefused ×50')])
    await world.clock.advance(minutes(11))
    expect(await refused(3)).toEqual([expect.stringContaining('BootRefused ×51')])
  })
  it('is counted during an attempt, on record at ten and whenever it has doubled', async () => {
    const world = await given()
    await world.ask(`${world.ticket()}/kernel`)
    const before = world.writes().length
    for (let i = 0; i < 45; i++) await world.ask(`${world.ticket()}/kernel`, { from: stranger })
    await world.clock.settle()
    expect((await world.served())?.refused).toBe(40)
    expect(world.writes().filter(({ path }) => path.includes('/serverbootconfigurations/')).length - before).toBeLessThanOrEqual(3)
  })
})
