import { describe, expect, it } from 'vitest'
import type { HttpRequest, HttpResponse } from '../../src/ports/index.ts'
import { isAllowed } from '../../src/redfish/transport/allowlist.ts'
import { lane } from '../../src/redfish/transport/lane.ts'
import { safePath } from '../../src/redfish/transport/link.ts'
import { settled } from '../kube-client/fakes.ts'
import { json, refusal, type Tree } from './fake.ts'
import { bootOf, faultOf, opened, systemOf } from './open.ts'

const system = 'GET /redfish/v1/Systems/1'

describe('the line to a BMC', () => {
  it('I17 carries one request at a time', async () => {
    const { bmc, fake } = await opened()
    let now = 0
    let most = 0
    fake.on.set(system, async () => {
      most = Math.max(most, ++now)
      await settled()
      now--
      return json(200, systemOf(fake.tree))
    })
    await Promise.all(Array.from({ length: 8 }, () => bmc.power.state()))
    expect(most).toBe(1)
  })

  it('gives up on a read after 30 seconds, on a change after 90', async () => {
    const { bmc, fake, clock } = await opened()
    fake.on.set(system, () => new Promise(() => {}))
    const read = faultOf(bmc.power.state())
    await settled()
    await clock.advance(29_000)
    await clock.advance(1_000)
    expect(await read).toMatchObject({ code: 'bmc/no-answer', retry: 'backoff', message: expect.stringContaining('30 seconds') })
    fake.on.delete(system)
    fake.on.set('POST /redfish/v1/Systems/1/Actions/ComputerSystem.Reset', () => new Promise(() => {}))
    const write = faultOf(bmc.power.set('On', 'graceful'))
    await settled()
    await clock.advance(90_000)
    expect(await write).toMatchObject({ code: 'bmc/no-answer', message: expect.stringContaining('90 seconds') })
  })

  it('stops when its caller stops, and lets the next one go on', async () => {
    const { bmc, fake } = await opened()
    fake.on.set(system, () => new Promise(() => {}))
    const stop = new AbortController()
    const first = faultOf(bmc.power.state(stop.signal))
    await settled()
    const waiting = new AbortController()
    const second = faultOf(bmc.power.state(waiting.signal))
    waiting.abort(new Error('not needed any more'))
    expect(await second).toMatchObject({ message: 'not needed any more' })
    stop.abort(new Error('enough'))
    expect(await first).toMatchObject({ message: 'enough' })
    fake.on.delete(system)
    expect(await bmc.power.state()).toBe('Off')
  })

  it('leaves a BMC alone that did not answer three times, and asks again later with one request', async () => {
    const { bmc, fake, clock } = await opened()
    let asked = 0
    fake.on.set(system, () => {
      asked++
      throw new Error('ECONNREFUSED')
    })
    const codes: string[] = []
    for (let n = 0; n < 6; n++) codes.push((await faultOf(bmc.power.state())).code)
    expect(codes.filter(code => code === 'bmc/unreachable').length).toBeGreaterThan(0)
    expect(codes.slice(-3)).toEqual(['bmc/resting', 'bmc/resting', 'bmc/resting'])
    const before = asked
    await clock.advance(16_000)
    await Promise.all([faultOf(bmc.power.state()), faultOf(bmc.power.state()), faultOf(bmc.power.state())])
    expect(asked - before).toBe(1)
    fake.on.delete(system)
    await clock.advance(600_000)
    expect(await bmc.power.state()).toBe('Off')
  })

  it('repeats a read over a connection that was closed meanwhile, but never a change', async () => {
    const { bmc, fake } = await opened()
    let broken = 1
    const breaks = (): undefined => {
      if (broken-- > 0) throw new Error('other side closed')
    }
    fake.on.set(system, breaks)
    expect(await bmc.power.state()).toBe('Off')
    fake.on.delete(system)
    broken = 1
    fake.on.set('POST /redfish/v1/Systems/1/Actions/ComputerSystem.Reset', breaks)
    expect(await faultOf(bmc.power.set('On', 'graceful'))).toMatchObject({ code: 'bmc/unreachable' })
    expect(fake.writes).toHaveLength(1)
  })

  it('S14 follows no redirect', async () => {
    const { bmc, fake } = await opened()
    fake.on.set(system, () => ({ ...json(301), headers: { location: 'https://elsewhere.test/redfish/v1/Systems/1' } }))
    expect(await faultOf(bmc.power.state())).toMatchObject({ code: 'bmc/redirected', retry: 'when-changed' })
  })

  it('asks for plain bodies, and unpacks what comes packed all the same', async () => {
    const { gzipSync } = await import('node:zlib')
    const { bmc, fake } = await opened()
    fake.on.set(system, request =>
      request.headers['accept-encoding'] === 'identity'
        ? refusal(406, 'NotAcceptable')
        : { status: 200, headers: { 'content-encoding': 'gzip' }, body: gzipSync(JSON.stringify({ PowerState: 'On' })) },
    )
    expect(await bmc.power.state()).toBe('On')
    fake.on.set(system, () => ({
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20)),
    }))
    expect(await faultOf(bmc.power.state())).toMatchObject({ code: 'bmc/bad-answer' })
  })
})

