import { describe, expect, it } from 'vitest'
import { silent } from '../../src/ports/index.ts'
import { bmcPool } from '../../src/redfish/index.ts'
import { settled, stepClock } from '../kube-client/fakes.ts'
import { type FakeBmc, fakeBmc, json } from './fake.ts'
import { faultOf, systemOf } from './open.ts'
import { anyAccess } from './recorded.ts'

const logins = (fake: FakeBmc) => fake.asked.filter(call => call === 'POST /redfish/v1/SessionService/Sessions').length

function rack(...names: readonly string[]) {
  const clock = stepClock(true)
  const fakes = new Map(names.map(name => [name, fakeBmc()]))
  const passwords = new Map<string, string>()
  const addresses = new Map<string, string>()
  const pool = bmcPool({
    clock,
    log: silent,
    access: async server =>
      anyAccess({
        address: addresses.get(server) ?? server,
        credentials: async () => ({ username: 'root', password: passwords.get(server) ?? 'calvin-secret' }),
      }),
    transport:
      ({ address }) =>
      request =>
        fakes.get(address)!.transport(request),
  })
  return { clock, fakes, passwords, addresses, pool }
}

describe('the pool', () => {
  it('I17 keeps one session per BMC, however many use it, and ends them all', async () => {
    const { pool, fakes } = rack('a', 'b')
    await Promise.all(['a', 'b', 'a', 'a', 'b'].map(server => pool.use(server, bmc => bmc.power.state())))
    for (const fake of fakes.values()) expect(logins(fake)).toBe(1)
    await pool.close()
    for (const fake of fakes.values()) expect(fake.sessions.size).toBe(0)
    expect(await faultOf(pool.use('a', bmc => bmc.power.state()))).toMatchObject({ code: 'bmc/closed' })
  })

  it('I19 uses rotated credentials at the next login', async () => {
    const { pool, fakes, passwords } = rack('a')
    await pool.use('a', bmc => bmc.power.state())
    const fake = fakes.get('a')!
    fake.password = 'rotated'
    fake.sessions.clear()
    passwords.set('a', 'rotated')
    expect(await pool.use('a', bmc => bmc.power.state())).toBe('Off')
    expect(fake.loginFailures).toBe(0)
    await pool.close()
  })

  it('survives a day of rotation, the BMC sometimes ahead of the secret and sometimes behind it, without a lock', async () => {
    const { pool, fakes, passwords, clock } = rack('a')
    const fake = fakes.get('a')!
    let sinceGood = 0
    let worst = 0
    let most = 0
    for (let minute = 0; minute < 24 * 60; minute++) {
      const turn = minute % 120
      const [first, second] = Math.floor(minute / 120) % 2 === 0 ? [60, 63] : [63, 60]
      if (turn === first) {
        fake.password = `p-${minute - turn}`
        fake.sessions.clear()
      }
      if (turn === second) passwords.set('a', `p-${minute - turn}`)
      if (turn === 30) fake.sessions.clear()
      const before = fake.loginFailures
      const good = await pool
        .use('a', bmc => bmc.power.state())
        .then(
          () => true,
          () => false,
        )
      sinceGood = good ? 0 : sinceGood + (fake.loginFailures - before)
      worst = Math.max(worst, sinceGood)
      most = Math.max(most, fake.sessions.size)
      await clock.advance(60_000)
    }
    expect(worst).toBeLessThan(5)
    expect(most).toBe(1)
    expect(await pool.use('a', bmc => bmc.power.state())).toBe('Off')
    await pool.close()
    expect(fake.sessions.size).toBe(0)
  })

  it('logs out of a server that is forgotten, and can meet it again', async () => {
    const { pool, fakes } = rack('a')
    await pool.use('a', bmc => bmc.power.state())
    await pool.forget('a')
    expect(fakes.get('a')!.sessions.size).toBe(0)
    await pool.forget('never seen')
    expect(await pool.use('a', bmc => bmc.power.state())).toBe('Off')
    await pool.close()
  })

  it('lets one stop waiting for an opening that others still wait for', async () => {
    const { pool, fakes } = rack('a')
    let open = (): void => {}
    const opening = new Promise<undefined>(resolve => {
      open = () => resolve(undefined)
    })
    const fake = fakes.get('a')!
    fake.on.set('GET /redfish/v1/', () => opening.then(() => json(200, fake.tree['/redfish/v1'])))
    const stop = new AbortController()
    const impatient = faultOf(pool.use('a', bmc => bmc.power.state(), stop.signal))
    const patient = pool.use('a', bmc => bmc.power.state())
    await settled()
    stop.abort(new Error('enough'))
    expect(await impatient).toMatchObject({ message: 'enough' })
    open()
    expect(await patient).toBe('Off')
    await pool.close()
  })

  it('follows a changed address and leaves the old one logged out', async () => {
    const { pool, fakes, addresses } = rack('a', 'b')
    systemOf(fakes.get('b')!.tree)['PowerState'] = 'On'
    expect(await pool.use('a', bmc => bmc.power.state())).toBe('Off')
    addresses.set('a', 'b')
    expect(await pool.use('a', bmc => bmc.power.state())).toBe('On')
    expect(fakes.get('a')!.sessions.size).toBe(0)
    await pool.close()
  })

  it('looks again at a machine whose parts have moved', async () => {
    const { pool, fakes } = rack('a')
    await pool.use('a', bmc => bmc.power.state())
    const { tree } = fakes.get('a')!
    const moved = JSON.parse(JSON.stringify(systemOf(tree)).replaceAll('/Systems/1', '/Systems/Self')) as Record<string, unknown>
    tree['/redfish/v1/Systems/Self'] = moved
    delete tree['/redfish/v1/Systems/1']
    tree['/redfish/v1/Systems']!['Members'] = [{ '@odata.id': '/redfish/v1/Systems/Self' }]
    expect(await faultOf(pool.use('a', bmc => bmc.power.state()))).toMatchObject({ code: 'bmc/not-found', retry: 'backoff' })
    expect(await pool.use('a', async bmc => bmc.identity.system)).toBe('/redfish/v1/Systems/Self')
    await pool.close()
  })

  it('lets dead BMCs cost healthy ones nothing', async () => {
    const clock = stepClock(true)
    const healthy = fakeBmc()
    let open = 0
    const pool = bmcPool({
      clock,
      log: silent,
      atOnce: 8,
      access: async server => anyAccess({ address: server }),
      transport:
        ({ address }) =>
        request => {
          if (!address.startsWith('dead')) return healthy.transport(request)
          open++
          return new Promise(() => {})
        },
    })
    await pool.use('healthy', bmc => bmc.power.state())
    const dead = Array.from({ length: 6 }, (_, n) => faultOf(pool.use(`dead-${n}`, bmc => bmc.power.state())))
    await settled()
    expect(open).toBe(6)
    expect(await pool.use('healthy', bmc => bmc.power.state())).toBe('Off')
    await clock.advance(30_000)
    for (const fault of await Promise.all(dead)) expect(fault).toMatchObject({ code: 'bmc/no-answer' })
    // Now they come again, by a way of their own: all common places stay free for those who answer.
    const again = Array.from({ length: 6 }, (_, n) => faultOf(pool.use(`dead-${n}`, bmc => bmc.power.state())))
    await settled()
    const many = await Promise.all(Array.from({ length: 20 }, () => pool.use('healthy', bmc => bmc.power.state())))
    expect(many).toHaveLength(20)
    await clock.advance(30_000)
    await Promise.all(again)
    const before = open
    const third = Array.from({ length: 6 }, (_, n) => faultOf(pool.use(`dead-${n}`, bmc => bmc.power.state())))
    await settled()
    await clock.advance(30_000)
    await Promise.all(third)
    expect(open - before).toBe(6)
    // After three silences they are not even asked.
    for (let n = 0; n < 6; n++)
      expect(await faultOf(pool.use(`dead-${n}`, bmc => bmc.power.state()))).toMatchObject({ code: 'bmc/resting' })
    expect(open - before).toBe(6)
    const closing = pool.close()
    await settled()
    await closing
    expect(healthy.sessions.size).toBe(0)
  })
})
