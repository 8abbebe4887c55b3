import { describe, expect, it } from 'vitest'
import type { HttpResponse } from '../../src/ports/index.ts'
import { silent } from '../../src/ports/index.ts'
import { openBmc } from '../../src/redfish/index.ts'
import { stepClock } from '../kube-client/fakes.ts'
import { fakeBmc, json, refusal } from './fake.ts'
import { faultOf, opened, systemOf } from './open.ts'
import { anyAccess } from './recorded.ts'

const sessions = 'POST /redfish/v1/SessionService/Sessions'
const logins = (asked: readonly string[]) => asked.filter(call => call === sessions).length

describe('sessions', () => {
  it('I17 are made once, shared by all requests and ended when closed', async () => {
    const { bmc, fake } = await opened()
    for (let n = 0; n < 5; n++) await bmc.power.state()
    expect(logins(fake.asked)).toBe(1)
    expect(fake.sessions.size).toBe(1)
    await bmc.close()
    expect(fake.sessions.size).toBe(0)
  })

  it('are made anew, once, when the BMC forgets them', async () => {
    const { bmc, fake } = await opened()
    fake.sessions.clear()
    expect(await bmc.power.state()).toBe('Off')
    expect(logins(fake.asked)).toBe(2)
    await bmc.close()
    expect(fake.sessions.size).toBe(0)
  })

  it('that the BMC refuses but keeps in its list are removed after the new login', async () => {
    const { bmc, fake } = await opened()
    let refusals = 1
    fake.on.set('GET /redfish/v1/Systems/1', () => (refusals-- > 0 ? refusal(401, 'NoValidSession') : undefined))
    await bmc.power.state()
    expect(fake.sessions.size).toBe(1)
    await bmc.close()
    expect(fake.sessions.size).toBe(0)
  })

  it('that are refused again right after a new login end in a fault, not in a loop', async () => {
    const { bmc, fake } = await opened()
    fake.on.set('GET /redfish/v1/Systems/1', () => refusal(401, 'NoValidSession'))
    expect(await faultOf(bmc.power.state())).toMatchObject({ code: 'bmc/unauthorized', retry: 'when-changed' })
    expect(logins(fake.asked)).toBe(2)
  })

  it('give way to basic authentication where the service makes none', async () => {
    const { bmc, fake } = await opened(undefined, fake => fake.on.set(sessions, () => refusal(405, 'OperationNotAllowed')))
    expect(await bmc.power.state()).toBe('Off')
    expect(fake.requests.at(-1)?.headers['authorization']).toMatch(/^Basic /)
    expect(logins(fake.asked)).toBe(1)
  })

  it('give way to basic authentication where the root links none', async () => {
    const { bmc, fake } = await opened(tree => {
      tree['/redfish/v1']!['Links'] = {}
    })
    expect(await bmc.power.state()).toBe('Off')
    expect(logins(fake.asked)).toBe(0)
  })

  it('by basic authentication forget a refusal as soon as an answer comes', async () => {
    const { bmc, fake } = await opened(undefined, fake => fake.on.set(sessions, () => refusal(405, 'OperationNotAllowed')))
    for (let n = 0; n < 5; n++) {
      fake.on.set('GET /redfish/v1/Systems/1', () => refusal(401, 'NoValidSession'))
      expect(await faultOf(bmc.power.state())).toMatchObject({ code: 'bmc/unauthorized' })
      fake.on.delete('GET /redfish/v1/Systems/1')
      expect(await bmc.power.state()).toBe('Off')
    }
  })

  it('I19 are not tried a third time with credentials that were refused twice, until these change', async () => {
    const fake = fakeBmc()
    const clock = stepClock(true)
    let password = 'wrong'
    const access = anyAccess({ credentials: async () => ({ username: 'root', password }) })
    const { connect } = await import('../../src/redfish/connect.ts')
    const { describe: look } = await import('../../src/redfish/open.ts')
    const line = connect(access, { clock, log: silent, transport: fake.transport })
    expect(await faultOf(look(line, undefined))).toMatchObject({ code: 'bmc/unauthorized', retry: 'when-changed' })
    expect(await faultOf(look(line, undefined))).toMatchObject({ code: 'bmc/unauthorized' })
    for (let n = 0; n < 20; n++)
      expect(await faultOf(look(line, undefined))).toMatchObject({ code: 'bmc/login-paused', retry: 'when-changed' })
    expect(fake.loginFailures).toBe(2)
    password = fake.password
    expect((await look(line, undefined)).identity.serial).toBe('SN-1')
    await line.close()
  })

  it('fail at most a handful of times in a day of wrong credentials', async () => {
    const fake = fakeBmc()
    const clock = stepClock(true)
    const { connect } = await import('../../src/redfish/connect.ts')
    const { describe: look } = await import('../../src/redfish/open.ts')
    const line = connect(anyAccess({ credentials: async () => ({ username: 'root', password: 'wrong' }) }), {
      clock,
      log: silent,
      transport: fake.transport,
    })
    for (let minute = 0; minute < 24 * 60; minute++) {
      await faultOf(look(line, undefined))
      await clock.advance(60_000)
    }
    expect(fake.loginFailures).toBe(4)
  })

  it('are left alone for a while when the BMC has no room for one', async () => {
    const fake = fakeBmc()
    const clock = stepClock(true)
    let tries = 0
    fake.on.set(sessions, () => {
      tries++
      return refusal(503, 'RAC0218', 'The maximum number of user sessions is reached.')
    })
    const { connect } = await import('../../src/redfish/connect.ts')
    const { describe: look } = await import('../../src/redfish/open.ts')
    const line = connect(anyAccess(), { clock, log: silent, transport: fake.transport })
    for (let n = 0; n < 10; n++) expect(await faultOf(look(line, undefined))).toMatchObject({ code: 'bmc/session-limit', retry: 'backoff' })
    expect(tries).toBe(1)
    fake.on.delete(sessions)
    await clock.advance(61_000)
    expect((await look(line, undefined)).identity.serial).toBe('SN-1')
  })

  it('that end between two changes cost a look at who is there, and the change is made', async () => {
    const { bmc, fake } = await opened()
    fake.sessions.clear()
    await bmc.power.set('On', 'graceful')
    expect(systemOf(fake.tree)['PowerState']).toBe('On')
    const reset = 'POST /redfish/v1/Systems/1/Actions/ComputerSystem.Reset'
    const since = fake.asked.slice(fake.asked.indexOf(reset))
    expect(since).toEqual([reset, sessions, 'DELETE /redfish/v1/SessionService/Sessions/token-1', 'GET /redfish/v1/Systems/1', reset])
  })

  it('of another machine at the same address change nothing', async () => {
    const { bmc, fake } = await opened()
    fake.sessions.clear()
    systemOf(fake.tree)['SerialNumber'] = 'SN-2'
    systemOf(fake.tree)['UUID'] = '00000000-0000-0000-0000-000000000002'
    expect(await faultOf(bmc.power.set('On', 'graceful'))).toMatchObject({ code: 'bmc/another-machine', retry: 'when-changed' })
    // The one change was refused with the old session; after the login it was not repeated.
    expect(fake.writes).toHaveLength(1)
    expect(systemOf(fake.tree)['PowerState']).toBe('Off')
  })
})