describe('collections', () => {
  const options = '/redfish/v1/Systems/1/BootOptions'
  const expands = (tree: Tree): void => {
    tree['/redfish/v1']!['ProtocolFeaturesSupported'] = { ExpandQuery: { NoLinks: true, Levels: true, MaxLevels: 1 } }
  }

  it('are walked page by page', async () => {
    const { bmc, fake } = await opened()
    const member = (n: number) => ({ '@odata.id': `${options}/Boot000${n}` })
    fake.on.set(`GET ${options}`, ({ url }) =>
      json(200, url.includes('skip') ? { Members: [member(2)] } : { Members: [member(1)], 'Members@odata.nextLink': `${options}?$skip=1` }),
    )
    expect((await bmc.boot.options!()).map(({ reference }) => reference)).toEqual(['Boot0001', 'Boot0002'])
  })

  it('come expanded where the service offers it, and one by one from the moment that it fails', async () => {
    const { bmc, fake } = await opened(expands)
    fake.on.set(`GET ${options}`, ({ url }) =>
      url.includes('$expand=.($levels=1)') ? json(200, { Members: [fake.tree[`${options}/Boot0001`]] }) : undefined,
    )
    expect(await bmc.boot.options!()).toHaveLength(1)
    fake.on.set(`GET ${options}`, ({ url }) => (url.includes('$expand') ? refusal(501, 'QueryNotSupported') : undefined))
    expect(await bmc.boot.options!()).toHaveLength(2)
    const asked = fake.requests.length
    await bmc.boot.options!()
    expect(fake.requests.slice(asked).some(({ url }) => url.includes('$expand'))).toBe(false)
  })

  it('that are only busy are not taken for unable to expand', async () => {
    const { bmc, fake } = await opened(expands)
    fake.on.set(`GET ${options}`, () => refusal(503, 'ServiceTemporarilyUnavailable'))
    expect(await faultOf(bmc.boot.options!())).toMatchObject({ code: 'bmc/busy' })
  })
})

