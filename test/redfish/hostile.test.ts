import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HttpResponse } from '../../src/ports/index.ts'
import { json } from './fake.ts'
import { faultOf, opened, systemOf } from './open.ts'

const system = 'GET /redfish/v1/Systems/1'
const raw = (body: string | Uint8Array, type = 'application/json'): HttpResponse => ({
  status: 200,
  headers: { 'content-type': type },
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
})

describe('S14 CVE-2024-54085 a BMC that sends rubbish', () => {
  it.each([
    ['truncated JSON', '{"PowerState": "O'],
    ['a document twice', '{"PowerState":"On"}{"PowerState":"On"}'],
    ['nothing', ''],
    ['a page', '<html><body>Login</body></html>'],
    ['a list', '[1,2,3]'],
    ['a number', '42'],
    ['bytes that are no text', '\u0000\u0001\u0002'],
    ['a hundred thousand brackets', '['.repeat(100_000)],
    ['65 levels', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
    ['__proto__', '{"PowerState":"On","__proto__":{"PowerState":"Off"}}'],
    ['__proto__ in disguise', '{"\\u005f_proto__":{"polluted":true}}'],
  ])('as %s gets a clear fault', async (_, body) => {
    const { bmc, fake } = await opened()
    fake.on.set(system, () => raw(body))
    expect(await faultOf(bmc.power.state())).toMatchObject({ code: 'bmc/bad-answer', retry: 'backoff' })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('as JSON of another content type is understood', async () => {
    const { bmc, fake } = await opened()
    fake.on.set(system, () => raw('{"PowerState":"On"}', 'text/html'))
    expect(await bmc.power.state()).toBe('On')
  })

  it.each([[null], [42], ['ON!'], [{}], [['On']], ['constructor'], ['']])('I29 as power state %j is Unknown', async state => {
    const { bmc, fake } = await opened()
    fake.on.set(system, () => json(200, { PowerState: state }))
    expect(await bmc.power.state()).toBe('Unknown')
  })

  it('I29 as an unknown state never leads to a push on the button', async () => {
    const { bmc, fake } = await opened(tree => {
      const actions = systemOf(tree)['Actions'] as Record<string, Record<string, unknown>>
      actions['#ComputerSystem.Reset']!['ResetType@Redfish.AllowableValues'] = ['PushPowerButton', 'constructor', '__proto__']
      systemOf(tree)['PowerState'] = 'Confused'
    })
    for (const how of ['graceful', 'forced'] as const)
      for (const to of ['On', 'Off', 'Cycle'] as const)
        expect(await faultOf(bmc.power.set(to, how))).toMatchObject({ code: 'bmc/not-offered' })
    expect(fake.writes).toEqual([])
  })

  it('as 100 MB is cut off after four', async () => {
    const { bmc, fake } = await opened()
    let sent = 0
    let stopped = false
    async function* flood() {
      try {
        for (; sent < 100; sent++) yield new Uint8Array(1024 * 1024).fill(0x20)
      } finally {
        stopped = true
      }
    }
    for (const headers of [{}, { 'content-length': String(100 * 1024 * 1024) }]) {
      sent = 0
      stopped = false
      fake.on.set(system, () => ({ status: 200, headers, body: flood() }))
      expect(await faultOf(bmc.power.state())).toMatchObject({ code: 'bmc/too-large' })
      expect(sent).toBeLessThanOrEqual(5)
      expect(stopped).toBe(true)
    }
  })

  it('as a million members costs bounded memory, in one page or in many', async () => {
    const { bmc, fake } = await opened()
    const options = '/redfish/v1/Systems/1/BootOptions'
    const member = { '@odata.id': `${options}/Boot0001` }
    fake.on.set(`GET ${options}`, request => {
      const skip = Number(/skip=(\d+)/.exec(request.url)?.[1] ?? 0)
      return json(200, {
        Members: Array.from({ length: 100 }, () => member),
        'Members@odata.count': 1_000_000,
        'Members@odata.nextLink': `${options}?$skip=${skip + 100}`,
      })
    })
    const before = fake.asked.length
    expect(await faultOf(bmc.boot.options!())).toMatchObject({ code: 'bmc/too-large' })
    expect(fake.asked.length - before).toBeLessThan(100)
    const line = `{"@odata.id":"${options}/Boot0001"},`
    fake.on.set(`GET ${options}`, () => raw(`{"Members":[${line.repeat(1_000_000).slice(0, -1)}]}`))
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    collect()
    const start = process.memoryUsage().heapUsed
    expect(await faultOf(bmc.boot.options!())).toMatchObject({ code: 'bmc/too-large' })
    collect()
    expect(process.memoryUsage().heapUsed - start).toBeLessThan(32 * 1024 * 1024)
  })

  it('as pages that lead in a circle ends', async () => {
    const { bmc, fake } = await opened()
    const options = '/redfish/v1/Systems/1/BootOptions'
    fake.on.set(`GET ${options}`, () => json(200, { Members: [], 'Members@odata.nextLink': `${options}?$skip=1` }))
    expect(await faultOf(bmc.boot.options!())).toMatchObject({ code: 'bmc/too-large', message: expect.stringContaining('lead back') })
  })

  it('as storage that links itself ends', async () => {
    const { bmc } = await opened(tree => {
      const storage = tree['/redfish/v1/Systems/1/Storage/S1']!
      storage['Drives'] = Array.from({ length: 50 }, () => ({ '@odata.id': '/redfish/v1/Systems/1/Storage/S1' }))
    })
    expect((await bmc.inventory.read()).disks).toHaveLength(1)
  })

  it('as links to somebody else are not followed', async () => {
    const { bmc, fake } = await opened(tree => {
      systemOf(tree)['Bios'] = { '@odata.id': '/redfish/v1/Systems/1/Bios' }
      tree['/redfish/v1/Systems/1/Bios']!['@Redfish.Settings'] = { SettingsObject: { '@odata.id': 'https://evil.test/redfish/v1/x' } }
    })
    expect(await faultOf(bmc.bios!.set({ ProcCores: 4 }))).toMatchObject({ code: 'bmc/stray-link' })
    expect(fake.writes).toEqual([])
  })

  it('as fields of any type never breaks a reader', async () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.constantFrom(
            'Boot',
            'PowerState',
            'Status',
            'MemorySummary',
            'Processors',
            'Storage',
            'EthernetInterfaces',
            'BootProgress',
            'UUID',
          ),
          value,
        ),
        async odd => {
          const { bmc, fake } = await opened()
          fake.on.set(system, () => json(200, { ...systemOf(fake.tree), ...odd }))
          for (const look of [() => bmc.power.state(), () => bmc.boot.override(), () => bmc.boot.evidence(), () => bmc.inventory.read()])
            await look().catch((error: unknown) => expect(error).toMatchObject({ code: expect.stringMatching(/^bmc\//) }))
        },
      ),
      { numRuns: 60 },
    )
  })
})