describe('secrets', () => {
  it('S11 CVE-2015-1320 never reach faults or logs, even when the BMC says them back', async () => {
    const lines: string[] = []
    const note = (what: string, about?: object) => void lines.push(what + JSON.stringify(about))
    const log = { debug: note, info: note, warn: note, error: note }
    const fake = fakeBmc()
    fake.password = 'another'
    const access = anyAccess({ credentials: async () => ({ username: 'root', password: 'calvin-secret' }) })
    const found = await faultOf(openBmc(access, { clock: stepClock(true), log, transport: fake.transport }))
    expect(found.message).toContain('•••')
    const { bmc, fake: other } = await opened(undefined, undefined, log)
    const token = [...other.sessions][0]!
    const echo = (status: number): HttpResponse =>
      refusal(status, 'Odd', `you sent ${token} and calvin-secret and ${Buffer.from('root:calvin-secret').toString('base64')}`)
    for (const status of [400, 403, 500, 503]) {
      other.on.set('GET /redfish/v1/Systems/1', () => echo(status))
      lines.push((await faultOf(bmc.power.state())).message)
    }
    other.on.set('GET /redfish/v1/Systems/1', () => {
      throw new Error(`broken pipe while sending x-auth-token: ${token}`)
    })
    lines.push((await faultOf(bmc.power.state())).message, found.message, JSON.stringify(found))
    const all = lines.join('\n')
    expect(all).not.toContain('calvin-secret')
    expect(all).not.toContain(token)
    expect(all).not.toContain(Buffer.from('root:calvin-secret').toString('base64'))
    expect(lines.length).toBeGreaterThan(10)
  })

  it('are refused inside an address', async () => {
    const found = await faultOf(
      openBmc(anyAccess({ address: 'https://root:calvin-secret@bmc.test' }), {
        clock: stepClock(true),
        log: silent,
        transport: async () => json(200, {}),
      }),
    )
    expect(found.code).toBe('bmc/bad-address')
    expect(found.message).not.toContain('calvin-secret')
  })
})