describe('refusals', () => {
  it.each([
    { status: 400, id: 'UnableToModifyDuringSystemPOST', code: 'bmc/in-post', retry: 'backoff' },
    { status: 400, id: 'InvalidOperationForSystemState', code: 'bmc/in-post', retry: 'backoff' },
    { status: 503, id: 'ServiceTemporarilyUnavailable', code: 'bmc/busy', retry: 'backoff' },
    { status: 400, id: 'SYS518', code: 'bmc/busy', retry: 'backoff' },
    { status: 429, id: 'GeneralError', code: 'bmc/throttled', retry: 'backoff' },
    { status: 403, id: 'InsufficientPrivilege', code: 'bmc/forbidden', retry: 'when-changed' },
    { status: 400, id: 'PropertyValueNotInList', code: 'bmc/refused', retry: 'when-changed' },
    { status: 405, id: 'OperationNotAllowed', code: 'bmc/not-offered', retry: 'when-changed' },
    { status: 500, id: 'InternalError', code: 'bmc/error', retry: 'backoff' },
  ])('$status $id becomes $code', async ({ status, id, code, retry }) => {
    const { bmc, fake } = await opened()
    fake.on.set('PATCH /redfish/v1/Systems/1', () => refusal(status, id, 'Some words of the BMC.'))
    expect(await faultOf(bmc.boot.once('Pxe'))).toMatchObject({ code, retry, message: expect.stringContaining('Some words of the BMC.') })
  })

  it('that only say lockdown or licence are told as such', async () => {
    const { bmc, fake } = await opened()
    fake.on.set('PATCH /redfish/v1/Systems/1', () => refusal(403, 'LC068', 'The system is in Lockdown mode.'))
    expect(await faultOf(bmc.boot.once('Pxe'))).toMatchObject({ code: 'bmc/lockdown', retry: 'when-changed' })
    fake.on.set('PATCH /redfish/v1/Systems/1', () => refusal(400, 'SMC.OemLicenseNotPassed', 'Not licensed to perform this request.'))
    expect(await faultOf(bmc.boot.once('Pxe'))).toMatchObject({ code: 'bmc/license' })
  })

  it('hung on single fields of an accepted change count', async () => {
    const { bmc, fake } = await opened()
    fake.on.set('PATCH /redfish/v1/Systems/1', () =>
      json(200, {
        Boot: {
          'BootSourceOverrideTarget@Message.ExtendedInfo': [
            { MessageId: 'Base.1.8.PropertyNotWritable', Message: 'It is read-only.', Severity: 'Warning' },
          ],
        },
      }),
    )
    expect(await faultOf(bmc.boot.once('Pxe'))).toMatchObject({ code: 'bmc/refused', message: expect.stringContaining('read-only') })
  })

  it('named Success are none', async () => {
    const { bmc, fake } = await opened()
    fake.on.set('PATCH /redfish/v1/Systems/1', () =>
      json(200, { error: { code: 'iLO.0.10.ExtendedInfo', '@Message.ExtendedInfo': [{ MessageId: 'Base.1.4.Success' }] } }),
    )
    await bmc.boot.once('Pxe')
  })
})

describe('tags of resources', () => {
  const patch = 'PATCH /redfish/v1/Systems/1'
  const sent = (requests: readonly HttpRequest[]) =>
    requests.filter(({ method }) => method === 'PATCH').map(({ headers }) => headers['if-match'])
  const picky =
    (accepts: (tag: string | undefined) => boolean, status = 412) =>
    (request: HttpRequest): HttpResponse | undefined =>
      accepts(request.headers['if-match']) ? undefined : refusal(status, 'PreconditionFailed')

  it('go along with a change', async () => {
    const { bmc, fake } = await opened()
    await bmc.boot.once('Pxe')
    expect(sent(fake.requests)).toEqual(['"s1"'])
  })

  it('are read anew where the resource changed meanwhile', async () => {
    const { bmc, fake } = await opened()
    fake.on.set(
      patch,
      picky(tag => tag === '"s2"'),
    )
    fake.on.set(system, () => {
      const shown = { ...systemOf(fake.tree) }
      systemOf(fake.tree)['@odata.etag'] = '"s2"'
      return json(200, shown)
    })
    await bmc.boot.once('Pxe')
    expect(sent(fake.requests)).toEqual(['"s1"', '"s2"'])
  })

  it('are sent in their strong form where the weak one is refused, and left out where both are', async () => {
    const weak = (tree: Record<string, Record<string, unknown>>): void => {
      systemOf(tree)['@odata.etag'] = 'W/"w"'
    }
    const strong = await opened(weak, fake =>
      fake.on.set(
        patch,
        picky(tag => tag === '"w"'),
      ),
    )
    await strong.bmc.boot.once('Pxe')
    expect(sent(strong.fake.requests)).toEqual(['W/"w"', 'W/"w"', '"w"'])
    const none = await opened(weak, fake =>
      fake.on.set(
        patch,
        picky(tag => tag === undefined),
      ),
    )
    await none.bmc.boot.once('Pxe')
    expect(sent(none.fake.requests)).toEqual(['W/"w"', 'W/"w"', '"w"', undefined])
  })

  it('that are empty are not sent; a star is, where one is demanded', async () => {
    const { bmc, fake } = await opened(
      tree => {
        systemOf(tree)['@odata.etag'] = ''
      },
      fake =>
        fake.on.set(
          patch,
          picky(tag => tag === '*', 428),
        ),
    )
    await bmc.boot.once('Pxe')
    expect(sent(fake.requests)).toEqual([undefined, '*'])
  })

  it('never go along with an action', async () => {
    const { bmc, fake } = await opened()
    await bmc.power.state()
    await bmc.power.set('On', 'graceful')
    expect(fake.requests.find(({ method, url }) => method === 'POST' && url.includes('Reset'))?.headers).not.toHaveProperty('if-match')
  })

  it('that are refused whatever is sent end in a fault', async () => {
    const { bmc } = await opened(undefined, fake => fake.on.set(patch, () => refusal(412, 'PreconditionFailed')))
    expect(await faultOf(bmc.boot.once('Pxe'))).toMatchObject({ code: 'bmc/changed-meanwhile', retry: 'backoff' })
  })
})

describe('links', () => {
  it.each([
    ['https://elsewhere.test/redfish/v1/Systems/1'],
    ['//elsewhere.test/redfish'],
    ['/redfish/../etc/passwd'],
    ['/redfish/v1/%2e%2e/x'],
    ['/admin'],
    ['redfish/v1'],
    ['/redfish/v1/\r\nX: y'],
    ['/redfish/v1/ a'],
    [42],
    [null],
    ['/redfish/v1/\u0000'],
    ['/redfish\\v1'],
    [`/redfish/${'x'.repeat(3_000)}`],
    ['/redfish/v1/./x'],
  ])('lead nowhere: %s', link => expect(safePath(link)).toBeUndefined())

  it.each([
    ['/redfish/v1/Systems/1#/Boot', '/redfish/v1/Systems/1'],
    ['/redfish/v1/x?$skip=50', '/redfish/v1/x?$skip=50'],
    ['/redfish/v1/Drives/Disk.Bay.0:Enclosure.1', '/redfish/v1/Drives/Disk.Bay.0:Enclosure.1'],
    ['/registries/Bios.1.0.0.json', '/registries/Bios.1.0.0.json'],
  ])('are followed: %s', (link, path) => expect(safePath(link)).toBe(path))

  it('to a neighbour are not taken for an action of ours', async () => {
    const { bmc, fake } = await opened()
    const actions = systemOf(fake.tree)['Actions'] as Record<string, Record<string, unknown>>
    actions['#ComputerSystem.Reset']!['target'] = '/redfish/v1/Systems/2/Actions/ComputerSystem.Reset'
    const again = await opened(tree => {
      systemOf(tree)['Actions'] = actions
      bootOf(tree)
    }).catch((error: unknown) => error)
    expect(again).toMatchObject({ code: 'bmc/stray-link' })
    await bmc.close()
  })
})

describe('S15 CVE-2026-90458 the list of what is asked of BMCs', () => {
  it.each([
    ['POST', '/redfish/v1/Managers/1/Actions/Manager.ResetToDefaults'],
    ['POST', '/redfish/v1/Systems/1/Bios/Actions/Bios.ResetBios'],
    ['POST', '/redfish/v1/Systems/1/SecureBoot/Actions/SecureBoot.ResetKeys'],
    ['POST', '/redfish/v1/Systems/1/Storage/1/Drives/1/Actions/Drive.SecureErase'],
    ['POST', '/redfish/v1/AccountService/Accounts'],
    ['PATCH', '/redfish/v1/AccountService/Accounts/1'],
    ['DELETE', '/redfish/v1/Systems/1/Storage/1/Volumes/1'],
    ['DELETE', '/redfish/v1/SessionService'],
    ['PATCH', '/redfish/v1/Managers/1'],
    ['GET', '/admin'],
    ['POST', '/redfish/v1/Systems/1/Actions/Oem/X.Reset'],
    ['POST', '/redfish/v1/Chassis/1/Actions/Chassis.Reset'],
    ['POST', '/redfish/v1/Systems/1/../2/Actions/ComputerSystem.Reset'],
  ] as const)('has no %s %s', (verb, path) => expect(isAllowed(verb, path)).toBe(false))
})

describe('a lane', () => {
  it('runs in order and never more than its places', async () => {
    const one = lane(2)
    const order: number[] = []
    let now = 0
    let most = 0
    await Promise.all(
      [1, 2, 3, 4, 5].map(n =>
        one.through(async () => {
          most = Math.max(most, ++now)
          order.push(n)
          await settled()
          now--
        }),
      ),
    )
    expect(order).toEqual([1, 2, 3, 4, 5])
    expect(most).toBe(2)
  })
})
